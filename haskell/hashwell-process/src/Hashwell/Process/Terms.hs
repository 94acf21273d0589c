{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}

-- |
-- Terms computed from random numbers, with exactly the bits that @docs\/spec\/draw.md@ specifies. Parameters are not
-- checked; "Hashwell.Process" checks them.
module Hashwell.Process.Terms
  ( bernoulli
  , uniform
  , categorical
  , below
  , normal
  , gaussian
  , beta
  ) where

import Hashwell.Number (expm1, exponential, ln, log1p, unit, unitPositive)
import qualified Hashwell.Number as N
import Hashwell.Random.Words (Words (..))
import Hashwell.Sampling.Below (belowFrom)

-- | Returns 'True' if u < p. Consumes one random number for every p.
bernoulli :: Words g m => Double -> g -> m Bool
bernoulli p gen = (\w -> unit w < p) <$> word64 gen
{-# INLINE bernoulli #-}

-- | Draws a uniform number u. Consumes one random number.
uniform :: Words g m => g -> m Double
uniform gen = unit <$> word64 gen
{-# INLINE uniform #-}

-- | Draws the first index for which the sum of the weights up to this index is greater than u times the sum of all
-- weights. If rounding leaves no such index, it is the last one with a positive weight. Consumes one random number.
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

-- | Draws a uniform integer x with 0 <= x < n.
below :: Words g m => Integer -> g -> m Integer
below n gen = belowFrom (word64 gen) n

-- | Draws a standard normal number by the ratio of uniforms (Kinderman and Monahan 1977). Consumes two random
-- numbers, and two more for each rejection.
normal :: Words g m => g -> m Double
normal gen = do
  u <- unitPositive <$> word64 gen
  v <- (\w -> (unit w - 0.5) * 1.7155277699214135) <$> word64 gen
  let z = v / u
  if z * z <= -4 * ln u then pure z else normal gen

-- | Draws a normal number with this mean and standard deviation.
gaussian :: Words g m => Double -> Double -> g -> m Double
gaussian mean deviation gen = (\z -> mean + deviation * z) <$> normal gen

-- | Draws a beta-distributed number.
beta :: Words g m => Double -> Double -> g -> m Double
beta a b gen
  | a == 1 = (\e -> negate (expm1 (negate e / b))) . exponential <$> word64 gen
  | b == 1 = (\e -> N.exp (negate e / a)) . exponential <$> word64 gen
  | otherwise = do
      la <- logGamma a gen
      lb <- logGamma b gen
      pure (1 / (1 + N.exp (lb - la)))

-- | Draws the logarithm of a gamma-distributed number (Marsaglia and Tsang 2000).
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
