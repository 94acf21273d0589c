-- | The random sources of draws.
module Hashwell.Internal.Sources
  ( numbersOf
  ) where

import qualified Data.ByteString.Lazy as L
import Hashwell.Internal.Digest (tag)
import Hashwell.Internal.Numbers (Numbers (..))
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.Stream (stream)
import Hashwell.Random (Source (..), findSource, outputLen, sourceName)

-- | Finds a source by its exact name. Returns an error message if there is no such source.
numbersOf :: String -> Either String Numbers
numbersOf text = case findSource text of
  Right source | sourceName source == text -> Right $ case source of
    Counter -> Count
    HmacDrbg algorithm@(Algorithm n) -> Requests (tag n (outputLen algorithm))
    Output (Algorithm n) -> Bytes (stream n . L.fromStrict)
  _ -> Left (text ++ " is not a random source")
