-- | The random sources of draws.
module Hashwell.Internal.Sources
  ( Numbers (..)
  , numbersOf
  ) where

import qualified Crypto.DRBG.HMAC as DRBG
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import Data.Word (Word64)
import Hashwell.Internal.Digest (tag)
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.Stream (stream)
import Hashwell.Random (Source (..), findSource, outputLen, sourceName)

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

-- | Finds a source by its exact name. Returns an error message if there is no such source.
numbersOf :: String -> Either String Numbers
numbersOf text = case findSource text of
  Right source | sourceName source == text -> Right $ case source of
    Counter -> Count
    HmacDrbg algorithm@(Algorithm n) -> Requests (tag n (outputLen algorithm))
    Output (Algorithm n) -> Bytes (stream n . L.fromStrict)
  _ -> Left (text ++ " is no random source")
