{-# LANGUAGE FlexibleContexts #-}

-- |
-- The functions of the package @sampling@, with the same names and argument orders, for any generator of the packages
-- @random@ and @mwc-random@. Differences from that package:
--
-- * If there are too few values, 'psample' returns 'Nothing'; in @sampling@ it throws.
-- * The sum of weights need not be 1. 'presample' always returns n values if there are any, and a value of weight 0 is
--   never drawn.
-- * A weight that is negative, infinite or NaN throws 'InvalidWeight'.
-- * 'sample' reads the collection once, and draws random numbers for about k · ln(n \/ k) values instead of all of
--   them.
--
-- >>> :set -XTypeApplications
-- >>> gen <- create
-- >>> fmap length <$> sample 3 [1 .. 10 :: Int] gen
-- Just 3
-- >>> sample 11 [1 .. 10 :: Int] gen
-- Nothing
-- >>> psample 3 [(0.5, 'a'), (0.5, 'b')] gen
-- Nothing
-- >>> length <$> presample 100 [(0.1, 'a'), (0.2, 'b')] gen
-- 100
module Numeric.Sampling
  ( -- * Without replacement
    sample
  , sampleIO
  , psample
  , psampleIO
    -- * With replacement
  , resample
  , resampleIO
  , presample
  , presampleIO
  , InvalidWeight (..)
    -- * Generators
  , module System.Random.MWC
  ) where

import Control.Exception (throw)
import Control.Monad (replicateM)
import Control.Monad.Primitive (PrimMonad)
import Data.Foldable (find, toList)
import qualified Data.Vector as V
import qualified Data.Vector.Unboxed as U
import Hashwell.Number (unit)
import Hashwell.Random.Words (FromStateful (..), Words (..))
import Hashwell.Sampling.Below (belowLemire)
import Hashwell.Sampling.Reservoir (InvalidWeight (..), gap, jumps, sampleFrom)
import System.Random.MWC
import System.Random.Stateful (StatefulGen)

-- | Draws n values of a collection without replacement; every set of n values has the same probability. Returns
-- 'Nothing' if the collection has fewer values. It reads the collection once and needs memory for n values. The order
-- of the result is not specified.
sample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f a -> g -> m (Maybe [a])
sample n xs gen = enough n <$> sampleFrom (gap n (FromStateful gen)) xs
{-# INLINABLE sample #-}

-- | Like 'sample', with a generator that the operating system seeds.
sampleIO :: Foldable f => Int -> f a -> IO (Maybe [a])
sampleIO n xs = createSystemRandom >>= sample n xs

-- | Draws n values without replacement, one after the other, each with probability proportional to its weight among
-- the remaining values. Returns 'Nothing' if fewer than n values have a positive weight. The probability to be in the
-- sample is not proportional to the weight.
psample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f (Double, a) -> g -> m (Maybe [a])
psample n xs gen = enough n <$> sampleFrom (jumps n (FromStateful gen)) xs
{-# INLINABLE psample #-}

-- | Like 'psample', with a generator that the operating system seeds.
psampleIO :: Foldable f => Int -> f (Double, a) -> IO (Maybe [a])
psampleIO n xs = createSystemRandom >>= psample n xs

enough :: Int -> V.Vector a -> Maybe [a]
enough n drawn
  | V.length drawn < n = Nothing
  | otherwise = Just (V.toList drawn)

-- | Draws n values with replacement; returns an empty list for an empty collection.
resample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f a -> g -> m [a]
resample n xs gen
  | V.null values = pure []
  | otherwise = replicateM n (pick <$> belowLemire (fromIntegral (V.length values)) (FromStateful gen))
  where
    values = V.fromList (toList xs)
    pick i = V.unsafeIndex values (fromIntegral i)
{-# INLINABLE resample #-}

-- | Like 'resample', with a generator that the operating system seeds.
resampleIO :: Foldable f => Int -> f a -> IO [a]
resampleIO n xs = createSystemRandom >>= resample n xs

-- | Draws n values with replacement, each with probability proportional to its weight; returns an empty list if no
-- weight is positive.
presample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f (Double, a) -> g -> m [a]
presample n xs gen
  | Just (wrong, _) <- find (\(w, _) -> not (w >= 0) || isInfinite w) xs = throw (InvalidWeight wrong)
  | V.null values = pure []
  | otherwise = replicateM n (pick . unit <$> word64 (FromStateful gen))
  where
    heavy = foldr (\one rest -> if fst one > 0 then one : rest else rest) [] xs
    values = V.fromList (map snd heavy)
    -- Divide by the largest weight first, so that no sum is infinite.
    largest = maximum (0 : map fst heavy)
    ends = U.fromList (drop 1 (scanl (+) 0 (map ((/ largest) . fst) heavy)))
    pick u = values V.! search (u * U.last ends) 0 (V.length values - 1)
    -- The first value whose end is above the mark, or the last value.
    search mark low high
      | low >= high = low
      | ends U.! middle > mark = search mark low middle
      | otherwise = search mark (middle + 1) high
      where
        middle = (low + high) `div` 2
{-# INLINABLE presample #-}

-- | Like 'presample', with a generator that the operating system seeds.
presampleIO :: Foldable f => Int -> f (Double, a) -> IO [a]
presampleIO n xs = createSystemRandom >>= presample n xs
