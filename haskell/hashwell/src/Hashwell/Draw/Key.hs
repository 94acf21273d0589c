{-# LANGUAGE OverloadedStrings #-}

-- | Keys: what a seed, a context and a list give, and what comes from it. Those of random streams are the same, with
-- the context that tells uses of a seed apart and no list (@docs\/random.md@).
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
import Hashwell.MAC (equal)

-- | 32 bytes, from which words, tickets and other keys come. Whoever has them has the stream: they are not shown, and
-- compared in time that depends on their number only.
newtype Key = Key B.ByteString

instance Eq Key where
  Key a == Key b = equal a b

instance Show Key where
  show _ = "<key>"

-- | 8 bytes, big-endian.
number :: Word64 -> B.ByteString
number = L.toStrict . Builder.toLazyByteString . Builder.word64BE

-- | Bytes behind their length.
field :: B.ByteString -> B.ByteString
field bytes = number (fromIntegral (B.length bytes)) <> bytes

-- | Big-endian bytes as a number.
natural :: B.ByteString -> Integer
natural = B.foldl' (\n byte -> n `shiftL` 8 .|. toInteger byte) 0

-- | The key of a seed, a context and a list's digest.
derive :: B.ByteString -> B.ByteString -> B.ByteString -> Key
derive seed context digest = Key (SHA256.hash (B.concat ["hwdraw/1", field seed, field context, digest]))

-- | The digest of a list that nobody listed before.
openList :: B.ByteString
openList = B.replicate 32 0

-- | What the byte behind a key stands for, where another key follows from it.
data Purpose = OfStratum | OfChild | OfJump | OfOthers | OfRow | OfAllocation

-- | The key for a label, a number's bytes, an id, or no bytes ('OfAllocation').
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

-- | Child i of a random stream.
childNumber :: Key -> Word64 -> Key
childNumber key = child OfChild key . number

-- | The ticket of an id: 128 bits.
ticketOf :: Key -> B.ByteString -> Integer
ticketOf (Key key) name = natural (B.take 16 (SHA256.hash (B.concat [key, "\1", name])))
