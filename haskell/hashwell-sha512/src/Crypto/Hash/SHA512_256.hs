-- Written by pure/interfaces.py from SHA256.hs. Don't edit this file.

-- |
-- SHA-512/256 (FIPS 180-4 section 6.7) and HMAC-SHA-512/256 (RFC 2104): SHA-512 with another
-- initial hash value and a digest of 32 bytes. "Crypto.Hash.SHA512" has the security section.
module Crypto.Hash.SHA512_256
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

-- | The initial hash value of section 5.3.6.2.
sha512_256 :: Variant
sha512_256 = Variant (State
  0x22312194fc2bf72c 0x9f555fa3c84c64c2 0x2393b86b6f53b151 0x963877195940eabd
  0x96283ee2a88effe3 0xbe5e1e2553863992 0x2b0199fc2c85b8aa 0x0eb72ddc81c52ca2) 32

-- | Computes the digest of a strict message: 32 bytes.
hash :: ByteString -> ByteString
hash = Message.hash sha512_256

-- | Computes the digest of a lazy message in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = Message.hash_lazy sha512_256

-- | Computes the HMAC tag of a strict message, from the key and the message: 32 bytes. The key can have any length.
-- @hmac key@ prepares the key once, so that @let f = hmac key@ is cheaper for many messages.
hmac :: ByteString -> ByteString -> ByteString
hmac key = tag (prepare key)

-- | Computes the HMAC tag of a lazy message in constant memory. The key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy key = tag_lazy (prepare key)

-- | Prepares an HMAC key of any length. Costs two compressions, which 'tag' then saves on each message.
prepare :: ByteString -> Key
prepare = Message.prepare sha512_256

-- | The context of the empty message.
start :: Context
start = Message.start sha512_256
