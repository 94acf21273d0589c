-- Written by generate.py. Change that.

-- |
-- Ascon-Hash256 (SP 800-232 section 5.1). 256 bits, 32 bytes. "Hashwell.Hash" takes messages in pieces, many
-- messages at once, and parameters.
module Crypto.Hash.Ascon_Hash256
  ( hash
  , hash_lazy
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL
import Hashwell.Internal.Digest (digest, digestLazy)

-- | The digest of a message.
hash :: ByteString -> ByteString
hash = digest 25 32

-- | The same of a lazy one, in constant memory.
hash_lazy :: BL.ByteString -> ByteString
hash_lazy = digestLazy 25 32
