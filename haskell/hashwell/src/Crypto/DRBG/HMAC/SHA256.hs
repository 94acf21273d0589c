-- | HMAC-DRBG over SHA-256. The names and types are those of the package @ppad-hmac-drbg@ 0.3.
--
-- With the C library, the state is in pinned memory; keys are stored only there, and 'wipe' overwrites it. Without it
-- (flag @native@), keys are ordinary byte strings, which can't be overwritten, and 'wipe' forgets the state.
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
import Hashwell.Error (Error (..))
import Hashwell.Internal.Generator (DRBG, create, gen, reseed, sha256, wipe)

-- | Creates a generator from entropy, a nonce and a personalization string, each of any length. Their length is not
-- checked, so you must make sure that they are unpredictable.
new :: PrimMonad m => ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
new = create sha256
