-- Written by pure/interfaces.py from SHA256.hs. Don't edit this file.

-- |
-- SHA-224 (FIPS 180-4 section 6.3) and HMAC-SHA-224 (RFC 2104): SHA-256 with another
-- initial hash value and a digest of 28 bytes. "Crypto.Hash.SHA256" has the security section.
module Crypto.Hash.SHA224
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

import Crypto.Hash.SHA256.Block (State (..))
import Crypto.Hash.SHA256.Message (Context, Key, Variant (..), feed, finish, tag, tag_lazy, verify)
import qualified Crypto.Hash.SHA256.Message as Message
import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL

-- | The initial hash value of section 5.3.2.
sha224 :: Variant
sha224 = Variant (State 0xc1059ed8 0x367cd507 0x3070dd17 0xf70e5939 0xffc00b31 0x68581511 0x64f98fa7 0xbefa4fa4) 28

-- | Computes the digest of a strict message: 28 bytes.
hash :: ByteString -> ByteString
hash = Message.hash sha224

-- | Computes the digest of a lazy message in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = Message.hash_lazy sha224

-- | Computes the HMAC tag of a strict message, from the key and the message: 28 bytes. The key can have any length.
-- @hmac key@ prepares the key once, so that @let f = hmac key@ is cheaper for many messages.
hmac :: ByteString -> ByteString -> ByteString
hmac key = tag (prepare key)

-- | Computes the HMAC tag of a lazy message in constant memory. The key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy key = tag_lazy (prepare key)

-- | Prepares an HMAC key of any length. Costs two compressions, which 'tag' then saves on each message.
prepare :: ByteString -> Key
prepare = Message.prepare sha224

-- | The context of the empty message.
start :: Context
start = Message.start sha224
