-- | HMAC-DRBG in pure Haskell, with the interface of the native generators.
module Hashwell.Internal.Generator
  ( DRBG
  , sha256
  , sha512
  , create
  , gen
  , reseed
  , wipe
  , wiped
  ) where

import Control.Exception (throwIO, try)
import Control.Monad.Primitive (PrimMonad, PrimState, RealWorld, unsafeIOToPrim)
import qualified Crypto.DRBG.HMAC as Given
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA512 as SHA512
import Data.ByteString (ByteString)
import Data.Maybe (isNothing)
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import Data.Word (Word64)
import Hashwell.Error (Error (..))
import Unsafe.Coerce (unsafeCoerce)

-- | A generator; without a state if it was wiped.
newtype DRBG s = DRBG (MutVar s (Maybe (Given.DRBG s)))

instance Show (DRBG s) where
  show _ = "<drbg>"

-- | HMAC-SHA256.
sha256 :: Given.HMAC
sha256 = SHA256.hmac

-- | HMAC-SHA512.
sha512 :: Given.HMAC
sha512 = SHA512.hmac

-- | Creates a generator from an HMAC function, entropy, a nonce and a personalization string.
create :: PrimMonad m => Given.HMAC -> ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
create hmac entropy nonce personalization = do
  drbg <- Given.new hmac entropy nonce personalization
  DRBG <$> newMutVar (Just drbg)

-- | Makes a request, with additional input, for a number of bytes. Returns 'OutOfRange' for more than 65,536 bytes,
-- 'ReseedRequired' after 2^48 requests without a reseed, and 'Wiped' if the generator was wiped.
gen :: PrimMonad m => DRBG (PrimState m) -> ByteString -> Word64 -> m (Either Error ByteString)
gen (DRBG var) additional wanted = readMutVar var >>= maybe (pure (Left Wiped)) request
  where
    request drbg = unsafeIOToPrim (try (Given.gen additional wanted (unsafeCoerce drbg :: Given.DRBG RealWorld)))

-- | Reseeds the generator with entropy of any length and additional input. Throws 'Wiped' if the generator was wiped.
reseed :: PrimMonad m => DRBG (PrimState m) -> ByteString -> ByteString -> m ()
reseed (DRBG var) entropy additional =
  readMutVar var >>= maybe (unsafeIOToPrim (throwIO Wiped)) (Given.reseed entropy additional)

-- | Forgets the state. The collector doesn't overwrite it. Later operations return or throw 'Wiped'.
wipe :: PrimMonad m => DRBG (PrimState m) -> m ()
wipe (DRBG var) = writeMutVar var Nothing

-- | Returns 'True' if the generator was wiped.
wiped :: PrimMonad m => DRBG (PrimState m) -> m Bool
wiped (DRBG var) = isNothing <$> readMutVar var
