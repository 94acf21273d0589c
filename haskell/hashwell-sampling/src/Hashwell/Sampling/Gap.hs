{-# LANGUAGE BangPatterns #-}

-- | The gaps of a reservoir: the number of rows to skip before the next one enters. They are computed by comparing
-- integers, like the method @gap@ of hwdraw\/1, so every language and machine skips the same rows.
module Hashwell.Sampling.Gap
  ( longestGap
  , gapOf
  ) where

import Data.Bits (shiftL)
import Data.Word (Word64)
import GHC.Float (int2Double, word2Double)
import qualified Hashwell.Number as N

-- | @longestGap k t most r@: the largest s of at most @most@ with C(t, k) \/ C(t + s, k) >= (r + 1) \/ 2^64, for
-- 1 <= k <= t. It needs a few times min(k, s) multiplications.
--
-- >>> longestGap 1 1 100 (2 ^ 63 - 1)
-- 1
longestGap :: Integer -> Integer -> Integer -> Word64 -> Integer
longestGap k t most r
  | fits k && fits t && fits most = toInteger (machine (fromInteger k) (fromInteger t) (fromInteger most) r)
  | otherwise = search most guess (\s -> exactly k t s r)
  where
    -- Doubles represent numbers of this size, and sums of two of them, exactly.
    fits n = n < 2 ^ (52 :: Int)
    guess = truncate (min (fromInteger most) (nearGap (fromInteger k) (fromInteger t) r))

-- | The gap for rows counted with machine integers. A gap that ends after row 2^53 is treated as infinite.
gapOf :: Int -> Int -> Word64 -> Int
gapOf k t = machine k t (max 0 (2 ^ (52 :: Int) - 1 - t))

-- | The gap if t + s is below 2^53. Doubles decide, unless the result is too close.
machine :: Int -> Int -> Int -> Word64 -> Int
machine !k !t !most !r = search most guess reached
  where
    guess = truncate (min (int2Double most) (nearGap (int2Double k) (int2Double t) r))
    -- The error bound of 'reached' includes the rounding of r + 1.
    !share = (word2Double (fromIntegral r) + 1) * 5.421010862427522e-20
    reached s
      | ratio - share > bound = True
      | share - ratio > bound = False
      | otherwise = exactly (toInteger k) (toInteger t) (toInteger s) r
      where
        factors = min k s
        !ratio = if k <= s then below t (t + s) else below (t - k + s) (t + s)
        -- Each factor has two roundings of half an ulp. The bound is four times as large, to be safe.
        !bound = int2Double (factors + 4) * 8.881784197001252e-16 * max ratio share
        below above under = go 1 0
          where
            go !p !i
              | i == factors = p :: Double
              | otherwise = go (p * (int2Double (above - i) / int2Double (under - i))) (i + 1)

-- | For real numbers, the ratio is about (1 + s \/ (t - k \/ 2))^-k.
nearGap :: Double -> Double -> Word64 -> Double
nearGap k t r = (t - (k - 1) / 2) * N.expm1 (N.exponential r / k)

-- | Finds the largest s from 0 to @most@ that is reached, starting at a guess. 0 is always reached, and if a number is
-- reached, so are all smaller ones.
search :: Integral n => n -> n -> (n -> Bool) -> n
search most guess reached
  | start <= 0 || reached start = up start 1
  | otherwise = down start 1
  where
    start = max 0 (min most guess)
    -- Double the step until the answer is between two numbers.
    up s step
      | s >= most = most
      | reached next = up next (2 * step)
      | otherwise = between s next
      where
        next = s + min step (most - s)
    down s step
      | next <= 0 || reached next = between next s
      | otherwise = down next (2 * step)
      where
        next = max 0 (s - step)
    between low high
      | high - low <= 1 = low
      | reached middle = between middle high
      | otherwise = between low middle
      where
        middle = low + (high - low) `div` 2
{-# INLINE search #-}

-- | Returns 'True' if C(t, k) \/ C(t + s, k) >= (r + 1) \/ 2^64. It multiplies min(k, s) numbers: the ratio is the
-- product of (t - i) \/ (t + s - i) for i below k, and also the product of (t - k + s - i) \/ (t + s - i) for i below
-- s.
exactly :: Integer -> Integer -> Integer -> Word64 -> Bool
exactly k t s r = above `shiftL` 64 >= (toInteger r + 1) * run (t + s - factors + 1) (t + s)
  where
    factors = min k s
    above = if k <= s then run (t - k + 1) t else run (t - k + 1) (t - k + s)
    -- The product of all numbers from a to b, divided in halves so that factors have similar lengths.
    run a b
      | b - a < 8 = product [a .. b]
      | otherwise = run a m * run (m + 1) b
      where
        m = (a + b) `div` 2
