-- |
-- The six functions of FIPS 180-4 section 4.1.3 on 'Word64', for 32-bit machines and for LLVM, which has rotations.
module Crypto.Hash.SHA512.Word (W, ch, maj, bsig0, bsig1, ssig0, ssig1) where

import Data.Bits (complement, rotateR, unsafeShiftR, xor, (.&.), (.|.))
import Data.Word (Word64)

-- | A word of 64 bits.
type W = Word64

ch, maj :: W -> W -> W -> W
ch x y z = (x .&. y) `xor` (complement x .&. z)
maj x y z = (x .&. (y .|. z)) .|. (y .&. z)

bsig0, bsig1, ssig0, ssig1 :: W -> W
bsig0 x = rotateR x 28 `xor` rotateR x 34 `xor` rotateR x 39
bsig1 x = rotateR x 14 `xor` rotateR x 18 `xor` rotateR x 41
ssig0 x = rotateR x 1 `xor` rotateR x 8 `xor` unsafeShiftR x 7
ssig1 x = rotateR x 19 `xor` rotateR x 61 `xor` unsafeShiftR x 6
{-# INLINE ch #-}
{-# INLINE maj #-}
{-# INLINE bsig0 #-}
{-# INLINE bsig1 #-}
{-# INLINE ssig0 #-}
{-# INLINE ssig1 #-}
