{-# LANGUAGE BangPatterns #-}

-- |
-- Messages of any length and HMAC for SHA-224 and SHA-256: FIPS 180-4 section 5.1.1, RFC 2104.
module Crypto.Hash.SHA256.Message
  ( Variant (..)
  , hash
  , hash_lazy
  , Context
  , start
  , feed
  , finish
  , Key
  , prepare
  , tag
  , tag_lazy
  , verify
  ) where

import Crypto.Hash.SHA256.Block
import Crypto.Hash.SHA256.Word (W)
import Data.Bits (unsafeShiftL, unsafeShiftR, xor, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import qualified Data.ByteString.Unsafe as BU
import Data.Word (Word8)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (peekByteOff, pokeByteOff)

-- | A hash function: its initial hash value and the length of its digest in bytes.
data Variant = Variant !State !Int

-- | A hash of a message that is not complete: the length of the digest, the hash value after all complete blocks, the
-- length of the message in bytes, and the bytes after the last complete block. It is immutable,
-- so you can continue the same hash with several different messages.
data Context = Context !Int !State !Int !ByteString

-- | A prepared HMAC key: the length of the tag and the hash values after the inner and the outer key block. It is as
-- secret as the key, so it isn't shown.
data Key = Key !Int !State !State

instance Show Key where
  show _ = "<key>"

-- | The address and the length of a byte string's memory.
access :: ByteString -> (Ptr Word8 -> Int -> IO a) -> a
access bytes act = BI.accursedUnutterablePerformIO (BU.unsafeUseAsCStringLen bytes (\(p, n) -> act (castPtr p) n))
{-# INLINE access #-}

-- | The hash value of a message whose first bytes have been hashed. The arguments are the hash value after these bytes,
-- their number (a multiple of the block size), and the address and the number of the remaining bytes.
absorb :: State -> Int -> Ptr Word8 -> Int -> IO State
absorb s before p n = do
  let whole = n `unsafeShiftR` 6
      used = 64 * whole
  pure $! padded (p `plusPtr` used) (n - used) (before + n) (blocks p whole s)

-- | The hash value after the last n < 64 bytes of a message and its padding.
padded :: Ptr Word8 -> Int -> Int -> State -> State
padded p n total s
  | n < 56 = compress (Block (w 0) (w 1) (w 2) (w 3) (w 4) (w 5) (w 6) (w 7)
      (w 8) (w 9) (w 10) (w 11) (w 12) (w 13) high bits) s
  | otherwise = compress (Block 0 0 0 0 0 0 0 0 0 0 0 0 0 0 high bits) (compress (blockOf (wordAt 0x80 p n)) s)
  where
    w = wordAt 0x80 p n
    high = fromIntegral (total `unsafeShiftR` 29)
    bits = fromIntegral (total `unsafeShiftL` 3)

-- | Word i of n bytes, of the byte @end@ and of zeros after that.
wordAt :: Word8 -> Ptr Word8 -> Int -> Int -> W
wordAt end p n i
  | left >= 4 = word p i
  | left == 3 = bytes (byte 0) (byte 1) (byte 2) end
  | left == 2 = bytes (byte 0) (byte 1) end 0
  | left == 1 = bytes (byte 0) end 0 0
  | left == 0 = bytes end 0 0 0
  | otherwise = 0
  where
    left = n - 4 * i
    byte j = BI.accursedUnutterablePerformIO (peekByteOff p (4 * i + j))
    bytes :: Word8 -> Word8 -> Word8 -> Word8 -> W
    bytes a b c d = at 24 a .|. at 16 b .|. at 8 c .|. at 0 d
    at shift x = fromIntegral x `unsafeShiftL` shift
{-# NOINLINE wordAt #-}

-- | The first bytes of a hash value.
output :: Int -> State -> ByteString
output len (State a b c d e f g h) = BU.unsafeTake len . BI.unsafeCreate 32 $ \p -> do
  let put i w = do
        pokeByteOff p i (byte 24) >> pokeByteOff p (i + 1) (byte 16)
        pokeByteOff p (i + 2) (byte 8) >> pokeByteOff p (i + 3) (byte 0)
        where byte shift = fromIntegral (w `unsafeShiftR` shift) :: Word8
  put 0 a >> put 4 b >> put 8 c >> put 12 d >> put 16 e >> put 20 f >> put 24 g >> put 28 h

-- | The digest of a strict byte string.
hash :: Variant -> ByteString -> ByteString
hash (Variant s len) message = output len (access message (absorb s 0))

-- | The digest of a lazy byte string, which is read once, chunk by chunk.
hash_lazy :: Variant -> BL.ByteString -> ByteString
hash_lazy variant = finish . BL.foldlChunks feed (start variant)

-- | The context of the empty message.
start :: Variant -> Context
start (Variant s len) = Context len s 0 B.empty

-- | Appends a piece to a message.
feed :: Context -> ByteString -> Context
feed (Context len s total waiting) piece
  | B.length bytes < 64 = Context len s total' (B.copy bytes)
  | B.null waiting = rest s piece
  | otherwise = rest (access (waiting <> B.take missing piece) (\p _ -> pure $! blocks p 1 s)) (B.drop missing piece)
  where
    total' = total + B.length piece
    bytes = if B.null waiting then piece else waiting <> B.take 64 piece
    missing = 64 - B.length waiting
    rest s0 more =
      let whole = B.length more `unsafeShiftR` 6
          !s1 = access more (\p _ -> pure $! blocks p whole s0)
       in Context len s1 total' (B.copy (B.drop (64 * whole) more))

-- | The digest of the message so far.
finish :: Context -> ByteString
finish context@(Context len _ _ _) = output len (state context)

-- | The hash value of the padded message so far.
state :: Context -> State
state (Context _ s total waiting) = access waiting (\p n -> pure $! padded p n total s)

-- | Prepares a key. Takes two compressions, and hashes a key that is longer than a block.
prepare :: Variant -> ByteString -> Key
prepare variant@(Variant s len) key
  | B.length key > 64 = prepare variant (hash variant key)
  | otherwise = access key $ \p n -> do
      let !block = blockOf (wordAt 0 p n)
          mixed pad = compress (eachWord (xor pad) block) s
      pure $! Key len (mixed 0x36363636) (mixed 0x5c5c5c5c)

-- | The outer hash of HMAC: one more block, which is made of an inner hash value.
outer :: Key -> State -> ByteString
outer (Key len _ s) (State a b c d e f g h)
  | len == 32 = output len (compress (Block a b c d e f g h 0x80000000 0 0 0 0 0 0 768) s)
  | otherwise = output len (compress (Block a b c d e f g 0x80000000 0 0 0 0 0 0 0 736) s)

-- | The HMAC tag of a strict message. A short message takes two compressions.
tag :: Key -> ByteString -> ByteString
tag key@(Key _ s _) message = outer key (access message (absorb s 64))

-- | The HMAC tag of a lazy message, which is read once, chunk by chunk.
tag_lazy :: Key -> BL.ByteString -> ByteString
tag_lazy key@(Key len s _) = outer key . state . BL.foldlChunks feed (Context len s 64 B.empty)

-- | Returns true if the bytes are the whole tag of the message. The comparison reads all bytes.
verify :: Key -> ByteString -> ByteString -> Bool
verify key message given = B.length given == B.length right && foldr (.|.) 0 (B.zipWith xor given right) == 0
  where
    right = tag key message
