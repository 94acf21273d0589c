{-# LANGUAGE OverloadedStrings #-}

-- | The key of a draw, which is derived from the seed, the context and the list, and the keys derived from it. Random
-- streams use the same keys, with their personalization as the context and without a list (@docs\/guides\/random.md@).
module Hashwell.Draw.Key
  ( Key (..)
  , derive
  , openList
  , Purpose (..)
  , child
  , childNumber
  , ticketOf
  , number
  , field
  , natural
  ) where

import qualified Crypto.Hash.SHA256 as SHA256
import Data.Bits (shiftL, (.|.))
import qualified Data.ByteString as B
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Lazy as L
import Data.Word (Word64)
import Hashwell.Internal.Equal (equal)

-- | A key of 32 bytes, from which random numbers, tickets and other keys are derived. It is as secret as the stream:
-- 'show' hides it, and comparison takes constant time.
newtype Key = Key B.ByteString

instance Eq Key where
  Key a == Key b = equal a b

instance Show Key where
  show _ = "<key>"

-- | Encodes a number as 8 big-endian bytes.
number :: Word64 -> B.ByteString
number = L.toStrict . Builder.toLazyByteString . Builder.word64BE

-- | Prefixes bytes with their length.
field :: B.ByteString -> B.ByteString
field bytes = number (fromIntegral (B.length bytes)) <> bytes

-- | Decodes big-endian bytes as a number.
natural :: B.ByteString -> Integer
natural = B.foldl' (\n byte -> n `shiftL` 8 .|. toInteger byte) 0

-- | Derives the key from a seed, a context and the digest of a list.
derive :: B.ByteString -> B.ByteString -> B.ByteString -> Key
derive seed context digest = Key (SHA256.hash (B.concat ["hwdraw/1", field seed, field context, digest]))

-- | The digest used for a list that was not fixed before the draw.
openList :: B.ByteString
openList = B.replicate 32 0

-- | The purpose of a derived key. It selects the byte that is appended to the parent key.
data Purpose = OfStratum | OfChild | OfJump | OfOthers | OfRow | OfAllocation

-- | Derives a key from a label, the bytes of a number, an id, or no bytes (for 'OfAllocation').
child :: Purpose -> Key -> B.ByteString -> Key
child purpose (Key key) name = Key (SHA256.hash (B.concat [key, B.singleton byte, name]))
  where
    byte = case purpose of
      OfStratum -> 2
      OfChild -> 3
      OfJump -> 4
      OfOthers -> 5
      OfRow -> 6
      OfAllocation -> 7

-- | The key of child i of a random stream.
childNumber :: Key -> Word64 -> Key
childNumber key = child OfChild key . number

-- | The ticket of an id: 128 bits.
ticketOf :: Key -> B.ByteString -> Integer
ticketOf (Key key) name = natural (B.take 16 (SHA256.hash (B.concat [key, "\1", name])))
