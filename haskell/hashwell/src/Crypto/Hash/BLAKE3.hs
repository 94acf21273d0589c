-- Written by generate.py. Change that.

-- |
-- BLAKE3 (BLAKE3 paper section 2). Output of any length, 32 bytes by default. "Hashwell.Hash" takes messages in
-- pieces, many messages at once, and parameters.
module Crypto.Hash.BLAKE3
  ( hash
  , hash_lazy
  , hmac
  , hmac_lazy
  , xof
  , xof_lazy
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL
import Hashwell.Internal.Digest (digest, digestLazy, tag, tagLazy)
import Hashwell.Internal.Stream (stream)

-- | The digest of a message: its first 32 bytes of output.
hash :: ByteString -> ByteString
hash = digest 24 32

-- | The same of a lazy one, in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = digestLazy 24 32

-- | The HMAC tag: key, then message.
hmac :: ByteString -> ByteString -> ByteString
hmac = tag 24 32

-- | The same of a lazy message; the key is strict.
hmac_lazy :: ByteString -> BL.ByteString -> ByteString
hmac_lazy = tagLazy 24 32

-- | The first so many bytes of output; none for a negative number.
xof :: Int -> ByteString -> ByteString
xof = \len -> digest 24 (max 0 len)

-- | All of the output, made as it is read.
xof_lazy :: BL.ByteString -> BL.ByteString
xof_lazy = stream 24
