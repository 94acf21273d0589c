-- | HMAC-DRBG over SHA-512 in pure Haskell. The names and types are those of the package @ppad-hmac-drbg@ 0.3. Keys are
-- ordinary byte strings, which can't be overwritten: 'wipe' forgets the state, and build the package with its flag
-- @native@ if that isn't enough.
module Crypto.DRBG.HMAC.SHA512
  ( DRBG
  , Error (..)
  , new
  , gen
  , reseed
  , wipe
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import qualified Crypto.Hash.SHA512 as SHA512
import Data.ByteString (ByteString)
import Hashwell.Error (Error (..))
import Hashwell.Internal.PureDrbg (DRBG, create, gen, reseed, wipe)

-- | Creates a generator from entropy, a nonce and a personalization string, each of any length. Their length is not
-- checked, so you must make sure that they are unpredictable.
new :: PrimMonad m => ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
new = create SHA512.hmac
