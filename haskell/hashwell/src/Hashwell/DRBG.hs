-- |
-- HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2) over every hash that has HMAC, in any 'PrimMonad'. The state is plain
-- data in one piece of pinned memory, which the collector never copies; every operation is one call of the engine, so
-- that an asynchronous exception comes before it or after it.
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

-- | A generator from entropy, a nonce and a personalization string. Entropy of fewer bits than the hash's strength, or
-- a nonce of fewer than half as many, is 'OutOfRange'.
new ::
  PrimMonad m => Algorithm -> ByteString -> ByteString -> ByteString -> m (Either Error (DRBG (PrimState m)))
new = instantiate c_drbg_init c_drbg_init_safe

-- | The same with seeds of any length, for test vectors and public seeds: nothing here makes it unpredictable. Reseeds
-- take any length then too.
newUnchecked ::
  PrimMonad m => Algorithm -> ByteString -> ByteString -> ByteString -> m (Either Error (DRBG (PrimState m)))
newUnchecked = instantiate c_drbg_init_unchecked c_drbg_init_unchecked_safe

-- | So many bytes, with additional input: at most 65,536 ('OutOfRange'), 2^48 times between two reseeds
-- ('ReseedRequired').
gen :: PrimMonad m => DRBG (PrimState m) -> ByteString -> Word64 -> m (Either Error ByteString)
gen _ _ wanted | wanted > 65536 = pure (Left OutOfRange)
gen (DRBG state) additional wanted = withState state $ \h -> do
  let len = fromIntegral wanted
  (bytes, code) <- BI.createUptoN' len $ \out ->
    -- A byte costs several times what it costs to hash one.
    (,) len <$> withBytes additional (long (8 * len + B.length additional) c_drbg_generate c_drbg_generate_safe
      h out (fromIntegral len))
  pure (maybe (Right bytes) Left (fromCode code))

-- | Mixes in entropy and additional input. Entropy of fewer bits than the strength is 'OutOfRange'.
reseed :: PrimMonad m => DRBG (PrimState m) -> ByteString -> ByteString -> m (Either Error ())
reseed (DRBG state) entropy additional = withState state $ \h ->
  withBytes entropy $ \e n -> withBytes additional $ \a m ->
    maybe (Right ()) Left . fromCode
      <$> long (2 * (B.length entropy + B.length additional)) c_drbg_reseed c_drbg_reseed_safe h e n a m

-- | Requests left before a reseed is due.
requestsLeft :: PrimMonad m => DRBG (PrimState m) -> m Word64
requestsLeft (DRBG state) = withState state c_drbg_requests_left

-- | Overwrites the generator's memory. What is done with it after that is 'Wiped'.
wipe :: PrimMonad m => DRBG (PrimState m) -> m ()
wipe (DRBG state) = withState state c_drbg_wipe

-- | So many bytes that nobody can repeat: HMAC-DRBG over SHA-256 that the operating system seeds for this call. Throws
-- 'NoEntropy' if it does not.
osBytes :: Int -> IO ByteString
osBytes wanted = allocaBytesAligned randomSize stateAlign $ \h ->
  (do
    check =<< c_random_init h number nullPtr
    BI.create len (\out -> c_random_read h out (fromIntegral len) >>= check)) `finally` c_random_wipe h
  where
    len = max 0 wanted
    Algorithm number = sha256
