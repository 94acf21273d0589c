-- | HMAC-DRBG of the C library, with the interface of the pure generators.
module Hashwell.Internal.Generator
  ( DRBG
  , sha256
  , sha512
  , create
  , gen
  , reseed
  , wipe
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import Hashwell.Algorithm (Algorithm, sha256, sha512)
import Hashwell.DRBG (DRBG, gen, wipe)
import qualified Hashwell.DRBG as Any
import Hashwell.Error (must)

-- | Creates a generator from the hash of its HMAC, entropy, a nonce and a personalization string.
create :: PrimMonad m => Algorithm -> ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
create algorithm entropy nonce personalization = Any.newUnchecked algorithm entropy nonce personalization >>= must

-- | Reseeds the generator with entropy of any length and additional input. Throws 'Hashwell.Error.Wiped' if the
-- generator was wiped.
reseed :: PrimMonad m => DRBG (PrimState m) -> ByteString -> ByteString -> m ()
reseed drbg entropy additional = Any.reseed drbg entropy additional >>= must
