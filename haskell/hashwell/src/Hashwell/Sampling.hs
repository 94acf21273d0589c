{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}

-- |
-- Samples of streams whose length nobody knows, as folds of the package @foldl@: one pass, memory of the sample's size,
-- and several of them at once if they are combined with '<*>'.
--
-- >>> import qualified Control.Foldl as L
-- >>> import Hashwell.Random.Words (newTape)
-- >>> tape <- newTape [2 ^ 63, 0, 2 ^ 62, 1, 0, 0]
-- >>> L.foldM (algorithmR 2 tape) "abcd"
-- "dc"
--
-- Each gives every set of k of n rows with the same chance, 'jumps' apart; which order the sample has is not promised.
-- With fewer rows than k all of them are the sample. A k below 0 is 0.
module Hashwell.Sampling
  ( -- * Equal chances
    algorithmR
  , algorithmL
  , gap
    -- * Weights
  , jumps
  , InvalidWeight (..)
  ) where

import Control.Exception (Exception, throw)
import Control.Foldl (FoldM (..))
import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import Data.Primitive.PrimArray (MutablePrimArray, newPrimArray, readPrimArray, writePrimArray)
import qualified Data.Set as Set
import qualified Data.Vector as V
import Data.Word (Word64)
import GHC.Float (castWord64ToDouble)
import Data.Bits (shiftL)
import Hashwell.Number (expm1, exponential, ln, log1p, unitPositive)
import qualified Hashwell.Number as N
import Hashwell.Random.Words (Words (..))
import Hashwell.Sampling.Below (belowLemire, belowWord)
import Hashwell.Sampling.Gap (gapOf)
import Hashwell.Sampling.Reservoir

-- | Rows seen, and the number of the next row that enters, beside the slots.
data Counted s a = Counted !(Reservoir s a) !(MutablePrimArray s Int)

counted :: PrimMonad m => m (Counted (PrimState m) a)
counted = do
  slots <- new
  numbers <- newPrimArray 2
  writePrimArray numbers 0 0
  writePrimArray numbers 1 0
  pure (Counted slots numbers)

taken :: PrimMonad m => Int -> Counted (PrimState m) a -> m (V.Vector a)
taken k (Counted slots numbers) = readPrimArray numbers 0 >>= freeze slots . min k

-- | Algorithm R (Waterman; Knuth 3.4.2, exercise 10): row number i, counted from 1, takes slot j of 0 <= j < i, if
-- there is such a slot. One word for each row after the first k, and those that Lemire's rule refuses; the same rows
-- from the same words as the engine's @AlgorithmR@.
algorithmR :: (PrimMonad m, Words g m) => Int -> g -> FoldM m a (V.Vector a)
algorithmR size gen = FoldM step counted (taken k)
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

-- | What skips have in common: how many rows pass is drawn when the slots are full and after each row that enters, from
-- what else the rule remembers.
skipping
  :: (PrimMonad m, Words g m)
  => Int
  -> g
  -> m r
  -> (r -> Int -> m Int)
  -> FoldM m a (V.Vector a)
skipping size gen begin skip = FoldM step ((,) <$> counted <*> begin) (taken k . fst)
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

