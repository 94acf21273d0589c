-- | How random sources compute numbers.
module Hashwell.Internal.Numbers
  ( Numbers (..)
  ) where

import qualified Crypto.DRBG.HMAC as DRBG
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import Data.Word (Word64)

-- | How a source computes numbers from a key.
data Numbers
  = -- | SHA-256 of the key, a zero byte and a counter.
    Count
  | -- | The output of HMAC-DRBG, in requests of 1024 bytes.
    Requests DRBG.HMAC
  | -- | The bytes of the numbers.
    Bytes (B.ByteString -> L.ByteString)
  | -- | The numbers.
    Numbers (B.ByteString -> [Word64])
