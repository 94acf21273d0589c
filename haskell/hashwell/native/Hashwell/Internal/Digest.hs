-- | Digests and tags of strict and lazy byte strings, for an algorithm's number and digest size. The modules
-- @Crypto.Hash.*@ and "Hashwell.Hash" share these functions.
module Hashwell.Internal.Digest
  ( digest
  , digestLazy
  , tag
  , tagLazy
  , absorb
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import qualified Data.ByteString.Lazy.Internal as BLI
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Ptr (nullPtr)
import Hashwell.Error (check)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Layout
import Hashwell.Internal.Memory

-- | Computes the digest of a message with this size in bytes.
digest :: Number -> Int -> ByteString -> ByteString
digest number len message = BI.unsafeCreate len $ \out ->
  withBytes message $ \p n ->
    long (fromIntegral n + len) c_hash c_hash_safe number p n out (fromIntegral len) >>= check

-- | Computes the digest of a lazy message, chunk by chunk in constant memory.
digestLazy :: Number -> Int -> BL.ByteString -> ByteString
digestLazy number len (BLI.Chunk c BLI.Empty) = digest number len c
digestLazy number len message = BI.unsafeCreate len $ \out ->
  allocaBytesAligned hashSize stateAlign $ \state -> do
    check =<< c_hash_init state number nullPtr
    absorb c_hash_update c_hash_update_safe state message
    check =<< long len c_hash_final c_hash_final_safe state out (fromIntegral len)

-- | Computes the HMAC tag with this size in bytes, from a key and a message.
tag :: Number -> Int -> ByteString -> ByteString -> ByteString
tag number len key message = BI.unsafeCreate len $ \out ->
  withBytes key $ \k kn -> withBytes message $ \p n ->
    long (fromIntegral (n + kn)) c_hmac c_hmac_safe number k kn p n out (fromIntegral len) >>= check

-- | Computes the HMAC tag of a lazy message in constant memory.
tagLazy :: Number -> Int -> ByteString -> BL.ByteString -> ByteString
tagLazy number len key (BLI.Chunk c BLI.Empty) = tag number len key c
tagLazy number len key message = BI.unsafeCreate len $ \out ->
  allocaBytesAligned hmacSize stateAlign $ \state -> do
    withBytes key (\k kn -> long (fromIntegral kn) c_hmac_init c_hmac_init_safe state number k kn) >>= check
    absorb c_hmac_update c_hmac_update_safe state message
    check =<< c_hmac_final state out (fromIntegral len)

-- | Appends a lazy byte string to a state, chunk by chunk, with the @unsafe@ function or, for long chunks, the @safe@
-- one.
absorb :: Step -> Step -> Handle -> BL.ByteString -> IO ()
absorb short safe state = go
  where
    go BLI.Empty = pure ()
    go (BLI.Chunk c rest) = withBytes c (\p n -> long (fromIntegral n) short safe state p n) >>= check >> go rest
