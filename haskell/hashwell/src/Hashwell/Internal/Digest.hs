-- |
-- One-shot digests and tags of strict and lazy byte strings, by number and length: what the modules @Crypto.Hash.*@
-- and "Hashwell.Hash" have in common.
module Hashwell.Internal.Digest
  ( digest
  , digestLazy
  , tag
  , tagLazy
  , absorb
  , longCall
  , withBytes
  , stateAlign
  , hashSize
  , hmacSize
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import qualified Data.ByteString.Lazy.Internal as BLI
import qualified Data.ByteString.Unsafe as BU
import Data.Word (Word8)
import Foreign.C.Types (CInt, CSize)
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Ptr (Ptr, castPtr, nullPtr)
import Hashwell.Error (check)
import Hashwell.Internal.Foreign

-- | From so many bytes on a call is a @safe@ one.
longCall :: Int
longCall = 65536

-- | @HW_STATE_ALIGN@, @HW_HASH_SIZE@ and @HW_HMAC_SIZE@.
stateAlign, hashSize, hmacSize :: Int
stateAlign = 16
hashSize = 2432
hmacSize = 3200

-- | The memory of a byte string, while the action runs.
withBytes :: ByteString -> (Ptr Word8 -> CSize -> IO a) -> IO a
withBytes b act = BU.unsafeUseAsCStringLen b (\(p, n) -> act (castPtr p) (fromIntegral n))
{-# INLINE withBytes #-}

-- | The digest, of so many bytes, of a message.
digest :: Number -> Int -> ByteString -> ByteString
digest number len message = BI.unsafeCreate len $ \out ->
  withBytes message $ \p n ->
    (if fromIntegral n + len < longCall then c_hash else c_hash_safe) number p n out (fromIntegral len) >>= check

-- | The same of a lazy one, chunk by chunk in constant memory.
digestLazy :: Number -> Int -> BL.ByteString -> ByteString
digestLazy number len (BLI.Chunk c BLI.Empty) = digest number len c
digestLazy number len message = BI.unsafeCreate len $ \out ->
  allocaBytesAligned hashSize stateAlign $ \state -> do
    check =<< c_hash_init state number nullPtr
    absorb c_hash_update c_hash_update_safe state message
    check =<< c_hash_final state out (fromIntegral len)

-- | The HMAC tag, of so many bytes, of a message under a key.
tag :: Number -> Int -> ByteString -> ByteString -> ByteString
tag number len key message = BI.unsafeCreate len $ \out ->
  withBytes key $ \k kn -> withBytes message $ \p n ->
    (if fromIntegral (n + kn) < longCall then c_hmac else c_hmac_safe) number k kn p n out (fromIntegral len) >>= check

-- | The same of a lazy message.
tagLazy :: Number -> Int -> ByteString -> BL.ByteString -> ByteString
tagLazy number len key (BLI.Chunk c BLI.Empty) = tag number len key c
tagLazy number len key message = BI.unsafeCreate len $ \out ->
  allocaBytesAligned hmacSize stateAlign $ \state -> do
    withBytes key $ \k kn -> c_hmac_init state number k kn >>= check
    absorb c_hmac_update c_hmac_update_safe state message
    check =<< c_hmac_final state out (fromIntegral len)

-- | Appends a lazy byte string to a state, chunk by chunk.
absorb :: Update -> Update -> State -> BL.ByteString -> IO ()
absorb short long state = go
  where
    go BLI.Empty = pure ()
    go (BLI.Chunk c rest) = withBytes c (\p n -> step n state p n) >>= check >> go rest
    step n = if (fromIntegral n :: Int) < longCall then short else long :: State -> Ptr Word8 -> CSize -> IO CInt
