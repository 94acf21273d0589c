-- | The random sources of draws that are pure Haskell.
module Hashwell.Internal.Sources
  ( numbersOf
  ) where

import qualified Crypto.Hash.SHA224 as SHA224
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA384 as SHA384
import qualified Crypto.Hash.SHA512 as SHA512
import qualified Crypto.Hash.SHA512_224 as SHA512_224
import qualified Crypto.Hash.SHA512_256 as SHA512_256
import Hashwell.Internal.Numbers (Numbers (..))
import Hashwell.Process.Seed (Key (..), numbers)

-- | Finds a source by its exact name. Returns an error message if there is no such source.
numbersOf :: String -> Either String Numbers
numbersOf text = case text of
  "counter" -> Right Count
  "blake3" -> Right (Numbers (numbers . Key))
  "hmac-drbg-sha224" -> Right (Requests SHA224.hmac)
  "hmac-drbg-sha256" -> Right (Requests SHA256.hmac)
  "hmac-drbg-sha384" -> Right (Requests SHA384.hmac)
  "hmac-drbg-sha512" -> Right (Requests SHA512.hmac)
  "hmac-drbg-sha512-224" -> Right (Requests SHA512_224.hmac)
  "hmac-drbg-sha512-256" -> Right (Requests SHA512_256.hmac)
  _ -> Left (text ++ " is not a random source in pure Haskell: build the package with the flag \"native\"")
