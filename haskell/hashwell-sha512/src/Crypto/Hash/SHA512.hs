-- Written by pure/interfaces.py from SHA256.hs. Don't edit this file.

-- |
-- SHA-512 (FIPS 180-4 section 6.4) and HMAC-SHA512 (RFC 2104), written in Haskell only.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString as BS
-- >>> BS.unpack (BS.take 4 (hash "strict bytestring input"))
-- [189,68,42,11]
-- >>> finish (feed (feed start "strict bytestring") " input") == hash "strict bytestring input"
-- True
-- >>> let key = prepare "strict secret"
-- >>> verify key "message" (tag key "message")
-- True
--
-- = Security
--
-- No branch and no memory address in this package depends on the bytes of a message or a key. They depend on lengths
-- only. That is what constant time can mean in Haskell: GHC compiles the functions to straight-line code, but the
-- language doesn't guarantee it, and the garbage collector runs at times that depend on how much the whole program
-- allocates. 'verify' compares all bytes of two tags. @('==')@ on byte strings stops at the first difference, so don't
-- compare tags with it.
--
-- Keys, contexts and prepared keys are ordinary Haskell values. The collector copies them and never overwrites the old
-- copies, so they can't be wiped. If you need that, use the C library through the package @hashwell@.
module Crypto.Hash.SHA512
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

-- | The initial hash value of section 5.3.5.
sha512 :: Variant
sha512 = Variant (State
  0x6a09e667f3bcc908 0xbb67ae8584caa73b 0x3c6ef372fe94f82b 0xa54ff53a5f1d36f1
  0x510e527fade682d1 0x9b05688c2b3e6c1f 0x1f83d9abfb41bd6b 0x5be0cd19137e2179) 64

-- | Computes the digest of a strict message: 64 bytes.
hash :: ByteString -> ByteString
hash = Message.hash sha512

-- | Computes the digest of a lazy message in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = Message.hash_lazy sha512

-- | Computes the HMAC tag of a strict message, from the key and the message: 64 bytes. The key can have any length.
-- @hmac key@ prepares the key once, so that @let f = hmac key@ is cheaper for many messages.
hmac :: ByteString -> ByteString -> ByteString
hmac key = tag (prepare key)

-- | Computes the HMAC tag of a lazy message in constant memory. The key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy key = tag_lazy (prepare key)

-- | Prepares an HMAC key of any length. Costs two compressions, which 'tag' then saves on each message.
prepare :: ByteString -> Key
prepare = Message.prepare sha512

-- | The context of the empty message.
start :: Context
start = Message.start sha512
