-- | Reservoir sampling: samples of streams of unknown length, as folds of the package @foldl@. They read the stream
-- once and need memory only for the sample. Combine several folds with '<*>' to run them in the same pass.
--
-- >>> import qualified Control.Foldl as L
-- >>> import Hashwell.Random.Words (newTape)
-- >>> tape <- newTape [2 ^ 63, 0, 2 ^ 62, 1, 0, 0]
-- >>> L.foldM (algorithmR 2 tape) "abcd"
-- "dc"
--
-- "Hashwell.Sampling.Reservoir" has the same samplers for every 'Foldable', without a dependency on @foldl@. Its
-- documentation says how many random numbers each of them consumes.
module Hashwell.Sampling
  ( -- * Equal probabilities
    algorithmR
  , algorithmL
  , gap
    -- * Weights
  , jumps
  , InvalidWeight (..)
  ) where

import Control.Foldl (FoldM (..))
import Control.Monad.Primitive (PrimMonad)
import Data.Vector (Vector)
import Hashwell.Random.Words (Words)
import Hashwell.Sampling.Reservoir (InvalidWeight (..), Sampler (..))
import qualified Hashwell.Sampling.Reservoir as Reservoir

folding :: Sampler m row a -> FoldM m row (Vector a)
folding (Sampler step begin end) = FoldM step begin end
{-# INLINE folding #-}

-- | Algorithm R, from the size of the sample and the random source.
algorithmR :: (PrimMonad m, Words g m) => Int -> g -> FoldM m a (Vector a)
algorithmR size gen = folding (Reservoir.algorithmR size gen)
{-# INLINE algorithmR #-}

-- | Algorithm L, in floating point. Other languages may select different rows.
algorithmL :: (PrimMonad m, Words g m) => Int -> g -> FoldM m a (Vector a)
algorithmL size gen = folding (Reservoir.algorithmL size gen)
{-# INLINE algorithmL #-}

-- | A reservoir with exact skips: the method @gap@ of hwdraw\/1. The same random numbers select the same rows in every
-- language.
gap :: (PrimMonad m, Words g m) => Int -> g -> FoldM m a (Vector a)
gap size gen = folding (Reservoir.gap size gen)
{-# INLINE gap #-}

-- | Weighted sampling without replacement: A-ExpJ. Throws 'InvalidWeight' if a weight is negative, infinite or NaN.
jumps :: (PrimMonad m, Words g m) => Int -> g -> FoldM m (Double, a) (Vector a)
jumps size gen = folding (Reservoir.jumps size gen)
{-# INLINE jumps #-}
