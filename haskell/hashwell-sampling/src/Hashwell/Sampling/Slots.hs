-- | Slots that grow while they are filled, so a size that is too large by mistake costs no memory.
module Hashwell.Sampling.Slots
  ( Slots
  , new
  , put
  , freeze
  ) where

import Control.Monad (when)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import qualified Data.Vector as V
import qualified Data.Vector.Mutable as M

-- | An array of slots. The slots with the lowest numbers are filled first.
newtype Slots s a = Slots (MutVar s (M.MVector s a))

new :: PrimMonad m => m (Slots (PrimState m) a)
new = M.new 16 >>= fmap Slots . newMutVar

-- | Stores a value in a slot: one that is filled, or the first free one.
put :: PrimMonad m => Slots (PrimState m) a -> Int -> a -> m ()
put (Slots var) slot value = do
  slots <- readMutVar var
  when (slot >= M.length slots) (M.grow slots (M.length slots) >>= writeMutVar var)
  grown <- readMutVar var
  M.write grown slot value

-- | Returns the first values.
freeze :: PrimMonad m => Slots (PrimState m) a -> Int -> m (V.Vector a)
freeze (Slots var) taken = readMutVar var >>= V.freeze . M.take taken
