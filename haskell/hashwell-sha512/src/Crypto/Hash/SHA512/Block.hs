{-# LANGUAGE BangPatterns #-}

-- |
-- The compression function of the SHA-512 family: FIPS 180-4 sections 4.2.3 and 6.4.2.
module Crypto.Hash.SHA512.Block (State (..), Block (..), blockOf, eachWord, compress, blocks, word, bigEndian) where

import Crypto.Hash.SHA512.Word
import Data.ByteString.Internal (accursedUnutterablePerformIO)
import Data.Function ((&))
import Data.Word (Word64, Word8, byteSwap64)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (peekElemOff)
import GHC.ByteOrder (ByteOrder (..), targetByteOrder)

-- | The hash value H, or the working variables a to h.
data State = State !W !W !W !W !W !W !W !W

-- | A message block, or the next sixteen words of the message schedule.
data Block = Block !W !W !W !W !W !W !W !W !W !W !W !W !W !W !W !W

-- | The variables of step 3 of section 6.4.2. The schedule comes first, which leaves more of the state in registers.
data Step = Step !Block !State

-- | One value of t in step 3, with the round constant K_t. The schedule moves on by one word, as in step 1.
step :: Word64 -> Step -> Step
step k (Step (Block w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15) (State a b c d e f g h)) =
  Step (Block w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16) (State (t1 + t2) a b c (d + t1) e f g)
  where
    t1 = h + bsig1 e + ch e f g + fromIntegral k + w0
    t2 = bsig0 a + maj a b c
    w16 = ssig1 w14 + w9 + ssig0 w1 + w0
{-# INLINE step #-}

-- | Four values of t.
rounds :: Word64 -> Word64 -> Word64 -> Word64 -> Step -> Step
rounds k0 k1 k2 k3 s = s & step k0 & step k1 & step k2 & step k3
{-# INLINE rounds #-}

-- | The next hash value. The constants are in the order and the rows of section 4.2.3.
compressed :: Block -> State -> State
compressed block initial = Step block initial
  & rounds 0x428a2f98d728ae22 0x7137449123ef65cd 0xb5c0fbcfec4d3b2f 0xe9b5dba58189dbbc
  & rounds 0x3956c25bf348b538 0x59f111f1b605d019 0x923f82a4af194f9b 0xab1c5ed5da6d8118
  & rounds 0xd807aa98a3030242 0x12835b0145706fbe 0x243185be4ee4b28c 0x550c7dc3d5ffb4e2
  & rounds 0x72be5d74f27b896f 0x80deb1fe3b1696b1 0x9bdc06a725c71235 0xc19bf174cf692694
  & rounds 0xe49b69c19ef14ad2 0xefbe4786384f25e3 0x0fc19dc68b8cd5b5 0x240ca1cc77ac9c65
  & rounds 0x2de92c6f592b0275 0x4a7484aa6ea6e483 0x5cb0a9dcbd41fbd4 0x76f988da831153b5
  & rounds 0x983e5152ee66dfab 0xa831c66d2db43210 0xb00327c898fb213f 0xbf597fc7beef0ee4
  & rounds 0xc6e00bf33da88fc2 0xd5a79147930aa725 0x06ca6351e003826f 0x142929670a0e6e70
  & rounds 0x27b70a8546d22ffc 0x2e1b21385c26c926 0x4d2c6dfc5ac42aed 0x53380d139d95b3df
  & rounds 0x650a73548baf63de 0x766a0abb3c77b2a8 0x81c2c92e47edaee6 0x92722c851482353b
  & rounds 0xa2bfe8a14cf10364 0xa81a664bbc423001 0xc24b8b70d0f89791 0xc76c51a30654be30
  & rounds 0xd192e819d6ef5218 0xd69906245565a910 0xf40e35855771202a 0x106aa07032bbd1b8
  & rounds 0x19a4c116b8d2d0c8 0x1e376c085141ab53 0x2748774cdf8eeb99 0x34b0bcb5e19b48a8
  & rounds 0x391c0cb3c5c95a63 0x4ed8aa4ae3418acb 0x5b9cca4f7763e373 0x682e6ff3d6b2b8a3
  & rounds 0x748f82ee5defb2fc 0x78a5636f43172f60 0x84c87814a1f0ab72 0x8cc702081a6439ec
  & rounds 0x90befffa23631e28 0xa4506cebde82bde9 0xbef9a3f7b2c67915 0xc67178f2e372532b
  & rounds 0xca273eceea26619c 0xd186b8c721c0c207 0xeada7dd6cde0eb1e 0xf57d4f7fee6ed178
  & rounds 0x06f067aa72176fba 0x0a637dc5a2c898a6 0x113f9804bef90dae 0x1b710b35131c471b
  & rounds 0x28db77f523047d84 0x32caab7b40c72493 0x3c9ebe0a15c9bebc 0x431d67c49c100d4c
  & rounds 0x4cc5d4becb3e42b6 0x597f299cfc657e2a 0x5fcb6fab3ad6faec 0x6c44198c4a475817
  & plus initial
{-# INLINE compressed #-}

-- | Step 4: the sum of the old hash value and the working variables.
plus :: State -> Step -> State
plus (State a b c d e f g h) (Step _ (State a' b' c' d' e' f' g' h')) =
  State (a + a') (b + b') (c + c') (d + d') (e + e') (f + f') (g + g') (h + h')
{-# INLINE plus #-}

-- | The next hash value after one block: a call, so that padding and HMAC share one copy of the code.
compress :: Block -> State -> State
compress = compressed
{-# NOINLINE compress #-}

-- | The hash value after this many blocks of memory, with the code of 'compressed' inside the loop.
blocks :: Ptr Word8 -> Int -> State -> State
blocks !p !n !s
  | n <= 0 = s
  | otherwise = blocks (p `plusPtr` 128) (n - 1) (compressed (blockOf (word p)) s)

-- | The block with these words.
blockOf :: (Int -> W) -> Block
blockOf w = Block (w 0) (w 1) (w 2) (w 3) (w 4) (w 5) (w 6) (w 7)
  (w 8) (w 9) (w 10) (w 11) (w 12) (w 13) (w 14) (w 15)
{-# INLINE blockOf #-}

-- | The block with this function of each word.
eachWord :: (W -> W) -> Block -> Block
eachWord f (Block w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15) = Block (f w0) (f w1) (f w2) (f w3)
  (f w4) (f w5) (f w6) (f w7) (f w8) (f w9) (f w10) (f w11) (f w12) (f w13) (f w14) (f w15)
{-# INLINE eachWord #-}

-- | Word i of memory, big-endian (section 3.1). The caller keeps the memory alive and unchanged.
word :: Ptr Word8 -> Int -> W
word p i = fromIntegral (bigEndian (accursedUnutterablePerformIO (peekElemOff (castPtr p) i)))
{-# INLINE word #-}

-- | Converts between the machine's byte order and the standard's.
bigEndian :: Word64 -> Word64
bigEndian = if targetByteOrder == LittleEndian then byteSwap64 else id
{-# INLINE bigEndian #-}
