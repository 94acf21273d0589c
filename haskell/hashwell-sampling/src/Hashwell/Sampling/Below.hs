{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}

-- | Uniform integers from random numbers. The first two functions use machine arithmetic.
module Hashwell.Sampling.Below
  ( belowLemire
  , belowWord
  , belowFrom
  , joined
  ) where

import Control.Monad (replicateM)
import Data.Bits (shiftL, (.|.))
import Data.Word (Word64)
import GHC.Exts (Word (..), timesWord2#)
import Hashwell.Random.Words (Words (..))

-- | Draws a uniform integer x with 0 <= x < n, for n >= 1: the upper half of w · n, where w is rejected while the
-- lower half is less than 2^64 mod n (Lemire 2019, "Fast Random Integer Generation in an Interval", algorithm 5). It
-- multiplies instead of dividing like 'belowWord', and gives a different integer for the same random number.
belowLemire :: Words g m => Word64 -> g -> m Word64
belowLemire !n gen = do
  w <- word64 gen
  let !(# high, low #) = wide w n
  if low >= n then pure high else retry high low
  where
    -- This division is rarely needed.
    refused = negate n `rem` n
    retry !high !low
      | low >= refused = pure high
      | otherwise = do
          w <- word64 gen
          let !(# high', low' #) = wide w n
          retry high' low'
    wide a b = case (fromIntegral a, fromIntegral b) of
      (W# x, W# y) -> case timesWord2# x y of
        (# h, l #) -> (# fromIntegral (W# h) :: Word64, fromIntegral (W# l) :: Word64 #)
{-# INLINE belowLemire #-}

-- | Draws a uniform integer by the rule of hwdraw\/1 (@docs\/spec\/draw.md@): w mod n, where w is the first random
-- number below the largest multiple of n that is at most 2^64.
belowWord :: Words g m => Word64 -> g -> m Word64
belowWord !n gen = go
  where
    -- Reject the last 2^64 mod n numbers, because they would make small results more likely.
    !surplus = negate n `rem` n
    go = do
      w <- word64 gen
      if w > maxBound - surplus then go else pure (w `rem` n)
{-# INLINE belowWord #-}

-- | Draws a uniform integer x with 0 <= x < n, for n from 1 to 2^128, by the rule of hwdraw\/1. Random numbers that would
-- make some results more likely are rejected.
belowFrom :: Monad m => m Word64 -> Integer -> m Integer
belowFrom draw n = go
  where
    count = if n <= 2 ^ (64 :: Int) then 1 else 2
    range = 2 ^ (64 * count) :: Integer
    most = n * (range `div` n)
    go = do
      w <- joined draw count
      if w < most then pure (w `mod` n) else go

-- | Combines several 64-bit numbers into an integer, the first as the most significant.
joined :: Monad m => m Word64 -> Int -> m Integer
joined draw count = foldl (\n w -> n `shiftL` 64 .|. toInteger w) 0 <$> replicateM count draw
