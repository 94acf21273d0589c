{-# LANGUAGE MagicHash #-}

-- |
-- The six functions of FIPS 180-4 section 4.1.2 for 64-bit machines. A 32-bit word is the low half of a 'W'; the high
-- half is undefined. Sums, 'ch' and 'maj' carry nothing from the high half into the low half, so they need no masks. A
-- rotation is one shift of the word written twice in a row.
module Crypto.Hash.SHA256.Word (W, constant, ch, maj, bsig0, bsig1, ssig0, ssig1) where

import Data.Bits (complement, unsafeShiftL, unsafeShiftR, xor, (.&.), (.|.))
import GHC.Exts (Word (..), int2Word#, narrow32Int#, narrow32Word#, word2Int#)

-- | A word whose low 32 bits count.
type W = Word

-- | A round constant as a sign-extended number, which x86-64 can add without loading it first.
constant :: Word -> W
constant (W# k) = W# (int2Word# (narrow32Int# (word2Int# k)))

-- | The word with a cleared high half.
low :: W -> Word
low (W# x) = W# (narrow32Word# x)

-- | The word in both halves, so that a right shift by n has ROTR^n in its low half.
doubled :: W -> Word
doubled x = low x .|. unsafeShiftL x 32

ch, maj :: W -> W -> W -> W
ch x y z = (x .&. y) `xor` (complement x .&. z)
maj x y z = (x .&. (y .|. z)) .|. (y .&. z)

bsig0, bsig1, ssig0, ssig1 :: W -> W
bsig0 x = unsafeShiftR d 2 `xor` unsafeShiftR d 13 `xor` unsafeShiftR d 22 where d = doubled x
bsig1 x = unsafeShiftR d 6 `xor` unsafeShiftR d 11 `xor` unsafeShiftR d 25 where d = doubled x
ssig0 x = unsafeShiftR d 7 `xor` unsafeShiftR d 18 `xor` unsafeShiftR (low x) 3 where d = doubled x
ssig1 x = unsafeShiftR d 17 `xor` unsafeShiftR d 19 `xor` unsafeShiftR (low x) 10 where d = doubled x
{-# INLINE constant #-}
{-# INLINE low #-}
{-# INLINE doubled #-}
{-# INLINE ch #-}
{-# INLINE maj #-}
{-# INLINE bsig0 #-}
{-# INLINE bsig1 #-}
{-# INLINE ssig0 #-}
{-# INLINE ssig1 #-}
