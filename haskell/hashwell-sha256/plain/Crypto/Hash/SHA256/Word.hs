-- |
-- The six functions of FIPS 180-4 section 4.1.2 on 'Word32', for 32-bit machines and for LLVM, which has rotations.
module Crypto.Hash.SHA256.Word (W, constant, ch, maj, bsig0, bsig1, ssig0, ssig1) where

import Data.Bits (complement, rotateR, unsafeShiftR, xor, (.&.), (.|.))
import Data.Word (Word32)

-- | A word of 32 bits.
type W = Word32

-- | A round constant.
constant :: Word -> W
constant = fromIntegral

ch, maj :: W -> W -> W -> W
ch x y z = (x .&. y) `xor` (complement x .&. z)
maj x y z = (x .&. (y .|. z)) .|. (y .&. z)

bsig0, bsig1, ssig0, ssig1 :: W -> W
bsig0 x = rotateR x 2 `xor` rotateR x 13 `xor` rotateR x 22
bsig1 x = rotateR x 6 `xor` rotateR x 11 `xor` rotateR x 25
ssig0 x = rotateR x 7 `xor` rotateR x 18 `xor` unsafeShiftR x 3
ssig1 x = rotateR x 17 `xor` rotateR x 19 `xor` unsafeShiftR x 10
{-# INLINE constant #-}
{-# INLINE ch #-}
{-# INLINE maj #-}
{-# INLINE bsig0 #-}
{-# INLINE bsig1 #-}
{-# INLINE ssig0 #-}
{-# INLINE ssig1 #-}
