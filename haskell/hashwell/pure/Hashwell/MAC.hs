-- | HMAC (RFC 2104) over SHA-2 in pure Haskell. Tags are compared without stopping at the first difference. The names
-- and types are those of the module over the C library, except that KMAC and the keyed modes of BLAKE2 and BLAKE3 are
-- missing.
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
    -- * Many messages
  , hmacMany
    -- * A message in pieces
  , Tagger
  , newHmac
  , update
  , updateLazy
  , finalize
  , verify
  , reset
  , clone
  , wipe
    -- * Algorithms
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.Bits (xor)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import Hashwell.Algorithm
import Hashwell.Error (Error (..))
import Hashwell.Internal.Equal (equal)
import Hashwell.Internal.Row (Functions (..), Progress (..), rowFunctions)
import Hashwell.Internal.Tag
import Hashwell.Internal.Variable

-- | Computes the HMAC tag, from the key and the message.
hmac :: Algorithm -> ByteString -> ByteString -> Either Error MAC
hmac a k = Right . MAC . hmacOf (rowFunctions a) k

-- | Computes the HMAC tag of a lazy message in constant memory.
hmacLazy :: Algorithm -> ByteString -> BL.ByteString -> Either Error MAC
hmacLazy a k = Right . MAC . hmacLazyOf (rowFunctions a) k

-- | Computes the HMAC tags of many messages with one key, which is prepared once.
hmacMany :: Algorithm -> ByteString -> [ByteString] -> Either Error [MAC]
hmacMany a k = Right . map (MAC . tag)
  where
    tag = hmacOf (rowFunctions a) k

-- | An HMAC in progress. It is as secret as the key.
newtype Tagger s = Tagger (Variable s Tagging)

-- The inner hash, the inner hash of the empty message, and the outer hash of the empty message.
data Tagging = Tagging !Progress !Progress !Progress

-- | Creates an HMAC in progress.
newHmac :: PrimMonad m => Algorithm -> ByteString -> m (Either Error (Tagger (PrimState m)))
newHmac a k = Right . Tagger <$> newVariable (Tagging inner inner outer)
  where
    inner = padded 0x36
    outer = padded 0x5c
    padded byte = feedTo (startOf (rowFunctions a)) (B.map (xor byte) block)
    block = short <> B.replicate (blockLen a - B.length short) 0
    short = if B.length k > blockLen a then hashOf (rowFunctions a) k else k

-- | Appends to the message.
update :: PrimMonad m => Tagger (PrimState m) -> ByteString -> m ()
update (Tagger var) piece = change var (\(Tagging now inner outer) -> Tagging (feedTo now piece) inner outer)

-- | Appends a lazy byte string, chunk by chunk. If evaluating a chunk throws, the chunks before it have been appended.
updateLazy :: PrimMonad m => Tagger (PrimState m) -> BL.ByteString -> m ()
updateLazy tagger = mapM_ (update tagger) . BL.toChunks

-- | Computes the tag of the message so far. You can append more afterwards.
finalize :: PrimMonad m => Tagger (PrimState m) -> m MAC
finalize (Tagger var) = (\(Tagging now _ outer) -> MAC (finished (feedTo outer (finished now)))) <$> value var

-- | Returns 'True' if this is the whole tag of the message so far. The comparison doesn't stop at the first difference.
verify :: PrimMonad m => Tagger (PrimState m) -> ByteString -> m Bool
verify tagger t = (== MAC t) <$> finalize tagger

-- | Starts a new message with the same key.
reset :: PrimMonad m => Tagger (PrimState m) -> m ()
reset (Tagger var) = change var (\(Tagging _ inner outer) -> Tagging inner inner outer)

-- | Creates an independent copy.
clone :: PrimMonad m => Tagger (PrimState m) -> m (Tagger (PrimState m))
clone (Tagger var) = Tagger <$> (value var >>= newVariable)

-- | Discards the state. The memory isn't overwritten. Later operations on the tagger throw 'Wiped'.
wipe :: PrimMonad m => Tagger (PrimState m) -> m ()
wipe (Tagger var) = discard var
