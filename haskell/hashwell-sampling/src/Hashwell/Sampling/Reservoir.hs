{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE FlexibleContexts #-}

-- | Reservoir sampling: samples of collections and streams of unknown length. They are read once, and memory is needed
-- only for the sample.
--
-- >>> import Hashwell.Random.Words (newTape)
-- >>> import qualified Data.Vector as V
-- >>> tape <- newTape [2 ^ 63, 0, 2 ^ 62, 1, 0, 0]
-- >>> V.toList <$> sampleFrom (algorithmR 2 tape) "abcd"
-- "dc"
--
-- The first argument of each sampler is the size k of the sample. Except for 'jumps', every set of k of the n rows has
-- the same probability (with 'algorithmL', up to the rounding of floating-point numbers). The order of the sample is
-- not guaranteed. If there are fewer than k rows, the sample contains all of them. A negative k means 0.
module Hashwell.Sampling.Reservoir
  ( -- * Samplers
    Sampler (..)
  , sampleFrom
    -- * Equal probabilities
  , algorithmR
  , algorithmL
  , gap
    -- * Weights
  , jumps
  , InvalidWeight (..)
  ) where

import Control.Exception (Exception, throw)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.Bits (shiftL)
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import Data.Primitive.PrimArray (MutablePrimArray, newPrimArray, readPrimArray, writePrimArray)
import qualified Data.Vector as V
import Data.Word (Word64)
import GHC.Float (castWord64ToDouble)
import Hashwell.Number (expm1, exponential, ln, log1p, unitPositive)
import qualified Hashwell.Number as N
import Hashwell.Random.Words (Words (..))
import Hashwell.Sampling.Below (belowLemire, belowWord)
import Hashwell.Sampling.Gap (gapOf)
import qualified Hashwell.Sampling.Heap as Heap
import Hashwell.Sampling.Slots

-- | A sampler in a monad: how it reads a row, its initial state, and the sample of a state. It reads rows of one type and
-- selects values of another. The fields are those of @FoldM@ in the package @foldl@.
data Sampler m row a = forall s. Sampler (s -> row -> m s) (m s) (s -> m (V.Vector a))

-- | Draws the sample of a collection, which is read once.
sampleFrom :: (Foldable f, Monad m) => Sampler m row a -> f row -> m (V.Vector a)
sampleFrom (Sampler step begin end) rows = begin >>= \s -> foldr next end rows $! s
  where
    next row continue s = step s row >>= \s' -> continue $! s'
{-# INLINE sampleFrom #-}

-- | The slots, the number of rows seen, and the index of the next row that enters the sample.
data Counted s a = Counted !(Slots s a) !(MutablePrimArray s Int)

counted :: PrimMonad m => m (Counted (PrimState m) a)
counted = do
  slots <- new
  numbers <- newPrimArray 2
  writePrimArray numbers 0 0
  writePrimArray numbers 1 0
  pure (Counted slots numbers)

taken :: PrimMonad m => Int -> Counted (PrimState m) a -> m (V.Vector a)
taken k (Counted slots numbers) = readPrimArray numbers 0 >>= freeze slots . min k

-- | Algorithm R (Waterman; Knuth 3.4.2, exercise 10). For row i, counted from 1, a slot j with 0 <= j < i is drawn; the
-- row replaces the row in slot j if there is such a slot. It consumes one random number for each row after the first k,
-- plus those that Lemire's method rejects. The same random numbers give the same rows as @AlgorithmR@ in Rust.
algorithmR :: (PrimMonad m, Words g m) => Int -> g -> Sampler m a a
algorithmR size gen = Sampler step counted (taken k)
  where
    !k = max 0 size
    step state@(Counted slots numbers) x = do
      t <- readPrimArray numbers 0
      writePrimArray numbers 0 (t + 1)
      if t < k
        then state <$ put slots t x
        else
          if k == 0
            then pure state
            else do
              j <- belowLemire (fromIntegral t + 1) gen
              if j < fromIntegral k then state <$ put slots (fromIntegral j) x else pure state
    {-# INLINE step #-}
{-# INLINE algorithmR #-}

-- | The common part of the samplers that skip rows. When the slots are full, and after each row that enters, @skip@
-- draws the number of rows to skip, using the state of its rule.
skipping
  :: (PrimMonad m, Words g m)
  => Int
  -> g
  -> m r
  -> (r -> Int -> m Int)
  -> Sampler m a a
skipping size gen begin skip = Sampler step ((,) <$> counted <*> begin) (taken k . fst)
  where
    !k = max 0 size
    step state@(Counted slots numbers, rule) x = do
      t <- readPrimArray numbers 0
      next <- readPrimArray numbers 1
      writePrimArray numbers 0 (t + 1)
      if t < next
        then pure state
        else do
          state <$ enter slots numbers rule t x
    {-# INLINE step #-}
    enter slots numbers rule t x
      | k == 0 = writePrimArray numbers 1 maxBound
      | t < k - 1 = put slots t x >> writePrimArray numbers 1 (t + 1)
      | otherwise = do
          slot <- if t < k then pure t else fromIntegral <$> belowWord (fromIntegral k) gen
          put slots slot x
          passed <- skip rule (t + 1)
          writePrimArray numbers 1 (t + 1 + min passed (maxBound - t - 1))
    {-# NOINLINE enter #-}
{-# INLINE skipping #-}

-- | A reservoir with exact skips: the method @gap@ of hwdraw\/1. The number of rows to skip is computed with
-- integers, so the same random numbers select the same rows in every language. It consumes one random number when the
-- slots are full, and two for each later row that enters (about k · ln(n \/ k) rows), plus rejected ones. A row that
-- does not enter costs one comparison.
gap :: (PrimMonad m, Words g m) => Int -> g -> Sampler m a a
gap size gen = skipping size gen (pure ()) (\() t -> gapOf (max 0 size) t <$> word64 gen)
{-# INLINE gap #-}

-- | Algorithm L (Li 1994), in floating point. It is slightly faster than 'gap' for large k. It consumes three random
-- numbers for each row that enters. Other languages may select different rows.
algorithmL :: (PrimMonad m, Words g m) => Int -> g -> Sampler m a a
algorithmL size gen = skipping size gen (newMutVar 0) rule
  where
    rule w _ = do
      before <- readMutVar w
      shrunk <- (\word -> before - exponential word / fromIntegral size) <$> word64 gen
      writeMutVar w shrunk
      -- ln U / ln(1 - W). If W is too small for a double, the skip is infinite.
      passed <- (\word -> exponential word / negate (log1p (negate (N.exp shrunk)))) <$> word64 gen
      pure (if passed < 9.0e18 then truncate (passed :: Double) else maxBound)
{-# INLINE algorithmL #-}

-- | The exception for a weight that is negative, infinite or NaN.
newtype InvalidWeight = InvalidWeight Double
  deriving (Eq, Show)

instance Exception InvalidWeight

-- | The state of A-ExpJ: the slots; the keys ln(E \/ w) with their slots; and three numbers: the scaled weight to
-- skip, the scaled weight skipped so far, and the scale.
data Jumps s a = Jumps !(Slots s a) !(MutVar s Heap.Heap) !(MutablePrimArray s Double)

-- | Weighted sampling without replacement: A-ExpJ (Efraimidis and Spirakis 2006, section 4). Each row arrives after
-- an exponentially distributed time divided by its weight, and the k earliest rows are the sample. This is successive
-- sampling: the probability to be in the sample is /not/ proportional to the weight. Rows of weight 0 are never
-- selected. After the first k rows, about k · ln(n \/ k) rows enter, with two random numbers each. Every other row
-- costs an addition. Weights can range from 1e-300 to 1e300.
--
-- Throws 'InvalidWeight' if a weight is negative, infinite or NaN.
jumps :: (PrimMonad m, Words g m) => Int -> g -> Sampler m (Double, a) a
jumps size gen = Sampler step begin end
  where
    !k = max 0 size
    begin = do
      numbers <- newPrimArray 3
      mapM_ (\(i, x) -> writePrimArray numbers i x) [(0, -1), (1, 0), (2, 1)]
      Jumps <$> new <*> newMutVar Heap.empty <*> pure numbers
    end (Jumps slots queue _) = readMutVar queue >>= freeze slots . Heap.size
    step state@(Jumps _ _ numbers) (!weight, x) = do
      left <- readPrimArray numbers 0
      passed <- readPrimArray numbers 1
      scale <- readPrimArray numbers 2
      let sum' = passed + weight * scale
      if weight >= 0 && sum' <= left
        then state <$ writePrimArray numbers 1 sum'
        else state <$ enter state weight x
    {-# INLINE step #-}
    -- Until the slots are full, the weight to skip is -1, so every row comes here.
    enter (Jumps slots queue numbers) weight x
      | isNaN weight || isInfinite weight || weight < 0 = throw (InvalidWeight weight)
      | weight == 0 || k == 0 = pure ()
      | otherwise = do
          keys <- readMutVar queue
          w <- word64 gen
          let full = Heap.size keys >= k
              (latest, oldest) = Heap.greatest keys
              slot = if full then oldest else Heap.size keys
              key = if full then earlier latest weight w else ln (exponential w) - ln weight
              kept = Heap.insert key slot (if full then Heap.withoutGreatest keys else keys)
          put slots slot x
          writeMutVar queue kept
          if Heap.size kept < k then pure () else jump numbers (fst (Heap.greatest kept))
    {-# NOINLINE enter #-}
    jump numbers latest = do
      w <- word64 gen
      let twos = max (-1000) (min 1000 (round (latest * 1.4426950408889634))) :: Int
      writePrimArray numbers 0 (N.exp (ln (exponential w) + 0.6931471805599453 * fromIntegral twos - latest))
      writePrimArray numbers 1 0
      writePrimArray numbers 2 (castWord64ToDouble (fromIntegral (twos + 1023) `shiftL` 52))
{-# INLINE jumps #-}

-- | Draws the key ln(E \/ w) of a row that arrives before the latest one, whose key ln T is the first argument. E is
-- exponentially distributed, conditioned on E < T · w.
earlier :: Double -> Double -> Word64 -> Double
earlier latest weight word
  | bound < 1.0e-9 = ln u + latest
  | otherwise = min latest (ln (negate (log1p (u * expm1 (negate bound)))) - ln weight)
  where
    u = unitPositive word
    bound = N.exp (latest + ln weight)
