-- Written by generate.py. Change that.

-- |
-- SHA-256 (FIPS 180-4 section 6.2). 256 bits, 32 bytes. "Hashwell.Hash" takes messages in pieces, many messages at
-- once, and parameters.
module Crypto.Hash.SHA256
  ( hash
  , hash_lazy
  , hmac
  , hmac_lazy
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL
import Hashwell.Internal.Digest (digest, digestLazy, tag, tagLazy)

-- | The digest of a message.
hash :: ByteString -> ByteString
hash = digest 3 32

-- | The same of a lazy one, in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = digestLazy 3 32

-- | The HMAC tag: key, then message.
hmac :: ByteString -> ByteString -> ByteString
hmac = tag 3 32

-- | The same of a lazy message; the key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy = tagLazy 3 32
