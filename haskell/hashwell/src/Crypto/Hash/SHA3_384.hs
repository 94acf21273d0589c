-- Written by generate.py. Change that.

-- |
-- SHA3-384 (FIPS 202 section 6.1). 384 bits, 48 bytes. "Hashwell.Hash" takes messages in pieces, many messages at
-- once, and parameters.
module Crypto.Hash.SHA3_384
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
hash = digest 10 48

-- | The same of a lazy one, in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = digestLazy 10 48

-- | The HMAC tag: key, then message.
hmac :: ByteString -> ByteString -> ByteString
hmac = tag 10 48

-- | The same of a lazy message; the key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy = tagLazy 10 48
