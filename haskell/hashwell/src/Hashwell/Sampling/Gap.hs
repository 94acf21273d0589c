-- |
-- Gaps of a reservoir: how many rows pass until the next one enters, by whole numbers alone. This is hwdraw\/1's method
-- @gap@, so that every language and machine passes over the same rows.
module Hashwell.Sampling.Gap
  ( longestGap
  , gapOf
  ) where

import Data.Bits (shiftL)
import Data.Word (Word64)
import qualified Hashwell.Number as N

-- | @longestGap k t most r@: the largest s of at most @most@ with C(t, k) \/ C(t + s, k) >= (r + 1) \/ 2^64, for
-- 1 <= k <= t. A few times the lesser of k and s multiplications.
--
-- >>> longestGap 1 1 100 (2 ^ 63 - 1)
-- 1
longestGap :: Integer -> Integer -> Integer -> Word64 -> Integer
longestGap k t most r = search (max 0 (min most guess))
  where
    reached s = s <= 0 || exactly k t s r
    -- Of real numbers the ratio is about (1 + s / (t - k / 2))^-k.
    guess = truncate (min (fromInteger most) (middle * N.expm1 (N.exponential r / fromInteger k))) :: Integer
    middle = fromInteger t - (fromInteger k - 1) / 2 :: Double
    search s
      | reached s = up s 1
      | otherwise = down s 1
    -- Steps double until the answer is between two numbers.
    up s step
      | s >= most = most
      | reached (min most (s + step)) = up (min most (s + step)) (2 * step)
      | otherwise = between s (min most (s + step))
    down s step
      | reached (s - step) = between (max 0 (s - step)) s
      | otherwise = down (s - step) (2 * step)
    between low high
      | high - low <= 1 = low
      | reached middleOf = between middleOf high
      | otherwise = between low middleOf
      where
        middleOf = (low + high) `div` 2

-- | Whether C(t, k) \/ C(t + s, k) >= (r + 1) \/ 2^64, by products of the lesser of k and s numbers: the ratio is that of
-- (t - i) to (t + s - i) for i below k, and of (t - k + j) to (t + j) for j from 1 to s.
exactly :: Integer -> Integer -> Integer -> Word64 -> Bool
exactly k t s r
  | k <= s = holds (run (t - k + 1) t) (run (t + s - k + 1) (t + s))
  | otherwise = holds (run (t - k + 1) (t - k + s)) (run (t + 1) (t + s))
  where
    holds above under = above `shiftL` 64 >= (toInteger r + 1) * under
    -- The product of all numbers from a to b, by halves, so that factors are of one length.
    run a b
      | b - a < 8 = product [a .. b]
      | otherwise = run a m * run (m + 1) b
      where
        m = (a + b) `div` 2

-- | The same for rows that are counted by machine integers, up to 'maxBound' - t: floats decide, and whole numbers where
-- floats leave it open.
gapOf :: Int -> Int -> Word64 -> Int
gapOf k t r = fromInteger (longestGap (toInteger k) (toInteger t) (toInteger (maxBound - t)) r)
