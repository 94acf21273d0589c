-- |
-- A hash that absorbs, in memory of the collector's.
module Hashwell.Internal.Hasher
  ( Hasher (..)
  , newHasher
  , newHasherWith
  , update
  , updateLazy
  , finalize
  , clone
  , wipe
  , appendTo
  , appendLazyTo
  , thrown
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import Foreign.C.Types (CInt)
import Hashwell.Error (Error, check, fromCode)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Layout (hashSize)
import Hashwell.Internal.Memory
import Hashwell.Internal.Params
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.State

-- | A hash in the middle of a message: plain data in pinned memory, which the collector frees.
newtype Hasher s = Hasher (State s)

-- | Begins a message.
newHasher :: PrimMonad m => Algorithm -> m (Hasher (PrimState m))
newHasher a = newHasherWith a plain >>= either (error . show) pure

-- | Begins a message, with parameters.
newHasherWith :: PrimMonad m => Algorithm -> Params -> m (Either Error (Hasher (PrimState m)))
newHasherWith (Algorithm n) params = do
  state <- newState hashSize
  code <- withState state (\h -> withParams params (long (paramsLength params) c_hash_init c_hash_init_safe h n))
  pure (maybe (Right (Hasher state)) Left (fromCode code))

-- | Appends to the message, in pieces of any length. One call of the engine: an asynchronous exception comes before it
-- or after it.
update :: PrimMonad m => Hasher (PrimState m) -> ByteString -> m ()
update (Hasher state) = appendTo c_hash_update c_hash_update_safe state

-- | Appends a lazy byte string, chunk by chunk. Should one of its chunks throw, the chunks before it were appended.
updateLazy :: PrimMonad m => Hasher (PrimState m) -> BL.ByteString -> m ()
updateLazy (Hasher state) = appendLazyTo c_hash_update c_hash_update_safe state

-- | The digest of the message so far. More may follow.
finalize :: PrimMonad m => Hasher (PrimState m) -> m ByteString
finalize (Hasher state) = withState state $ \h -> do
  len <- c_hash_output_len h
  BI.create (fromIntegral len) (\out -> c_hash_final h out len >>= check)

-- | Another hash that goes on from the same point.
clone :: PrimMonad m => Hasher (PrimState m) -> m (Hasher (PrimState m))
clone (Hasher state) = Hasher <$> cloneState state

-- | Overwrites the hash's memory. What is done with it after that throws 'Hashwell.Error.Wiped'.
wipe :: PrimMonad m => Hasher (PrimState m) -> m ()
wipe (Hasher state) = withState state c_hash_wipe

-- | Appends to a state of any kind, by its two functions.
appendTo :: PrimMonad m => Step -> Step -> State (PrimState m) -> ByteString -> m ()
appendTo short safe state bytes =
  thrown state $ \h -> withBytes bytes (long (B.length bytes) short safe h)
{-# INLINE appendTo #-}

-- | The same with every chunk of a lazy byte string.
appendLazyTo :: PrimMonad m => Step -> Step -> State (PrimState m) -> BL.ByteString -> m ()
appendLazyTo short safe state = mapM_ (appendTo short safe state) . BL.toChunks

-- | A call whose only error is a state that was wiped, which is thrown.
thrown :: PrimMonad m => State (PrimState m) -> (Handle -> IO CInt) -> m ()
thrown state call = withState state (\h -> call h >>= check)
{-# INLINE thrown #-}
