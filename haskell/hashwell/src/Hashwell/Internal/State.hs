-- |
-- The engine's states in memory of the collector's: plain data, pinned and aligned. Nothing has to be freed, and a copy
-- of the bytes is a clone.
module Hashwell.Internal.State
  ( State
  , newState
  , withState
  , cloneState
  , inIO
  , Frozen
  , freezeState
  , thawState
  , unsafeFrozen
  , unsafeThaw
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState, RealWorld, touch, unsafeIOToPrim)
import Data.Primitive.ByteArray
import Data.Word (Word8)
import Foreign.Ptr (Ptr)
import Hashwell.Internal.Layout (stateAlign)
import Unsafe.Coerce (unsafeCoerce)

-- | A state that changes, in a monad's world.
newtype State s = State (MutableByteArray s)

-- | A state that does not change any more.
newtype Frozen = Frozen ByteArray

-- | Memory of so many bytes, not initialised.
newState :: PrimMonad m => Int -> m (State (PrimState m))
newState size = State <$> newAlignedPinnedByteArray size stateAlign
{-# INLINE newState #-}

-- | Its address, while the action runs. The action must be one call of the engine, or be masked: then no asynchronous
-- exception finds anything half done.
withState :: PrimMonad m => State (PrimState m) -> (Ptr Word8 -> IO a) -> m a
withState (State array) act = do
  result <- unsafeIOToPrim (act (mutableByteArrayContents array))
  touch array
  pure result
{-# INLINE withState #-}

-- | Another one that goes on from the same point.
cloneState :: PrimMonad m => State (PrimState m) -> m (State (PrimState m))
cloneState (State array) = do
  size <- getSizeofMutableByteArray array
  State copy <- newState size
  copyMutableByteArray copy 0 array 0 size
  pure (State copy)

-- | The same state, to be captured by an action that is run in its own world later.
inIO :: State s -> State RealWorld
inIO = unsafeCoerce

-- | A copy that stays as it is.
freezeState :: PrimMonad m => State (PrimState m) -> m Frozen
freezeState state = cloneState state >>= unsafeFrozen

-- | A copy that changes.
thawState :: PrimMonad m => Frozen -> m (State (PrimState m))
thawState (Frozen array) = do
  let size = sizeofByteArray array
  State copy <- newState size
  copyByteArray copy 0 array 0 size
  pure (State copy)

-- | The same memory as a value; the state must not be changed after that.
unsafeFrozen :: PrimMonad m => State (PrimState m) -> m Frozen
unsafeFrozen (State array) = Frozen <$> unsafeFreezeByteArray array

-- | The same memory to be read from; it must not be changed.
unsafeThaw :: PrimMonad m => Frozen -> m (State (PrimState m))
unsafeThaw (Frozen array) = State <$> unsafeThawByteArray array
