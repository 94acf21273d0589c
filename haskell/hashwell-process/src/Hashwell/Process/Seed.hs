{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE OverloadedStrings #-}

-- | The random numbers of a process's seed: keys are derived with SHA-256, and numbers are the output
-- of BLAKE3, as @docs\/spec\/process.md@ specifies.
module Hashwell.Process.Seed
  ( Key (..)
  , processKey
  , childKey
  , numbers
  ) where

import qualified Crypto.Hash.SHA256 as SHA256
import Data.Bits (rotateR, shiftL, shiftR, xor, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.Word (Word32, Word64, byteSwap32)

-- | A key of 32 bytes.
newtype Key = Key ByteString

-- | The key of a seed of any length.
processKey :: ByteString -> Key
processKey seed = Key (SHA256.hash (B.concat ["hwdraw/1", field seed, field "hashwell process/1", B.replicate 32 0]))
  where
    field bytes = number (fromIntegral (B.length bytes)) <> bytes

-- | The key of the replicate with this number.
childKey :: Key -> Word64 -> Key
childKey (Key key) i = Key (SHA256.hash (B.concat [key, "\3", number i]))

-- | Encodes a number as 8 big-endian bytes.
number :: Word64 -> ByteString
number n = B.pack [fromIntegral (n `shiftR` i) | i <- [56, 48 .. 0]]

-- | The 64-bit numbers of a key: the BLAKE3 output of its 32 bytes, in big-endian order. The message has one block, so
-- block i of the output is the compression function with counter i.
numbers :: Key -> [Word64]
numbers (Key key) = foldr (\i rest -> listed (output i) rest) [] [0 ..]
  where
    output i = compressed i (Rows (word 0) (word 4) (word 8) (word 12) (word 16) (word 20) (word 24) (word 28)
      0 0 0 0 0 0 0 0)
    word i = B.foldr (\byte w -> w `shiftL` 8 .|. fromIntegral byte) 0 (B.take 4 (B.drop i key))

-- | Sixteen words: a message block, or the state with its rows of four words.
data Rows = Rows
  !Word32 !Word32 !Word32 !Word32 !Word32 !Word32 !Word32 !Word32
  !Word32 !Word32 !Word32 !Word32 !Word32 !Word32 !Word32 !Word32

-- | Four words of the state.
data Quarter = Quarter !Word32 !Word32 !Word32 !Word32

-- | The output of block i (section 2.2 of the BLAKE3 paper), for a message of 32 bytes that is its only block.
compressed :: Word64 -> Rows -> Rows
compressed i message = go (7 :: Int) message (Rows 0x6a09e667 0xbb67ae85 0x3c6ef372 0xa54ff53a
    0x510e527f 0x9b05688c 0x1f83d9ab 0x5be0cd19 0x6a09e667 0xbb67ae85 0x3c6ef372 0xa54ff53a
    (fromIntegral i) (fromIntegral (i `shiftR` 32)) 32 flags)
  where
    flags = 1 + 2 + 8 -- CHUNK_START, CHUNK_END and ROOT
    go !n !m !v
      | n == 0 = final v
      | otherwise = go (n - 1) (permuted m) (mixed m v)
    final (Rows v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14 v15) = Rows
      (v0 `xor` v8) (v1 `xor` v9) (v2 `xor` v10) (v3 `xor` v11)
      (v4 `xor` v12) (v5 `xor` v13) (v6 `xor` v14) (v7 `xor` v15)
      (v8 `xor` 0x6a09e667) (v9 `xor` 0xbb67ae85) (v10 `xor` 0x3c6ef372) (v11 `xor` 0xa54ff53a)
      (v12 `xor` 0x510e527f) (v13 `xor` 0x9b05688c) (v14 `xor` 0x1f83d9ab) (v15 `xor` 0x5be0cd19)

-- | The message words in the order of the next round (table 2).
permuted :: Rows -> Rows
permuted (Rows m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15) =
  Rows m2 m6 m3 m10 m7 m0 m4 m13 m1 m11 m12 m5 m9 m14 m15 m8
{-# INLINE permuted #-}

-- | A round: the columns, then the diagonals.
mixed :: Rows -> Rows -> Rows
mixed (Rows m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15)
  (Rows v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14 v15) =
    case g v0 v4 v8 v12 m0 m1 of { Quarter a0 b0 c0 d0 ->
    case g v1 v5 v9 v13 m2 m3 of { Quarter a1 b1 c1 d1 ->
    case g v2 v6 v10 v14 m4 m5 of { Quarter a2 b2 c2 d2 ->
    case g v3 v7 v11 v15 m6 m7 of { Quarter a3 b3 c3 d3 ->
    case g a0 b1 c2 d3 m8 m9 of { Quarter w0 w5 w10 w15 ->
    case g a1 b2 c3 d0 m10 m11 of { Quarter w1 w6 w11 w12 ->
    case g a2 b3 c0 d1 m12 m13 of { Quarter w2 w7 w8 w13 ->
    case g a3 b0 c1 d2 m14 m15 of { Quarter w3 w4 w9 w14 ->
    Rows w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 }}}}}}}}
{-# INLINE mixed #-}

-- | The quarter round with two message words.
g :: Word32 -> Word32 -> Word32 -> Word32 -> Word32 -> Word32 -> Quarter
g a b c d x y = Quarter a2 b2 c2 d2
  where
    a1 = a + b + x
    d1 = rotateR (d `xor` a1) 16
    c1 = c + d1
    b1 = rotateR (b `xor` c1) 12
    a2 = a1 + b1 + y
    d2 = rotateR (d1 `xor` a2) 8
    c2 = c1 + d2
    b2 = rotateR (b1 `xor` c2) 7
{-# INLINE g #-}

-- | The 64-bit numbers of an output block, whose words are little-endian.
listed :: Rows -> [Word64] -> [Word64]
listed (Rows v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14 v15) rest =
  both v0 v1 : both v2 v3 : both v4 v5 : both v6 v7 : both v8 v9 : both v10 v11 : both v12 v13 : both v14 v15 : rest
  where
    both a b = fromIntegral (byteSwap32 a) `shiftL` 32 .|. fromIntegral (byteSwap32 b)
