-- |
-- The six functions of FIPS 180-4 section 4.1.3 for 64-bit machines and GHC's own code generator, which has no rotations.
-- A rotation is a right shift and a left shift. The right shifts of a function are nested, and so are the left shifts:
-- (x >> 5 ^ x) >> 6 is x >> 11 ^ x >> 6. That is a third faster, because the code has fewer moves between registers.
module Crypto.Hash.SHA512.Word (W, ch, maj, bsig0, bsig1, ssig0, ssig1) where

import Data.Bits (unsafeShiftL, unsafeShiftR, xor, (.&.), (.|.))

-- | A word of 64 bits. 'Word' is faster than 'Data.Word.Word64' with some versions of GHC.
type W = Word

ch, maj :: W -> W -> W -> W
ch x y z = z `xor` (x .&. (y `xor` z))
maj x y z = (x .&. (y .|. z)) .|. (y .&. z)

bsig0, bsig1, ssig0, ssig1 :: W -> W
-- ROTR^28 ^ ROTR^34 ^ ROTR^39: right by 28, 28 + 6, 28 + 6 + 5; left by 25, 25 + 5, 25 + 5 + 6.
bsig0 x = rights 5 6 28 x `xor` lefts 6 5 25 x
-- ROTR^14 ^ ROTR^18 ^ ROTR^41: right by 14, 14 + 4, 14 + 4 + 23; left by 23, 23 + 23, 23 + 23 + 4.
bsig1 x = rights 23 4 14 x `xor` lefts 4 23 23 x
-- ROTR^1 ^ ROTR^8 ^ SHR^7: right by 1, 1 + 6, 1 + 6 + 1; left by 56, 56 + 7.
ssig0 x = rights 1 6 1 x `xor` (unsafeShiftL x 7 `xor` x) `unsafeShiftL` 56
-- ROTR^19 ^ ROTR^61 ^ SHR^6: right by 6, 6 + 13, 6 + 13 + 42; left by 3, 3 + 42.
ssig1 x = rights 42 13 6 x `xor` (unsafeShiftL x 42 `xor` x) `unsafeShiftL` 3

-- | The sum of x shifted right by k, by k + j, and by k + j + i; and the same to the left.
rights, lefts :: Int -> Int -> Int -> W -> W
rights i j k x = (((x `unsafeShiftR` i) `xor` x) `unsafeShiftR` j `xor` x) `unsafeShiftR` k
lefts i j k x = (((x `unsafeShiftL` i) `xor` x) `unsafeShiftL` j `xor` x) `unsafeShiftL` k
{-# INLINE ch #-}
{-# INLINE maj #-}
{-# INLINE bsig0 #-}
{-# INLINE bsig1 #-}
{-# INLINE ssig0 #-}
{-# INLINE ssig1 #-}
{-# INLINE rights #-}
{-# INLINE lefts #-}
