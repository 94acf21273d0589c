{-# LANGUAGE BangPatterns #-}

-- | HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2) over any HMAC function, in any 'PrimMonad'. The names and types are
-- those of the package @ppad-hmac-drbg@ 0.1.
--
-- The seed can have any length and is not checked, so you must make sure that it is unpredictable. Keys are stored in
-- ordinary byte strings, which the garbage collector copies and never overwrites. The module @Hashwell.DRBG@ of the
-- package @hashwell@ keeps keys in one place and has @wipe@.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Crypto.Hash.SHA256 as SHA256
-- >>> import qualified Data.ByteString as BS
-- >>> drbg <- new SHA256.hmac "very random" "very unused" "very personal"
-- >>> drbg
-- <drbg>
-- >>> BS.unpack . BS.take 4 <$> gen mempty 32 drbg
-- [228,209,114,16]
module Crypto.DRBG.HMAC
  ( DRBG
  , HMAC
  , new
  , gen
  , reseed
  , Error (..)
  ) where

import Control.Exception (Exception (..), throwIO)
import Control.Monad.Primitive (PrimMonad, PrimState, unsafeIOToPrim)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import Data.Word (Word64)

-- | The reason why a request failed.
data Error
  = -- | A request is for more than 65,536 bytes.
    MaxBytesExceeded
  | -- | There were 2^48 requests since the last seed: reseed the generator.
    ReseedRequired
  deriving (Eq, Ord, Show)

instance Exception Error where
  displayException MaxBytesExceeded = "a request must be for at most 65,536 bytes"
  displayException ReseedRequired = "there have been 2^48 requests since the last seed: reseed the generator"

-- | An HMAC function, from the key and the message to the tag.
type HMAC = ByteString -> ByteString -> ByteString

-- | A generator. Every operation reads and writes a single reference, so an exception can't leave it half updated.
newtype DRBG s = DRBG (MutVar s Inner)

-- The HMAC, the number of requests since the last seed, the HMAC with key K, and V. K is stored only inside that
-- partial application, so an HMAC that prepares its key does so once for each K.
data Inner = Inner !HMAC !Word64 !(ByteString -> ByteString) !ByteString

instance Show (DRBG s) where
  show _ = "<drbg>"

-- | Creates a generator from entropy, a nonce and a personalization string, each of any length.
new :: PrimMonad m => HMAC -> ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
new hmac entropy nonce personalization = DRBG <$> (newMutVar $! mix (B.concat [entropy, nonce, personalization]) start)
  where
    start = Inner hmac 0 (hmac (B.replicate len 0)) (B.replicate len 1)
    len = B.length (hmac B.empty B.empty)

-- | Makes a request, with additional input, for a number of bytes. Throws 'MaxBytesExceeded' for more than 65,536 bytes, and
-- 'ReseedRequired' after 2^48 requests.
gen :: PrimMonad m => ByteString -> Word64 -> DRBG (PrimState m) -> m ByteString
gen additional wanted (DRBG var) = do
  old@(Inner _ requests _ _) <- readMutVar var
  if wanted > 65536
    then unsafeIOToPrim (throwIO MaxBytesExceeded)
    else
      if requests >= 2 ^ (48 :: Int)
        then unsafeIOToPrim (throwIO ReseedRequired)
        else do
          let (bytes, Inner hmac _ k v) = squeeze wanted (if B.null additional then old else mix additional old)
          -- Step 6 mixes in the additional input even if it is empty.
              Inner _ _ k' v' = mix additional (Inner hmac requests k v)
          writeMutVar var $! Inner hmac (requests + 1) k' v'
          pure $! bytes

-- | Reseeds the generator with entropy and additional input.
reseed :: PrimMonad m => ByteString -> ByteString -> DRBG (PrimState m) -> m ()
reseed entropy additional (DRBG var) = do
  Inner hmac _ k v <- readMutVar var
  writeMutVar var $! mix (B.append entropy additional) (Inner hmac 0 k v)

-- | HMAC_DRBG_Update, section 10.1.2.2.
mix :: ByteString -> Inner -> Inner
mix provided (Inner hmac requests k v)
  | B.null provided = once
  | otherwise = step 1 once
  where
    once = step 0 (Inner hmac requests k v)
    step separator (Inner _ _ k0 v0) =
      let !k1 = hmac (k0 (B.concat [v0, B.singleton separator, provided]))
       in Inner hmac requests k1 (k1 v0)

-- | Steps 3 to 5 of section 10.1.2.5.
squeeze :: Word64 -> Inner -> (ByteString, Inner)
squeeze wanted (Inner hmac requests k v) = (B.take len (B.concat vs), Inner hmac requests k (last (v : vs)))
  where
    len = fromIntegral wanted
    vs = take ((len + B.length v - 1) `div` B.length v) (tail (iterate k v))
