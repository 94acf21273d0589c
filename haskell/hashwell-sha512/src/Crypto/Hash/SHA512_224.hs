-- Written by pure/interfaces.py from SHA256.hs. Don't edit this file.

-- |
-- SHA-512/224 (FIPS 180-4 section 6.6) and HMAC-SHA-512/224 (RFC 2104): SHA-512 with another
-- initial hash value and a digest of 28 bytes. "Crypto.Hash.SHA512" has the security section.
module Crypto.Hash.SHA512_224
  ( -- * Digests
    hash
  , hash_lazy
    -- * Messages in pieces
  , Context
  , start
  , feed
  , finish
    -- * HMAC
  , hmac
  , hmac_lazy
    -- * HMAC with a prepared key
  , Key
  , prepare
  , tag
  , tag_lazy
  , verify
  ) where

import Crypto.Hash.SHA512.Block (State (..))
import Crypto.Hash.SHA512.Message (Context, Key, Variant (..), feed, finish, tag, tag_lazy, verify)
import qualified Crypto.Hash.SHA512.Message as Message
import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL

-- | The initial hash value of section 5.3.6.1.
sha512_224 :: Variant
sha512_224 = Variant (State
  0x8c3d37c819544da2 0x73e1996689dcd4d6 0x1dfab7ae32ff9c82 0x679dd514582f9fcf
  0x0f6d2b697bd44da8 0x77e36f7304c48942 0x3f9d85a86a1d36c8 0x1112e6ad91d692a1) 28

-- | Computes the digest of a strict message: 28 bytes.
hash :: ByteString -> ByteString
hash = Message.hash sha512_224

-- | Computes the digest of a lazy message in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = Message.hash_lazy sha512_224

-- | Computes the HMAC tag of a strict message, from the key and the message: 28 bytes. The key can have any length.
-- @hmac key@ prepares the key once, so that @let f = hmac key@ is cheaper for many messages.
hmac :: ByteString -> ByteString -> ByteString
hmac key = tag (prepare key)

-- | Computes the HMAC tag of a lazy message in constant memory. The key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy key = tag_lazy (prepare key)

-- | Prepares an HMAC key of any length. Costs two compressions, which 'tag' then saves on each message.
prepare :: ByteString -> Key
prepare = Message.prepare sha512_224

-- | The context of the empty message.
start :: Context
start = Message.start sha512_224
