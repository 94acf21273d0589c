-- |
-- HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2) over SHA-2 in pure Haskell, in any 'PrimMonad'. The names and types are
-- those of the module over the C library, except that @osBytes@, which reads entropy of the operating system, is missing.
-- Keys are ordinary byte strings, which the garbage collector copies and never overwrites.
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
    -- * Algorithms
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import Data.Word (Word64)
import Hashwell.Algorithm
import Hashwell.Error (Error (..))
import Hashwell.Internal.Generator (create)
import qualified Hashwell.Internal.Generator as Generator
import Hashwell.Internal.Row (hmacOf, rowFunctions)

-- | A generator: the least number of bytes of entropy, the number of requests that are left, and its state.
data DRBG s = DRBG !Int !(MutVar s Word64) !(Generator.DRBG s)

instance Show (DRBG s) where
  show _ = "<drbg>"

-- | Creates a generator from entropy, a nonce and a personalization string. Returns 'OutOfRange' if the entropy has
-- fewer bits than the security strength of the hash, or the nonce fewer than half of that.
new :: PrimMonad m => Algorithm -> ByteString -> ByteString -> ByteString -> m (Either Error (DRBG (PrimState m)))
new a entropy nonce personalization
  | B.length entropy < strength || 2 * B.length nonce < strength = pure (Left OutOfRange)
  | otherwise = Right <$> made strength a entropy nonce personalization
  where
    -- In bytes: SP 800-57 part 1, table 3.
    strength = if outputLen a < 32 then 24 else 32

-- | Like 'new', but accepts entropy and nonce of any length, for test vectors and public seeds. The output is not
-- guaranteed to be unpredictable. Later reseeds also accept any length.
newUnchecked ::
  PrimMonad m => Algorithm -> ByteString -> ByteString -> ByteString -> m (Either Error (DRBG (PrimState m)))
newUnchecked a entropy nonce = fmap Right . made 0 a entropy nonce

made :: PrimMonad m => Int -> Algorithm -> ByteString -> ByteString -> ByteString -> m (DRBG (PrimState m))
made shortest a entropy nonce personalization =
  DRBG shortest <$> newMutVar interval <*> create (hmacOf (rowFunctions a)) entropy nonce personalization

-- | The number of requests between two reseeds.
interval :: Word64
interval = 2 ^ (48 :: Int)

-- | Makes a request, with additional input, for a number of bytes. Returns 'OutOfRange' for more than 65,536 bytes, and
-- 'ReseedRequired' after 2^48 requests without a reseed.
gen :: PrimMonad m => DRBG (PrimState m) -> ByteString -> Word64 -> m (Either Error ByteString)
gen (DRBG _ left generator) additional wanted = do
  result <- Generator.gen generator additional wanted
  result <$ mapM_ (const (readMutVar left >>= \n -> writeMutVar left $! n - 1)) result

-- | Reseeds the generator with entropy and additional input. Returns 'OutOfRange' if the entropy has fewer bits than
-- the security strength.
reseed :: PrimMonad m => DRBG (PrimState m) -> ByteString -> ByteString -> m (Either Error ())
reseed (DRBG shortest left generator) entropy additional = do
  gone <- Generator.wiped generator
  if gone
    then pure (Left Wiped)
    else
      if B.length entropy < shortest
        then pure (Left OutOfRange)
        else Right <$> (Generator.reseed generator entropy additional >> writeMutVar left interval)

-- | The number of requests before the next reseed is necessary; 0 if the generator was wiped.
requestsLeft :: PrimMonad m => DRBG (PrimState m) -> m Word64
requestsLeft (DRBG _ left generator) = do
  gone <- Generator.wiped generator
  if gone then pure 0 else readMutVar left

-- | Discards the state. The memory isn't overwritten. Later operations on the generator return 'Wiped'.
wipe :: PrimMonad m => DRBG (PrimState m) -> m ()
wipe (DRBG _ _ generator) = Generator.wipe generator
