{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}

-- | Whole numbers of words, by machine arithmetic.
module Hashwell.Sampling.Below
  ( belowLemire
  , belowWord
  ) where

import Data.Word (Word64)
import GHC.Exts (Word (..), timesWord2#)
import Hashwell.Random.Words (Words (..))

-- | A number of 0 <= x < n, for n >= 1, each with the same chance: the upper half of w · n, again while the lower half
-- is less than 2^64 mod n (Lemire 2019, "Fast Random Integer Generation in an Interval", algorithm 5). It has a
-- multiplication where 'belowWord' has a division, and makes another number of the same word.
belowLemire :: Words g m => Word64 -> g -> m Word64
belowLemire !n gen = do
  w <- word64 gen
  let !(# high, low #) = wide w n
  if low >= n then pure high else retry high low
  where
    -- A division, which hardly ever is wanted.
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

-- | The same by hwdraw\/1's rule (@docs\/spec\/draw.md@): w mod n, of the first w below the largest multiple of n that
-- is at most 2^64.
belowWord :: Words g m => Word64 -> g -> m Word64
belowWord !n gen = go
  where
    -- 2^64 mod n words would favour small numbers.
    !surplus = negate n `rem` n
    go = do
      w <- word64 gen
      if w > maxBound - surplus then go else pure (w `rem` n)
{-# INLINE belowWord #-}
