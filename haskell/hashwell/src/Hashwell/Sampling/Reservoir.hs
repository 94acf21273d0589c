-- | Slots that grow as they are filled, so that a size that nobody meant costs nothing.
module Hashwell.Sampling.Reservoir
  ( Reservoir
  , new
  , put
  , freeze
  ) where

import Control.Monad (when)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import qualified Data.Vector as V
import qualified Data.Vector.Mutable as M

-- | So many slots of values, those with the lowest numbers taken.
newtype Reservoir s a = Reservoir (MutVar s (M.MVector s a))

new :: PrimMonad m => m (Reservoir (PrimState m) a)
new = M.new 16 >>= fmap Reservoir . newMutVar

-- | Puts a value into a slot: one that is taken, or the first that is free.
put :: PrimMonad m => Reservoir (PrimState m) a -> Int -> a -> m ()
put (Reservoir var) slot value = do
  slots <- readMutVar var
  when (slot >= M.length slots) (M.grow slots (M.length slots) >>= writeMutVar var)
  grown <- readMutVar var
  M.write grown slot value

-- | The first so many values.
freeze :: PrimMonad m => Reservoir (PrimState m) a -> Int -> m (V.Vector a)
freeze (Reservoir var) taken = readMutVar var >>= V.freeze . M.take taken
