-- |
-- HMAC-DRBG over SHA-512, all of it in the engine: the state is one piece of pinned memory, keys are never anywhere
-- else, and 'wipe' overwrites it. The names and types are those of the package @ppad-hmac-drbg@ 0.3; "Hashwell.DRBG"
-- has the same over every hash, and judges the length of seeds.
module Crypto.DRBG.HMAC.SHA512
  ( DRBG
  , Error (..)
  , new
  , gen
  , reseed
  , wipe
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import Hashwell.Algorithm (sha512)
import Hashwell.DRBG (DRBG, Error (..), gen, wipe)
import qualified Hashwell.DRBG as Any
import Hashwell.Error (must)

-- | A generator from entropy, a nonce and a personalization string, each of any length: nothing here makes it
-- unpredictable.
new :: PrimMonad m => ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
new entropy nonce personalization = Any.newUnchecked sha512 entropy nonce personalization >>= must

-- | Mixes in entropy, of any length, and additional input. Throws 'Wiped'.
reseed :: PrimMonad m => DRBG (PrimState m) -> ByteString -> ByteString -> m ()
reseed drbg entropy additional = Any.reseed drbg entropy additional >>= must
