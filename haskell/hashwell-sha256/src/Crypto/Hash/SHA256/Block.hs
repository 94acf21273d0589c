{-# LANGUAGE BangPatterns #-}

-- |
-- The compression function of SHA-224 and SHA-256: FIPS 180-4 sections 4.2.2 and 6.2.2.
module Crypto.Hash.SHA256.Block (State (..), Block (..), blockOf, eachWord, compress, blocks, word) where

import Crypto.Hash.SHA256.Word
import Data.ByteString.Internal (accursedUnutterablePerformIO)
import Data.Function ((&))
import Data.Word (Word32, Word8, byteSwap32)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (peekElemOff)
import GHC.ByteOrder (ByteOrder (..), targetByteOrder)

-- | The hash value H, or the working variables a to h.
data State = State !W !W !W !W !W !W !W !W

-- | A message block, or the next sixteen words of the message schedule.
data Block = Block !W !W !W !W !W !W !W !W !W !W !W !W !W !W !W !W

-- | The variables of step 3 of section 6.2.2. The schedule comes first, which leaves more of the state in registers.
data Step = Step !Block !State

-- | One value of t in step 3, with the round constant K_t. The schedule moves on by one word, as in step 1.
step :: Word -> Step -> Step
step k (Step (Block w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15) (State a b c d e f g h)) =
  Step (Block w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16) (State (t1 + t2) a b c (d + t1) e f g)
  where
    t1 = h + bsig1 e + ch e f g + constant k + w0
    t2 = bsig0 a + maj a b c
    w16 = ssig1 w14 + w9 + ssig0 w1 + w0
{-# INLINE step #-}

-- | Eight values of t.
rounds :: Word -> Word -> Word -> Word -> Word -> Word -> Word -> Word -> Step -> Step
rounds k0 k1 k2 k3 k4 k5 k6 k7 s =
  s & step k0 & step k1 & step k2 & step k3 & step k4 & step k5 & step k6 & step k7
{-# INLINE rounds #-}

-- | The next hash value. The constants are in the order and the rows of section 4.2.2.
compressed :: Block -> State -> State
compressed block initial = Step block initial
  & rounds 0x428a2f98 0x71374491 0xb5c0fbcf 0xe9b5dba5 0x3956c25b 0x59f111f1 0x923f82a4 0xab1c5ed5
  & rounds 0xd807aa98 0x12835b01 0x243185be 0x550c7dc3 0x72be5d74 0x80deb1fe 0x9bdc06a7 0xc19bf174
  & rounds 0xe49b69c1 0xefbe4786 0x0fc19dc6 0x240ca1cc 0x2de92c6f 0x4a7484aa 0x5cb0a9dc 0x76f988da
  & rounds 0x983e5152 0xa831c66d 0xb00327c8 0xbf597fc7 0xc6e00bf3 0xd5a79147 0x06ca6351 0x14292967
  & rounds 0x27b70a85 0x2e1b2138 0x4d2c6dfc 0x53380d13 0x650a7354 0x766a0abb 0x81c2c92e 0x92722c85
  & rounds 0xa2bfe8a1 0xa81a664b 0xc24b8b70 0xc76c51a3 0xd192e819 0xd6990624 0xf40e3585 0x106aa070
  & rounds 0x19a4c116 0x1e376c08 0x2748774c 0x34b0bcb5 0x391c0cb3 0x4ed8aa4a 0x5b9cca4f 0x682e6ff3
  & rounds 0x748f82ee 0x78a5636f 0x84c87814 0x8cc70208 0x90befffa 0xa4506ceb 0xbef9a3f7 0xc67178f2
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
  | otherwise = blocks (p `plusPtr` 64) (n - 1) (compressed (blockOf (word p)) s)

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
  where
    bigEndian :: Word32 -> Word32
    bigEndian = if targetByteOrder == LittleEndian then byteSwap32 else id
{-# INLINE word #-}
