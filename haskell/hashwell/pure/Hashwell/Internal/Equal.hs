-- | The comparison of secrets.
module Hashwell.Internal.Equal (equal) where

import Data.Bits (xor, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as B

-- | Returns 'True' if the byte strings are equal. It reads all bytes and doesn't stop at the first difference.
equal :: ByteString -> ByteString -> Bool
equal a b = B.length a == B.length b && foldr (.|.) 0 (B.zipWith xor a b) == 0
