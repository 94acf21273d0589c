-- |
-- Tags that are compared in constant time: HMAC (RFC 2104) over every digest that has it, KMAC (SP 800-185), and the
-- keyed modes of BLAKE2 and BLAKE3.
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
import Hashwell.Internal.Foreign
import Hashwell.Internal.Hasher (appendLazyTo, appendTo, thrown)
import Hashwell.Internal.Layout
import Hashwell.Internal.Memory
import Hashwell.Internal.Params (Params (..), plain)
import Hashwell.Internal.Reader (Reader)
import qualified Hashwell.Internal.Reader as Reader
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.State
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | A tag. '==' takes time that depends on lengths only; it is 'False' for empty tags, which prove nothing.
newtype MAC = MAC ByteString
  deriving (Show)

instance Eq MAC where
  MAC a == MAC b = not (B.null a) && equal a b

-- | Whether byte strings are equal, in time that depends on their lengths only.
equal :: ByteString -> ByteString -> Bool
equal a b = B.length a == B.length b && same
  where
    same = unsafeDupablePerformIO (withBytes a $ \p n -> withBytes b $ \q _ ->
      (== 0) <$> long (B.length a) c_compare c_compare_safe p q n)

-- | The HMAC tag of a message: key, then message. 'Unsupported' where HMAC is not defined over the algorithm.
hmac :: Algorithm -> ByteString -> ByteString -> Either Error MAC
hmac a@(Algorithm n) k = ifHmac a . MAC . tag n (outputLen a) k

-- | The same of a lazy message, in constant memory.
hmacLazy :: Algorithm -> ByteString -> BL.ByteString -> Either Error MAC
hmacLazy a@(Algorithm n) k = ifHmac a . MAC . tagLazy n (outputLen a) k

ifHmac :: Algorithm -> r -> Either Error r
ifHmac a r = if hasHmac a then Right r else Left Unsupported

-- | HMAC tags of many messages under one key, side by side in the lanes of the CPU's vectors.
hmacMany :: Algorithm -> ByteString -> [ByteString] -> Either Error [MAC]
hmacMany a@(Algorithm n) k messages =
  map MAC . slices count each <$> attempt (count * each) (\out len ->
    withMany [k] $ \ks kns kn -> withMany messages $ \at ns m ->
      long (sum (map ((+ 256) . B.length) (k : messages))) c_hmac_many c_hmac_many_safe n ks kns kn at ns m out len)
  where
    each = outputLen a
    count = length messages

-- | The tag of so many bytes by KMAC: key, customization, message. Its length changes all of the tag.
kmac :: Kmac -> Int -> ByteString -> ByteString -> ByteString -> MAC
kmac which len k s message = runST $ do
  tagger <- newKmac which len k s
  update tagger message
  finalize tagger

-- | The tag by an algorithm that takes a key itself: BLAKE2 and BLAKE3. 'Unsupported' for the others, 'OutOfRange' for
-- a key of the wrong length.
keyed :: Algorithm -> ByteString -> ByteString -> Either Error MAC
keyed a k message = MAC <$> hashWith a plain { key = Just k } message

-- | A tag in the middle of its message: plain data in pinned memory, which the collector frees. 'wipe' it, since it
-- knows what the key knows.
data Tagger s = Tagger !Construction !Int !(State s)

data Construction = Hmac | KmacSponge

-- | The two strengths of KMAC.
data Kmac = Kmac128 | Kmac256
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | Begins an HMAC under a key.
newHmac :: PrimMonad m => Algorithm -> ByteString -> m (Either Error (Tagger (PrimState m)))
newHmac a@(Algorithm n) k = do
  state <- newState hmacSize
  code <- withState state (\h -> withBytes k (long (B.length k) c_hmac_init c_hmac_init_safe h n))
  pure (maybe (Right (Tagger Hmac (outputLen a) state)) Left (fromCode code))

-- | Begins a KMAC whose tag has so many bytes, under a key and a customization.
newKmac :: PrimMonad m => Kmac -> Int -> ByteString -> ByteString -> m (Tagger (PrimState m))
newKmac which len k s = do
  state <- newState kmacSize
  thrown state $ \h -> withBytes k $ \p n -> withBytes s $ \q m ->
    long (B.length k + B.length s) c_kmac_init c_kmac_init_safe h bits p n q m
  pure (Tagger KmacSponge (max 0 len) state)
  where
    bits = case which of Kmac128 -> 128; Kmac256 -> 256

-- | Appends to the message, in pieces of any length.
update :: PrimMonad m => Tagger (PrimState m) -> ByteString -> m ()
update (Tagger Hmac _ state) = appendTo c_hmac_update c_hmac_update_safe state
update (Tagger KmacSponge _ state) = appendTo c_kmac_update c_kmac_update_safe state

-- | Appends a lazy byte string, chunk by chunk. Should one of its chunks throw, the chunks before it were appended.
updateLazy :: PrimMonad m => Tagger (PrimState m) -> BL.ByteString -> m ()
updateLazy (Tagger Hmac _ state) = appendLazyTo c_hmac_update c_hmac_update_safe state
updateLazy (Tagger KmacSponge _ state) = appendLazyTo c_kmac_update c_kmac_update_safe state

-- | The tag of the message so far. More may follow.
finalize :: PrimMonad m => Tagger (PrimState m) -> m MAC
finalize (Tagger construction len state) = withState state $ \h ->
  MAC <$> BI.create len (\out -> final construction h out (fromIntegral len) >>= check)
  where
    final Hmac = c_hmac_final
    final KmacSponge = long len c_kmac_final c_kmac_final_safe

-- | Whether this is the whole tag of the message so far, in time that depends on lengths only.
verify :: PrimMonad m => Tagger (PrimState m) -> ByteString -> m Bool
verify tagger t = (== MAC t) <$> finalize tagger

-- | Forgets the message, keeps the key.
reset :: PrimMonad m => Tagger (PrimState m) -> m ()
reset (Tagger construction _ state) = thrown state (resetting construction)
  where
    resetting :: Construction -> Handle -> IO CInt
    resetting Hmac = c_hmac_reset
    resetting KmacSponge = c_kmac_reset

-- | Another one that goes on from the same point.
clone :: PrimMonad m => Tagger (PrimState m) -> m (Tagger (PrimState m))
clone (Tagger construction len state) = Tagger construction len <$> cloneState state

-- | Overwrites its memory. What is done with it after that throws 'Wiped'.
wipe :: PrimMonad m => Tagger (PrimState m) -> m ()
wipe (Tagger Hmac _ state) = withState state c_hmac_wipe
wipe (Tagger KmacSponge _ state) = withState state c_kmac_wipe

-- | KMACXOF128 or KMACXOF256: the output stream of the message so far, to be read as in "Hashwell.XOF". 'Unsupported'
-- for HMAC.
kmacReader :: PrimMonad m => Tagger (PrimState m) -> m (Either Error (Reader (PrimState m)))
kmacReader (Tagger Hmac _ _) = pure (Left Unsupported)
kmacReader (Tagger KmacSponge _ state) = Reader.kmacReader state
