{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}

-- |
-- Terms made of words, to the bit as @docs\/spec\/draw.md@ says: parameters are taken as they are, the caller has
-- looked at them ("Hashwell.Process" does).
module Hashwell.Process.Terms
  ( bernoulli
  , uniform
  , categorical
  , below
  , normal
  , gaussian
  , beta
  ) where

import Hashwell.Draw.Words (belowFrom)
import Hashwell.Number (expm1, exponential, ln, log1p, unit, unitPositive)
import qualified Hashwell.Number as N
import Hashwell.Random.Words (Words (..))

-- | True if u < p. One word whatever p is.
bernoulli :: Words g m => Double -> g -> m Bool
bernoulli p gen = (\w -> unit w < p) <$> word64 gen
{-# INLINE bernoulli #-}

-- | u. One word.
uniform :: Words g m => g -> m Double
uniform gen = unit <$> word64 gen
{-# INLINE uniform #-}

-- | The first index whose sum of weights up to and with its own is more than u times the sum of all; the last of
-- positive weight if rounding leaves none. One word.
categorical :: Words g m => [Double] -> g -> m Int
categorical weights gen = (\w -> find (unit w * total) 0 0 weights) <$> word64 gen
  where
    total = sumFrom 0 weights
    sumFrom !s [] = s
    sumFrom !s (w : ws) = sumFrom (s + w) ws
    find :: Double -> Int -> Double -> [Double] -> Int
    find !mark !i !s (w : ws)
      | s + w > mark = i
      | otherwise = find mark (i + 1) (s + w) ws
    find _ _ _ [] = maximum (0 : [i | (i, w) <- zip [0 ..] weights, w > 0])

-- | A whole number of 0 <= x < n.
below :: Words g m => Integer -> g -> m Integer
below n gen = belowFrom (word64 gen) n

-- | A standard normal number, by ratio of uniforms (Kinderman and Monahan 1977). Two words, and two more for each
-- refusal.
normal :: Words g m => g -> m Double
normal gen = do
  u <- unitPositive <$> word64 gen
  v <- (\w -> (unit w - 0.5) * 1.7155277699214135) <$> word64 gen
  let z = v / u
  if z * z <= -4 * ln u then pure z else normal gen

-- | A normal number of this mean and standard deviation.
gaussian :: Words g m => Double -> Double -> g -> m Double
gaussian mean deviation gen = (\z -> mean + deviation * z) <$> normal gen

-- | A beta number.
beta :: Words g m => Double -> Double -> g -> m Double
beta a b gen
  | a == 1 = (\e -> negate (expm1 (negate e / b))) . exponential <$> word64 gen
  | b == 1 = (\e -> N.exp (negate e / a)) . exponential <$> word64 gen
  | otherwise = do
      la <- logGamma a gen
      lb <- logGamma b gen
      pure (1 / (1 + N.exp (lb - la)))

-- | The logarithm of a gamma number (Marsaglia and Tsang 2000).
logGamma :: Words g m => Double -> g -> m Double
logGamma a gen = go
  where
    s = if a < 1 then a + 1 else a
    d = s - 1 / 3
    c = N.exp (-0.5 * ln d) / 3
    go = do
      z <- normal gen
      u <- unitPositive <$> word64 gen
      let y = c * z
          q = z * z
          p = y * (3 + y * (3 + y))
          l = log1p p
      if y > -1 && (u < 1 - 0.0331 * (q * q) || ln u <= 0.5 * q + d * (l - p))
        then finish (ln d + l)
        else go
    finish l
      | a < 1 = (\w -> l - exponential w / a) <$> word64 gen
      | otherwise = pure l
