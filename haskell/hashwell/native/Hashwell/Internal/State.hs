-- | States of the C library in pinned, aligned memory of the garbage collector. They are plain data: they don't have
-- to be freed, and a copy of the bytes is a clone.
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

-- | A mutable state, in the state thread of a monad.
newtype State s = State (MutableByteArray s)

-- | An immutable state.
newtype Frozen = Frozen ByteArray

-- | Allocates uninitialized memory of this size in bytes.
newState :: PrimMonad m => Int -> m (State (PrimState m))
newState size = State <$> newAlignedPinnedByteArray size stateAlign
{-# INLINE newState #-}

-- | Runs an action with the address of a state. The action must be a single foreign call or be masked, so that an
-- asynchronous exception can't interrupt it.
withState :: PrimMonad m => State (PrimState m) -> (Ptr Word8 -> IO a) -> m a
withState (State array) act = do
  result <- unsafeIOToPrim (act (mutableByteArrayContents array))
  touch array
  pure result
{-# INLINE withState #-}

-- | Creates an independent copy.
cloneState :: PrimMonad m => State (PrimState m) -> m (State (PrimState m))
cloneState (State array) = do
  size <- getSizeofMutableByteArray array
  State copy <- newState size
  copyMutableByteArray copy 0 array 0 size
  pure (State copy)

-- | Converts a state for use in an action that runs later in the original state thread.
inIO :: State s -> State RealWorld
inIO = unsafeCoerce

-- | Creates an immutable copy.
freezeState :: PrimMonad m => State (PrimState m) -> m Frozen
freezeState state = cloneState state >>= unsafeFrozen

-- | Creates a mutable copy.
thawState :: PrimMonad m => Frozen -> m (State (PrimState m))
thawState (Frozen array) = do
  let size = sizeofByteArray array
  State copy <- newState size
  copyByteArray copy 0 array 0 size
  pure (State copy)

-- | Converts a state to an immutable one without copying. Don't change the state afterwards.
unsafeFrozen :: PrimMonad m => State (PrimState m) -> m Frozen
unsafeFrozen (State array) = Frozen <$> unsafeFreezeByteArray array

-- | Converts an immutable state to a mutable one without copying. Only read from it.
unsafeThaw :: PrimMonad m => Frozen -> m (State (PrimState m))
unsafeThaw (Frozen array) = State <$> unsafeThawByteArray array
