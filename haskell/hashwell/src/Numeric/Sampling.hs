{-# LANGUAGE FlexibleContexts #-}

-- |
-- The package @sampling@'s functions, names and argument orders, on any generator of @random@'s or @mwc-random@'s.
-- Where that package differs:
--
-- * 'psample' of more than there is gives 'Nothing'; there it throws.
-- * Weights need not have the sum 1: 'presample' always gives n values, where there are any, and a weight of 0 is never
--   drawn.
-- * A weight that is negative, infinite or NaN throws 'InvalidWeight'.
-- * 'sample' goes over a collection once, with words for k · ln(n \/ k) rows and not for all of them.
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
import qualified Control.Foldl as Fold
import Control.Monad (replicateM)
import Control.Monad.Primitive (PrimMonad)
import Data.Foldable (find, foldl', toList)
import qualified Data.Vector as V
import qualified Data.Vector.Unboxed as U
import Hashwell.Number (unit)
import Hashwell.Random.Words (FromStateful (..), Words (..))
import Hashwell.Sampling (InvalidWeight (..), gap, jumps)
import Hashwell.Sampling.Below (belowLemire)
import System.Random.MWC
import System.Random.Stateful (StatefulGen)

-- | n values of a collection without replacement, every set of n with the same chance; 'Nothing' if it has fewer. One
-- pass, and memory for n values. In which order they come is not said.
sample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f a -> g -> m (Maybe [a])
sample n xs gen = enough n <$> Fold.foldM (gap n (FromStateful gen)) xs
{-# INLINABLE sample #-}

-- | The same by a generator that the operating system seeds.
sampleIO :: Foldable f => Int -> f a -> IO (Maybe [a])
sampleIO n xs = createSystemRandom >>= sample n xs

-- | n values without replacement, drawn one after the other in proportion to the weights that are left; 'Nothing' if
-- fewer have a weight above 0. The chance to be in the sample is not proportional to the weight.
psample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f (Double, a) -> g -> m (Maybe [a])
psample n xs gen = enough n <$> Fold.foldM (jumps n (FromStateful gen)) xs
{-# INLINABLE psample #-}

-- | The same by a generator that the operating system seeds.
psampleIO :: Foldable f => Int -> f (Double, a) -> IO (Maybe [a])
psampleIO n xs = createSystemRandom >>= psample n xs

enough :: Int -> V.Vector a -> Maybe [a]
enough n drawn
  | V.length drawn < n = Nothing
  | otherwise = Just (V.toList drawn)

-- | n values with replacement, each of all of them; none of an empty collection.
resample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f a -> g -> m [a]
resample n xs gen
  | V.null values = pure []
  | otherwise = replicateM n (pick <$> belowLemire (fromIntegral (V.length values)) (FromStateful gen))
  where
    values = V.fromList (toList xs)
    pick i = V.unsafeIndex values (fromIntegral i)
{-# INLINABLE resample #-}

-- | The same by a generator that the operating system seeds.
resampleIO :: Foldable f => Int -> f a -> IO [a]
resampleIO n xs = createSystemRandom >>= resample n xs

-- | n values with replacement in proportion to their weights; none where no weight is above 0.
presample :: (PrimMonad m, StatefulGen g m, Foldable f) => Int -> f (Double, a) -> g -> m [a]
presample n xs gen
  | Just (wrong, _) <- find (\(w, _) -> not (w >= 0) || isInfinite w) xs = throw (InvalidWeight wrong)
  | V.null values = pure []
  | otherwise = replicateM n (pick . unit <$> word64 (FromStateful gen))
  where
    heavy = foldr (\one rest -> if fst one > 0 then one : rest else rest) [] xs
    values = V.fromList (map snd heavy)
    -- Divided first, so that no sum is infinite.
    largest = foldl' max 0 (map fst heavy)
    ends = U.fromList (drop 1 (scanl (+) 0 (map ((/ largest) . fst) heavy)))
    pick u = values V.! search (u * U.last ends) 0 (V.length values - 1)
    -- The first whose end is beyond the mark, or the last.
    search mark low high
      | low >= high = low
      | ends U.! middle > mark = search mark low middle
      | otherwise = search mark (middle + 1) high
      where
        middle = (low + high) `div` 2
{-# INLINABLE presample #-}

-- | The same by a generator that the operating system seeds.
presampleIO :: Foldable f => Int -> f (Double, a) -> IO [a]
presampleIO n xs = createSystemRandom >>= presample n xs
