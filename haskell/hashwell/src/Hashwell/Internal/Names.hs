-- Written by generate.py. Change that.

-- |
-- The algorithms' numbers, which are a promise of the C interface, under their names.
module Hashwell.Internal.Names
  ( sha1
  , sha224
  , sha256
  , sha384
  , sha512
  , sha512_224
  , sha512_256
  , sm3
  , sha3_224
  , sha3_256
  , sha3_384
  , sha3_512
  , shake128
  , shake256
  , cshake128
  , cshake256
  , turboshake128
  , turboshake256
  , kt128
  , kt256
  , blake2b_256
  , blake2b_512
  , blake2bp_512
  , blake2s_256
  , blake2sp_256
  , blake3
  , ascon_hash256
  , ascon_xof128
  , ascon_cxof128
  , ascon_xof_v1_2
  , ascon_xofa_v1_2
  , ripemd160
  , sha256_90r
  ) where

import Hashwell.Internal.Registry (Algorithm (..))

-- | SHA-1: FIPS 180-4 section 6.1.
sha1 :: Algorithm
sha1 = Algorithm 1

-- | SHA-224: FIPS 180-4 section 6.3.
sha224 :: Algorithm
sha224 = Algorithm 2

-- | SHA-256: FIPS 180-4 section 6.2.
sha256 :: Algorithm
sha256 = Algorithm 3

-- | SHA-384: FIPS 180-4 section 6.5.
sha384 :: Algorithm
sha384 = Algorithm 4

-- | SHA-512: FIPS 180-4 section 6.4.
sha512 :: Algorithm
sha512 = Algorithm 5

-- | SHA-512/224: FIPS 180-4 section 6.6.
sha512_224 :: Algorithm
sha512_224 = Algorithm 6

-- | SHA-512/256: FIPS 180-4 section 6.7.
sha512_256 :: Algorithm
sha512_256 = Algorithm 7

-- | SM3: GB/T 32905-2016.
sm3 :: Algorithm
sm3 = Algorithm 31

-- | SHA3-224: FIPS 202 section 6.1.
sha3_224 :: Algorithm
sha3_224 = Algorithm 8

-- | SHA3-256: FIPS 202 section 6.1.
sha3_256 :: Algorithm
sha3_256 = Algorithm 9

-- | SHA3-384: FIPS 202 section 6.1.
sha3_384 :: Algorithm
sha3_384 = Algorithm 10

-- | SHA3-512: FIPS 202 section 6.1.
sha3_512 :: Algorithm
sha3_512 = Algorithm 11

-- | SHAKE128: FIPS 202 section 6.2.
shake128 :: Algorithm
shake128 = Algorithm 12

-- | SHAKE256: FIPS 202 section 6.2.
shake256 :: Algorithm
shake256 = Algorithm 13

-- | cSHAKE128: SP 800-185 section 3.
cshake128 :: Algorithm
cshake128 = Algorithm 14

-- | cSHAKE256: SP 800-185 section 3.
cshake256 :: Algorithm
cshake256 = Algorithm 15

-- | TurboSHAKE128: RFC 9861 section 2.
turboshake128 :: Algorithm
turboshake128 = Algorithm 16

-- | TurboSHAKE256: RFC 9861 section 2.
turboshake256 :: Algorithm
turboshake256 = Algorithm 17

-- | KT128: RFC 9861 section 3.
kt128 :: Algorithm
kt128 = Algorithm 18

-- | KT256: RFC 9861 section 3.
kt256 :: Algorithm
kt256 = Algorithm 19

-- | BLAKE2b-256: RFC 7693.
blake2b_256 :: Algorithm
blake2b_256 = Algorithm 20

-- | BLAKE2b-512: RFC 7693.
blake2b_512 :: Algorithm
blake2b_512 = Algorithm 21

-- | BLAKE2bp-512: BLAKE2 paper section 2.10.
blake2bp_512 :: Algorithm
blake2bp_512 = Algorithm 22

-- | BLAKE2s-256: RFC 7693.
blake2s_256 :: Algorithm
blake2s_256 = Algorithm 23

-- | BLAKE2sp-256: BLAKE2 paper section 2.10.
blake2sp_256 :: Algorithm
blake2sp_256 = Algorithm 32

-- | BLAKE3: BLAKE3 paper section 2.
blake3 :: Algorithm
blake3 = Algorithm 24

-- | Ascon-Hash256: SP 800-232 section 5.1.
ascon_hash256 :: Algorithm
ascon_hash256 = Algorithm 25

-- | Ascon-XOF128: SP 800-232 section 5.2.
ascon_xof128 :: Algorithm
ascon_xof128 = Algorithm 26

-- | Ascon-CXOF128: SP 800-232 section 5.3.
ascon_cxof128 :: Algorithm
ascon_cxof128 = Algorithm 27

-- | Ascon-Xof v1.2: Ascon v1.2 section 2.5.
ascon_xof_v1_2 :: Algorithm
ascon_xof_v1_2 = Algorithm 28

-- | Ascon-Xofa v1.2: Ascon v1.2 section 2.5.
ascon_xofa_v1_2 :: Algorithm
ascon_xofa_v1_2 = Algorithm 29

-- | RIPEMD-160: RIPEMD-160, 1996, appendix A.
ripemd160 :: Algorithm
ripemd160 = Algorithm 33

-- | SHA256-90R: docs/spec/sha256-90r.md.
sha256_90r :: Algorithm
sha256_90r = Algorithm 30
