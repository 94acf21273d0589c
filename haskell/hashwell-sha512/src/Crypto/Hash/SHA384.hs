-- Written by pure/interfaces.py from SHA256.hs. Don't edit this file.

-- |
-- SHA-384 (FIPS 180-4 section 6.5) and HMAC-SHA-384 (RFC 2104): SHA-512 with another
-- initial hash value and a digest of 48 bytes. "Crypto.Hash.SHA512" has the security section.
module Crypto.Hash.SHA384
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

-- | The initial hash value of section 5.3.4.
sha384 :: Variant
sha384 = Variant (State
  0xcbbb9d5dc1059ed8 0x629a292a367cd507 0x9159015a3070dd17 0x152fecd8f70e5939
  0x67332667ffc00b31 0x8eb44a8768581511 0xdb0c2e0d64f98fa7 0x47b5481dbefa4fa4) 48

-- | Computes the digest of a strict message: 48 bytes.
hash :: ByteString -> ByteString
hash = Message.hash sha384

-- | Computes the digest of a lazy message in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = Message.hash_lazy sha384

-- | Computes the HMAC tag of a strict message, from the key and the message: 48 bytes. The key can have any length.
-- @hmac key@ prepares the key once, so that @let f = hmac key@ is cheaper for many messages.
hmac :: ByteString -> ByteString -> ByteString
hmac key = tag (prepare key)

-- | Computes the HMAC tag of a lazy message in constant memory. The key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy key = tag_lazy (prepare key)

-- | Prepares an HMAC key of any length. Costs two compressions, which 'tag' then saves on each message.
prepare :: ByteString -> Key
prepare = Message.prepare sha384

-- | The context of the empty message.
start :: Context
start = Message.start sha384
