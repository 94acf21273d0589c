-- Written by generate.py. Change that.

-- |
-- KT128 (RFC 9861 section 3). Output of any length, 32 bytes by default. "Hashwell.Hash" takes messages in pieces,
-- many messages at once, and parameters.
module Crypto.Hash.KT128
  ( hash
  , hash_lazy
  , xof
  , xof_lazy
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL
import Hashwell.Internal.Digest (digest, digestLazy)
import Hashwell.Internal.Stream (stream)

-- | The digest of a message: its first 32 bytes of output.
hash :: ByteString -> ByteString
hash = digest 18 32

-- | The same of a lazy one, in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = digestLazy 18 32

-- | The first so many bytes of output; none for a negative number.
xof :: Int -> ByteString -> ByteString
xof = \len -> digest 18 (max 0 len)

-- | All of the output, made as it is read.
xof_lazy :: BL.ByteString -> BL.ByteString
xof_lazy = stream 18
