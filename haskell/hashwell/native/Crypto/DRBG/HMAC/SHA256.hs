-- | HMAC-DRBG over SHA-256, implemented in the C library. The state is in pinned memory; keys are stored only there,
-- and 'wipe' overwrites it. The names and types are those of the package @ppad-hmac-drbg@ 0.3. "Hashwell.DRBG"
-- supports every hash and checks the length of seeds.
module Crypto.DRBG.HMAC.SHA256
  ( DRBG
  , Error (..)
  , new
  , gen
  , reseed
  , wipe
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import Hashwell.Algorithm (sha256)
import Hashwell.DRBG (DRBG, Error (..), gen, wipe)
import qualified Hashwell.DRBG as Any
import Hashwell.Error (must)

-- | Creates a generator from entropy, a nonce and a personalization string, each of any length. Their length is not
-- checked, so you must make sure that they are unpredictable.
new :: PrimMonad m => ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
new entropy nonce personalization = Any.newUnchecked sha256 entropy nonce personalization >>= must

-- | Reseeds the generator with entropy of any length and additional input. Throws 'Wiped' if the generator was wiped.
reseed :: PrimMonad m => DRBG (PrimState m) -> ByteString -> ByteString -> m ()
reseed drbg entropy additional = Any.reseed drbg entropy additional >>= must
