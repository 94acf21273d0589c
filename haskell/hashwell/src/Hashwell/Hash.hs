-- |
-- Digests by any algorithm of the registry.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString as BS
-- >>> BS.length (hash blake3 "abc")
-- 32
module Hashwell.Hash
  ( -- * One message
    hash
  , hashLazy
    -- * Algorithms
  , module Hashwell.Algorithm
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL
import Hashwell.Algorithm
import Hashwell.Internal.Digest (digest, digestLazy)
import Hashwell.Internal.Registry (Algorithm (..))

-- | The digest of a message; of an extendable-output function, its first 'outputLen' bytes.
hash :: Algorithm -> ByteString -> ByteString
hash a@(Algorithm n) = digest n (outputLen a)

-- | The same of a lazy one, in constant memory.
hashLazy :: Algorithm -> BL.ByteString -> ByteString
hashLazy a@(Algorithm n) = digestLazy n (outputLen a)
