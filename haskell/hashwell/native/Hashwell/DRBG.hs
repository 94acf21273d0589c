-- |
-- HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2) over every hash for which HMAC is defined, in any 'PrimMonad'. The state
-- is in pinned memory, which the garbage collector never copies. Every operation is a single call of the C library, so
-- an asynchronous exception can't interrupt it.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString as BS
-- >>> Right drbg <- newUnchecked sha256 "very random" "very unused" "very personal"
-- >>> fmap (BS.unpack . BS.take 4) <$> gen drbg mempty 32
-- Right [228,209,114,16]
-- >>> gen drbg mempty 65537
-- Left OutOfRange
-- >>> new sha256 "very random" "very unused" "very personal"
-- Left OutOfRange
module Hashwell.DRBG
  ( -- * From a seed
    DRBG
  , new
  , newUnchecked
  , gen
  , reseed
  , requestsLeft
  , wipe
    -- * From the operating system
  , osBytes
    -- * Algorithms
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Control.Exception (finally)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import Data.Word (Word64)
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Ptr (nullPtr)
import Hashwell.Algorithm
import Hashwell.Error (Error (..), check, fromCode)
import Hashwell.Internal.Drbg
import Hashwell.Internal.Foreign
import Hashwell.Internal.Layout
import Hashwell.Internal.Memory
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.State

-- | Creates a generator from entropy, a nonce and a personalization string. Returns 'OutOfRange' if the entropy has
-- fewer bits than the security strength of the hash, or the nonce fewer than half of that, and 'Unsupported' if HMAC
-- is not defined for the algorithm.
new ::
  PrimMonad m => Algorithm -> ByteString -> ByteString -> ByteString -> m (Either Error (DRBG (PrimState m)))
new = instantiate c_drbg_init c_drbg_init_safe

-- | Like 'new', but accepts entropy and nonce of any length, for test vectors and public seeds. The output is not
-- guaranteed to be unpredictable. Later reseeds also accept any length.
newUnchecked ::
  PrimMonad m => Algorithm -> ByteString -> ByteString -> ByteString -> m (Either Error (DRBG (PrimState m)))
newUnchecked = instantiate c_drbg_init_unchecked c_drbg_init_unchecked_safe

-- | Makes a request, with additional input, for a number of bytes. Returns 'OutOfRange' for more than 65,536 bytes, and
-- 'ReseedRequired' after 2^48 requests without a reseed.
gen :: PrimMonad m => DRBG (PrimState m) -> ByteString -> Word64 -> m (Either Error ByteString)
gen _ _ wanted | wanted > 65536 = pure (Left OutOfRange)
gen (DRBG state) additional wanted = withState state $ \h -> do
  let len = fromIntegral wanted
  (bytes, code) <- BI.createUptoN' len $ \out ->
    -- Generating a byte costs several times as much as hashing one.
    (,) len <$> withBytes additional (long (8 * len + B.length additional) c_drbg_generate c_drbg_generate_safe
      h out (fromIntegral len))
  pure (maybe (Right bytes) Left (fromCode code))

-- | Reseeds the generator with entropy and additional input. Returns 'OutOfRange' if the entropy has fewer bits than
-- the security strength.
reseed :: PrimMonad m => DRBG (PrimState m) -> ByteString -> ByteString -> m (Either Error ())
reseed (DRBG state) entropy additional = withState state $ \h ->
  withBytes entropy $ \e n -> withBytes additional $ \a m ->
    maybe (Right ()) Left . fromCode
      <$> long (2 * (B.length entropy + B.length additional)) c_drbg_reseed c_drbg_reseed_safe h e n a m

-- | The number of requests before the next reseed is necessary.
requestsLeft :: PrimMonad m => DRBG (PrimState m) -> m Word64
requestsLeft (DRBG state) = withState state c_drbg_requests_left

-- | Overwrites the generator's memory. Later operations on it return 'Wiped'.
wipe :: PrimMonad m => DRBG (PrimState m) -> m ()
wipe (DRBG state) = withState state c_drbg_wipe

-- | Returns unpredictable random bytes, for example for keys. They come from an HMAC-DRBG over SHA-256 that the
-- operating system seeds for each call. Throws 'NoEntropy' if the operating system provides no entropy.
osBytes :: Int -> IO ByteString
osBytes wanted = allocaBytesAligned randomSize stateAlign $ \h ->
  (do
    check =<< c_random_init h number nullPtr
    BI.create len (\out -> c_random_read h out (fromIntegral len) >>= check)) `finally` c_random_wipe h
  where
    len = max 0 wanted
    Algorithm number = sha256