-- | A reservoir with exact gaps, hwdraw\/1's method @gap@: how many rows pass is decided by whole numbers, so that the
-- same words pick the same rows in every language. One word when the slots are full, two for each row that enters after
-- that (k · ln(n \/ k) rows, about), and those that are refused; a row that does not enter costs a comparison.
gap :: (PrimMonad m, Words g m) => Int -> g -> FoldM m a (V.Vector a)
gap size gen = skipping size gen (pure ()) (\() t -> gapOf (max 0 size) t <$> word64 gen)
{-# INLINE gap #-}

-- | Algorithm L (Li 1994), in floats: a little quicker than 'gap' where k is large. Three words for each row that
-- enters. No other language needs to agree.
algorithmL :: (PrimMonad m, Words g m) => Int -> g -> FoldM m a (V.Vector a)
algorithmL size gen = skipping size gen (newMutVar 0) rule
  where
    rule w _ = do
      before <- readMutVar w
      shrunk <- (\word -> before - exponential word / fromIntegral size) <$> word64 gen
      writeMutVar w shrunk
      -- ln U / ln(1 - W); the gap is endless where W is below what a float can tell from nothing.
      passed <- (\word -> exponential word / negate (log1p (negate (N.exp shrunk)))) <$> word64 gen
      pure (if passed < 9.0e18 then truncate (passed :: Double) else maxBound)
{-# INLINE algorithmL #-}

-- | A weight that is negative, infinite or not a number.
newtype InvalidWeight = InvalidWeight Double
  deriving (Eq, Show)

instance Exception InvalidWeight

-- | What A-ExpJ remembers: the slots; how many are taken, and rows with a weight among them; keys ln(E \/ w) with their
-- slots; the scaled weight to pass over, that passed so far, and the scale.
data Jumps s a = Jumps !(Reservoir s a) !(MutVar s (Set.Set (Double, Int))) !(MutablePrimArray s Double)

-- | Successive sampling by weight: A-ExpJ (Efraimidis and Spirakis 2006, section 4) as a race, in which a row arrives
-- after an exponential time divided by its weight, and the k earliest are the sample. Rows of weight 0 never enter; the
-- chance to be in the sample is /not/ proportional to the weight. About k · ln(n \/ k) rows enter after the first k,
-- with two words each; the others cost an addition. Weights from 1e-300 to 1e300 may stand side by side.
--
-- Throws 'InvalidWeight'.
jumps :: (PrimMonad m, Words g m) => Int -> g -> FoldM m (Double, a) (V.Vector a)
jumps size gen = FoldM step begin end
  where
    !k = max 0 size
    begin = do
      numbers <- newPrimArray 3
      mapM_ (\(i, x) -> writePrimArray numbers i x) [(0, -1), (1, 0), (2, 1)]
      Jumps <$> new <*> newMutVar Set.empty <*> pure numbers
    end (Jumps slots queue _) = readMutVar queue >>= freeze slots . Set.size
    step state@(Jumps _ _ numbers) (!weight, x) = do
      left <- readPrimArray numbers 0
      passed <- readPrimArray numbers 1
      scale <- readPrimArray numbers 2
      let sum' = passed + weight * scale
      if weight >= 0 && sum' <= left
        then state <$ writePrimArray numbers 1 sum'
        else state <$ enter state weight x
    {-# INLINE step #-}
    -- Before the slots are full what is left is -1, so that every row comes here.
    enter (Jumps slots queue numbers) weight x
      | isNaN weight || isInfinite weight || weight < 0 = throw (InvalidWeight weight)
      | weight == 0 || k == 0 = pure ()
      | otherwise = do
          keys <- readMutVar queue
          w <- word64 gen
          let full = Set.size keys >= k
              (latest, oldest) = Set.findMax keys
              slot = if full then oldest else Set.size keys
              key = if full then earlier latest weight w else ln (exponential w) - ln weight
              kept = Set.insert (key, slot) (if full then Set.deleteMax keys else keys)
          put slots slot x
          writeMutVar queue kept
          if Set.size kept < k then pure () else jump numbers (fst (Set.findMax kept))
    {-# NOINLINE enter #-}
    jump numbers latest = do
      w <- word64 gen
      let twos = max (-1000) (min 1000 (round (latest * 1.4426950408889634))) :: Int
      writePrimArray numbers 0 (N.exp (ln (exponential w) + 0.6931471805599453 * fromIntegral twos - latest))
      writePrimArray numbers 1 0
      writePrimArray numbers 2 (castWord64ToDouble (fromIntegral (twos + 1023) `shiftL` 52))
{-# INLINE jumps #-}

-- | ln(E \/ w) of a row that arrives before the latest one, whose key is given: E is exponential, given that it is less
-- than T · w.
earlier :: Double -> Double -> Word64 -> Double
earlier latest weight word
  | bound < 1.0e-9 = ln u + latest
  | otherwise = min latest (ln (negate (log1p (u * expm1 (negate bound)))) - ln weight)
  where
    u = unitPositive word
    bound = N.exp (latest + ln weight)
