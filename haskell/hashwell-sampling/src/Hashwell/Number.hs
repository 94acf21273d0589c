-- | Logarithms and exponentials with the same results on every machine. They use only the operations + - * \/ and
-- comparisons of doubles, in the order that @docs\/spec\/draw.md@ specifies. Terms of processes use them, because the
-- functions of the C library differ in the last digit between machines, which can change the result of a draw.
--
-- The measured error is below one unit in the last place, which is not guaranteed. A call takes about ten nanoseconds.
module Hashwell.Number
  ( ln
  , log1p
  , exp
  , expm1
  , exponential
  , unit
  , unitPositive
  ) where

import Data.Bits (complement, shiftL, shiftR, (.&.), (.|.))
import Data.Word (Word64)
import GHC.Float (castDoubleToWord64, castWord64ToDouble, int2Double, word2Double)
import Prelude hiding (exp)

-- | Converts the upper 53 bits of a random number to u with 0 <= u < 1.
unit :: Word64 -> Double
unit w = int2Double (fromIntegral (w `shiftR` 11)) * 1.1102230246251565e-16
{-# INLINE unit #-}

-- | Converts a random number to u with 0 < u <= 1, so that its logarithm is finite.
unitPositive :: Word64 -> Double
unitPositive w = int2Double (fromIntegral (w `shiftR` 11) + 1) * 1.1102230246251565e-16
{-# INLINE unitPositive #-}

-- | Two doubles whose sum is ln 2. The first has trailing zeros, so its multiples are exact.
ln2High, ln2Low :: Double
ln2High = castWord64ToDouble 0x3fe62e42fee00000
ln2Low = castWord64ToDouble 0x3dea39ef35793c76

-- | The natural logarithm. It is negative infinity for 0 and NaN for negative numbers.
--
-- >>> ln 2
-- 0.6931471805599453
-- >>> ln 0
-- -Infinity
ln :: Double -> Double
ln x = lnPlus x 0

-- | Computes ln(x + r·x) for a tiny r, the rounding error of x.
lnPlus :: Double -> Double -> Double
lnPlus x r
  | isNaN x || x < 0 = 0 / 0
  | x == 0 = -1 / 0
  | isInfinite x = x
  | x < 2.2250738585072014e-308 = reduced (x * 18014398509481984) (-54) r
  | otherwise = reduced x 0 r

-- | Computes the logarithm of a normal number whose exponent is increased by @extra@.
reduced :: Double -> Int -> Double -> Double
reduced x extra r = e * ln2High - ((h - (s * (h + big) + (e * ln2Low + r))) - f)
  where
    bits = castDoubleToWord64 x
    binade = fromIntegral (bits `shiftR` 52) - 1023 :: Int
    upper = castWord64ToDouble ((bits .&. 0xfffffffffffff) .|. 0x3ff0000000000000)
    halved = upper * 0.5 >= castWord64ToDouble 0x3fe6a09e667f3bcd
    m = if halved then upper * 0.5 else upper
    e = int2Double (binade + extra + (if halved then 1 else 0))
    f = m - 1
    t = 2 + f
    s = f / t
    z = s * s
    h = 0.5 * f * f
    k = z * z
    a = c 0 + k * (c 2 + k * (c 4 + k * (c 6 + k * (c 8 + k * c 10))))
    b = c 1 + k * (c 3 + k * (c 5 + k * (c 7 + k * c 9)))
    big = z * (a + z * b)
    c i = 2 / (2 * i + 3)

-- | Computes ln(1 + x) for x > -1, accurate also near 0.
log1p :: Double -> Double
log1p x
  | isInfinite u = u
  | u <= 0 || isNaN u = ln u
  | otherwise = lnPlus u (lost / u)
  where
    u = 1 + x
    lost = if x < 1 then x - (u - 1) else 1 - (u - x)

-- | Converts a random number w to an exponentially distributed time: -ln((w + ½) \/ 2^64).
exponential :: Word64 -> Double
exponential w
  | w < 0x8000000000000000 = negate (ln p)
  | otherwise = negate (lnPlus (1 - q) (((1 - (1 - q)) - q) / (1 - q)))
  where
    p = halves w
    q = halves (complement w)
    halves v = word2Double (fromIntegral (v `shiftL` 1 .|. 1)) * 2.710505431213761e-20

-- | The common first step of both exponentials: splits x into k · ln 2 + g - l, and returns k, g, l and r · C \/ (2 -
-- C).
split :: Double -> (Int, Double, Double, Double)
split x = (k, g, l, r * c / (2 - c))
  where
    scaled = x * (1 / 0.6931471805599453)
    k = truncate (if x < 0 then scaled - 0.5 else scaled + 0.5) :: Int
    g = x - int2Double k * ln2High
    l = int2Double k * ln2Low
    r = g - l
    t = r * r
    c = r - t * (q0 + t * (q1 + t * (q2 + t * (q3 + t * (q4 + t * (q5 + t * q6))))))
    q0 = 1 / 6
    q1 = -1 / 360
    q2 = 1 / 15120
    q3 = -1 / 604800
    q4 = 1 / 23950080
    q5 = -691 / 653837184000
    q6 = 1 / 37362124800

-- | Computes y · 2^k, with one more rounding if 2^k is not a normal number.
scale :: Int -> Double -> Double
scale k y
  | k > 1023 = y * 2 * power (k - 1)
  | k < -1022 = y * power (k + 100) * power (-100)
  | otherwise = y * power k

power :: Int -> Double
power k = castWord64ToDouble (fromIntegral (k + 1023) `shiftL` 52)

-- | The exponential function; infinite above 709.79, 0 below -745.2.
exp :: Double -> Double
exp x
  | isNaN x = x
  | x > 709.79 = 1 / 0
  | x < -745.2 = 0
  | otherwise = scale k (1 - ((l - q) - g))
  where
    (k, g, l, q) = split x

-- | Computes exp(x) - 1, accurate also near 0.
expm1 :: Double -> Double
expm1 x
  | isNaN x = x
  | x > 709.79 = 1 / 0
  | x < -38 = -1
  | k == 0 = p
  | abs k <= 56 = scale k (p + (1 - power (negate k)))
  | otherwise = scale k (1 + p)
  where
    (k, g, l, q) = split x
    p = g + (q - l)
