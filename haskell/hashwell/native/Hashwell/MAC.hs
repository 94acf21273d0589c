-- | Message authentication codes, compared in constant time: HMAC (RFC 2104) over every hash for which it is defined,
-- KMAC (SP 800-185), and the keyed modes of BLAKE2 and BLAKE3.
--
-- >>> :set -XOverloadedStrings
-- >>> let Right tag = hmac sha256 "key" "message"
-- >>> tagger <- newHmac sha256 "key" >>= either (fail . show) pure
-- >>> update tagger "mess" >> update tagger "age" >> (== tag) <$> finalize tagger
-- True
module Hashwell.MAC
  ( -- * Tags
    MAC (..)
  , equal
    -- * One message
  , hmac
  , hmacLazy
  , kmac
  , keyed
    -- * Many messages
  , hmacMany
    -- * A message in pieces
  , Tagger
  , newHmac
  , Kmac (..)
  , newKmac
  , update
  , updateLazy
  , finalize
  , verify
  , reset
  , clone
  , wipe
    -- * KMAC's output of any length
  , kmacReader
    -- * Algorithms
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Control.Monad.ST (runST)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import Foreign.C.Types (CInt)
import Hashwell.Algorithm
import Hashwell.Error (Error (..), check, fromCode)
import Hashwell.Hash (hashWith)
import Hashwell.Internal.Digest (tag, tagLazy)
import Hashwell.Internal.Equal (equal)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Hasher (appendLazyTo, appendTo, thrown)
import Hashwell.Internal.Layout
import Hashwell.Internal.Memory
import Hashwell.Internal.Params (Params (..), plain)
import Hashwell.Internal.Reader (Reader)
import qualified Hashwell.Internal.Reader as Reader
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.State
import Hashwell.Internal.Tag

-- | Computes the HMAC tag, from the key and the message. Returns 'Unsupported' if HMAC is not defined for the
-- algorithm.
hmac :: Algorithm -> ByteString -> ByteString -> Either Error MAC
hmac a@(Algorithm n) k = ifHmac a . MAC . tag n (outputLen a) k

-- | Computes the HMAC tag of a lazy message in constant memory.
hmacLazy :: Algorithm -> ByteString -> BL.ByteString -> Either Error MAC
hmacLazy a@(Algorithm n) k = ifHmac a . MAC . tagLazy n (outputLen a) k

ifHmac :: Algorithm -> r -> Either Error r
ifHmac a r = if hasHmac a then Right r else Left Unsupported

-- | Computes the HMAC tags of many messages with one key, in parallel SIMD lanes.
hmacMany :: Algorithm -> ByteString -> [ByteString] -> Either Error [MAC]
hmacMany a@(Algorithm n) k messages =
  map MAC . slices count each <$> attempt (count * each) (\out len ->
    withMany [k] $ \ks kns kn -> withMany messages $ \at ns m ->
      long (sum (map ((+ 256) . B.length) (k : messages))) c_hmac_many c_hmac_many_safe n ks kns kn at ns m out len)
  where
    each = outputLen a
    count = length messages

-- | Computes a KMAC tag, from its length in bytes, the key, the customization and the message. A different length
-- gives a completely different tag.
kmac :: Kmac -> Int -> ByteString -> ByteString -> ByteString -> MAC
kmac which len k s message = runST $ do
  tagger <- newKmac which len k s
  update tagger message
  finalize tagger

-- | Computes a tag with the keyed mode of BLAKE2 or BLAKE3. Returns 'Unsupported' for other algorithms, and
-- 'OutOfRange' if the key has the wrong length.
keyed :: Algorithm -> ByteString -> ByteString -> Either Error MAC
keyed a k message = MAC <$> hashWith a plain { key = Just k } message

-- | An HMAC or KMAC in progress, in pinned memory that the garbage collector frees. Call 'wipe' when you no longer need
-- it, because it is as secret as the key.
data Tagger s = Tagger !Construction !Int !(State s)

data Construction = Hmac | KmacSponge

-- | The two strengths of KMAC.
data Kmac = Kmac128 | Kmac256
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | Creates an HMAC in progress. Returns 'Unsupported' if HMAC is not defined for the algorithm.
newHmac :: PrimMonad m => Algorithm -> ByteString -> m (Either Error (Tagger (PrimState m)))
newHmac a@(Algorithm n) k = do
  state <- newState hmacSize
  code <- withState state (\h -> withBytes k (long (B.length k) c_hmac_init c_hmac_init_safe h n))
  pure (maybe (Right (Tagger Hmac (outputLen a) state)) Left (fromCode code))

-- | Creates a KMAC in progress, from the length of the tag in bytes, the key and the customization.
newKmac :: PrimMonad m => Kmac -> Int -> ByteString -> ByteString -> m (Tagger (PrimState m))
newKmac which len k s = do
  state <- newState kmacSize
  thrown state $ \h -> withBytes k $ \p n -> withBytes s $ \q m ->
    long (B.length k + B.length s) c_kmac_init c_kmac_init_safe h bits p n q m
  pure (Tagger KmacSponge (max 0 len) state)
  where
    bits = case which of Kmac128 -> 128; Kmac256 -> 256

-- | Appends to the message.
update :: PrimMonad m => Tagger (PrimState m) -> ByteString -> m ()
update (Tagger Hmac _ state) = appendTo c_hmac_update c_hmac_update_safe state
update (Tagger KmacSponge _ state) = appendTo c_kmac_update c_kmac_update_safe state

-- | Appends a lazy byte string, chunk by chunk. If evaluating a chunk throws, the chunks before it have been appended.
updateLazy :: PrimMonad m => Tagger (PrimState m) -> BL.ByteString -> m ()
updateLazy (Tagger Hmac _ state) = appendLazyTo c_hmac_update c_hmac_update_safe state
updateLazy (Tagger KmacSponge _ state) = appendLazyTo c_kmac_update c_kmac_update_safe state

-- | Computes the tag of the message so far. You can append more afterwards.
finalize :: PrimMonad m => Tagger (PrimState m) -> m MAC
finalize (Tagger construction len state) = withState state $ \h ->
  MAC <$> BI.create len (\out -> final construction h out (fromIntegral len) >>= check)
  where
    final Hmac = c_hmac_final
    final KmacSponge = long len c_kmac_final c_kmac_final_safe

-- | Returns 'True' if this is the whole tag of the message so far, in time that depends only on lengths.
verify :: PrimMonad m => Tagger (PrimState m) -> ByteString -> m Bool
verify tagger t = (== MAC t) <$> finalize tagger

-- | Starts a new message with the same key.
reset :: PrimMonad m => Tagger (PrimState m) -> m ()
reset (Tagger construction _ state) = thrown state (resetting construction)
  where
    resetting :: Construction -> Handle -> IO CInt
    resetting Hmac = c_hmac_reset
    resetting KmacSponge = c_kmac_reset

-- | Creates an independent copy.
clone :: PrimMonad m => Tagger (PrimState m) -> m (Tagger (PrimState m))
clone (Tagger construction len state) = Tagger construction len <$> cloneState state

-- | Overwrites the memory of the tagger. Later operations on it throw 'Wiped'.
wipe :: PrimMonad m => Tagger (PrimState m) -> m ()
wipe (Tagger Hmac _ state) = withState state c_hmac_wipe
wipe (Tagger KmacSponge _ state) = withState state c_kmac_wipe

-- | Creates the output stream of KMACXOF128 or KMACXOF256 for the message so far. Read it with the functions of
-- "Hashwell.XOF". Returns 'Unsupported' for HMAC.
kmacReader :: PrimMonad m => Tagger (PrimState m) -> m (Either Error (Reader (PrimState m)))
kmacReader (Tagger Hmac _ _) = pure (Left Unsupported)
kmacReader (Tagger KmacSponge _ state) = Reader.kmacReader state
