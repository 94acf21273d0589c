-- |
-- A hash in progress, in memory of the garbage collector.
module Hashwell.Internal.Hasher
  ( Hasher (..)
  , newHasher
  , newHasherWith
  , update
  , updateLazy
  , finalize
  , clone
  , wipe
  , toBytes
  , fromBytes
  , algorithm
  , messageLen
  , appendTo
  , appendLazyTo
  , thrown
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import Data.Word (Word64)
import Foreign.C.Types (CInt)
import Foreign.Marshal.Alloc (alloca)
import Foreign.Storable (peek)
import Hashwell.Error (Error, check, fromCode)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Layout (hashExportMax, hashSize)
import Hashwell.Internal.Memory
import Hashwell.Internal.Params
import Hashwell.Internal.ParamsStruct (withParams)
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.State

-- | A hash in progress, in pinned memory that the garbage collector frees.
newtype Hasher s = Hasher (State s)

-- | Creates a hash in progress.
newHasher :: PrimMonad m => Algorithm -> m (Hasher (PrimState m))
newHasher a = newHasherWith a plain >>= either (error . show) pure

-- | Creates a hash in progress with parameters.
newHasherWith :: PrimMonad m => Algorithm -> Params -> m (Either Error (Hasher (PrimState m)))
newHasherWith (Algorithm n) params = do
  state <- newState hashSize
  code <- withState state (\h -> withParams params (long (paramsLength params) c_hash_init c_hash_init_safe h n))
  pure (maybe (Right (Hasher state)) Left (fromCode code))

-- | Appends to the message. This is a single call of the C library, so an asynchronous exception can't interrupt it.
update :: PrimMonad m => Hasher (PrimState m) -> ByteString -> m ()
update (Hasher state) = appendTo c_hash_update c_hash_update_safe state

-- | Appends a lazy byte string, chunk by chunk. If evaluating a chunk throws, the chunks before it have been appended.
updateLazy :: PrimMonad m => Hasher (PrimState m) -> BL.ByteString -> m ()
updateLazy (Hasher state) = appendLazyTo c_hash_update c_hash_update_safe state

-- | Computes the digest of the message so far. You can append more afterwards.
finalize :: PrimMonad m => Hasher (PrimState m) -> m ByteString
finalize (Hasher state) = withState state $ \h -> do
  len <- c_hash_output_len h
  BI.create (fromIntegral len) (\out -> c_hash_final h out len >>= check)

-- | Creates an independent copy.
clone :: PrimMonad m => Hasher (PrimState m) -> m (Hasher (PrimState m))
clone (Hasher state) = Hasher <$> cloneState state

-- | Overwrites the memory of the hash. Later operations on it throw 'Hashwell.Error.Wiped'.
wipe :: PrimMonad m => Hasher (PrimState m) -> m ()
wipe (Hasher state) = withState state c_hash_wipe

-- | Returns the state as bytes, from which 'fromBytes' continues in any process or language. The bytes are as secret as
-- the message. Returns 'Hashwell.Error.Unsupported' if the hash was created with a key or any other parameter than
-- 'outputLength'.
toBytes :: PrimMonad m => Hasher (PrimState m) -> m (Either Error ByteString)
toBytes (Hasher state) = withState state $ \h -> alloca $ \written -> do
  (bytes, code) <- BI.createUptoN' hashExportMax $ \out -> do
    code <- c_hash_export h out (fromIntegral hashExportMax) written
    len <- if code == 0 then fromIntegral <$> peek written else pure 0
    pure (len, code)
  pure (maybe (Right bytes) Left (fromCode code))

-- | Continues a hash that 'toBytes', or hashwell in another language, has saved. Returns 'Hashwell.Error.BadState' if the
-- bytes are not a saved state, or not one that a message of this length can produce.
fromBytes :: PrimMonad m => ByteString -> m (Either Error (Hasher (PrimState m)))
fromBytes saved = do
  state <- newState hashSize
  code <- withState state (\h -> withBytes saved (long (B.length saved) c_hash_import c_hash_import_safe h))
  pure (maybe (Right (Hasher state)) Left (fromCode code))

-- | The algorithm of a hash in progress.
algorithm :: PrimMonad m => Hasher (PrimState m) -> m Algorithm
algorithm (Hasher state) = Algorithm <$> withState state c_hash_algorithm

-- | The number of message bytes so far: the position at which to continue a saved hash.
messageLen :: PrimMonad m => Hasher (PrimState m) -> m Word64
messageLen (Hasher state) = withState state c_hash_message_len

-- | Appends to a state of any type, with its two update functions.
appendTo :: PrimMonad m => Step -> Step -> State (PrimState m) -> ByteString -> m ()
appendTo short safe state bytes =
  thrown state $ \h -> withBytes bytes (long (B.length bytes) short safe h)
{-# INLINE appendTo #-}

-- | Appends every chunk of a lazy byte string to a state of any type.
appendLazyTo :: PrimMonad m => Step -> Step -> State (PrimState m) -> BL.ByteString -> m ()
appendLazyTo short safe state = mapM_ (appendTo short safe state) . BL.toChunks

-- | Runs a call that fails only for a wiped state, and throws that error.
thrown :: PrimMonad m => State (PrimState m) -> (Handle -> IO CInt) -> m ()
thrown state call = withState state (\h -> call h >>= check)
{-# INLINE thrown #-}
