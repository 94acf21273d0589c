-- Written by generate.py. Change that.

-- |
-- The modules Crypto.Hash.* as values.
module Digests
  ( Digest (..)
  , digests
  ) where

import qualified Crypto.Hash.Ascon_CXOF128
import qualified Crypto.Hash.Ascon_Hash256
import qualified Crypto.Hash.Ascon_XOF128
import qualified Crypto.Hash.Ascon_XOF_v1_2
import qualified Crypto.Hash.Ascon_XOFa_v1_2
import qualified Crypto.Hash.BLAKE2b_256
import qualified Crypto.Hash.BLAKE2b_512
import qualified Crypto.Hash.BLAKE2bp_512
import qualified Crypto.Hash.BLAKE2s_256
import qualified Crypto.Hash.BLAKE2sp_256
import qualified Crypto.Hash.BLAKE3
import qualified Crypto.Hash.CSHAKE128
import qualified Crypto.Hash.CSHAKE256
import qualified Crypto.Hash.KT128
import qualified Crypto.Hash.KT256
import qualified Crypto.Hash.RIPEMD160
import qualified Crypto.Hash.SHA1
import qualified Crypto.Hash.SHA224
import qualified Crypto.Hash.SHA256
import qualified Crypto.Hash.SHA256_90r
import qualified Crypto.Hash.SHA384
import qualified Crypto.Hash.SHA3_224
import qualified Crypto.Hash.SHA3_256
import qualified Crypto.Hash.SHA3_384
import qualified Crypto.Hash.SHA3_512
import qualified Crypto.Hash.SHA512
import qualified Crypto.Hash.SHA512_224
import qualified Crypto.Hash.SHA512_256
import qualified Crypto.Hash.SHAKE128
import qualified Crypto.Hash.SHAKE256
import qualified Crypto.Hash.SM3
import qualified Crypto.Hash.TurboSHAKE128
import qualified Crypto.Hash.TurboSHAKE256
import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL

-- | What a module has.
data Digest = Digest
  { digestAlgorithm :: String
  , digestHash :: ByteString -> ByteString
  , digestHashLazy :: BL.ByteString -> ByteString
  , digestHmac :: Maybe
      (ByteString -> ByteString -> ByteString, ByteString -> BL.ByteString -> ByteString)
  , digestXof :: Maybe (Int -> ByteString -> ByteString, BL.ByteString -> BL.ByteString)
  }

-- | All of them, in the registry's order.
digests :: [Digest]
digests =
  [ Digest "sha1" Crypto.Hash.SHA1.hash Crypto.Hash.SHA1.hash_lazy
      (Just (Crypto.Hash.SHA1.hmac, Crypto.Hash.SHA1.hmac_lazy))
      Nothing
  , Digest "sha224" Crypto.Hash.SHA224.hash Crypto.Hash.SHA224.hash_lazy
      (Just (Crypto.Hash.SHA224.hmac, Crypto.Hash.SHA224.hmac_lazy))
      Nothing
  , Digest "sha256" Crypto.Hash.SHA256.hash Crypto.Hash.SHA256.hash_lazy
      (Just (Crypto.Hash.SHA256.hmac, Crypto.Hash.SHA256.hmac_lazy))
      Nothing
  , Digest "sha384" Crypto.Hash.SHA384.hash Crypto.Hash.SHA384.hash_lazy
      (Just (Crypto.Hash.SHA384.hmac, Crypto.Hash.SHA384.hmac_lazy))
      Nothing
  , Digest "sha512" Crypto.Hash.SHA512.hash Crypto.Hash.SHA512.hash_lazy
      (Just (Crypto.Hash.SHA512.hmac, Crypto.Hash.SHA512.hmac_lazy))
      Nothing
  , Digest "sha512-224" Crypto.Hash.SHA512_224.hash Crypto.Hash.SHA512_224.hash_lazy
      (Just (Crypto.Hash.SHA512_224.hmac, Crypto.Hash.SHA512_224.hmac_lazy))
      Nothing
  , Digest "sha512-256" Crypto.Hash.SHA512_256.hash Crypto.Hash.SHA512_256.hash_lazy
      (Just (Crypto.Hash.SHA512_256.hmac, Crypto.Hash.SHA512_256.hmac_lazy))
      Nothing
  , Digest "sm3" Crypto.Hash.SM3.hash Crypto.Hash.SM3.hash_lazy
      (Just (Crypto.Hash.SM3.hmac, Crypto.Hash.SM3.hmac_lazy))
      Nothing
  , Digest "sha3-224" Crypto.Hash.SHA3_224.hash Crypto.Hash.SHA3_224.hash_lazy
      (Just (Crypto.Hash.SHA3_224.hmac, Crypto.Hash.SHA3_224.hmac_lazy))
      Nothing
  , Digest "sha3-256" Crypto.Hash.SHA3_256.hash Crypto.Hash.SHA3_256.hash_lazy
      (Just (Crypto.Hash.SHA3_256.hmac, Crypto.Hash.SHA3_256.hmac_lazy))
      Nothing
  , Digest "sha3-384" Crypto.Hash.SHA3_384.hash Crypto.Hash.SHA3_384.hash_lazy
      (Just (Crypto.Hash.SHA3_384.hmac, Crypto.Hash.SHA3_384.hmac_lazy))
      Nothing
  , Digest "sha3-512" Crypto.Hash.SHA3_512.hash Crypto.Hash.SHA3_512.hash_lazy
      (Just (Crypto.Hash.SHA3_512.hmac, Crypto.Hash.SHA3_512.hmac_lazy))
      Nothing
  , Digest "shake128" Crypto.Hash.SHAKE128.hash Crypto.Hash.SHAKE128.hash_lazy
      Nothing
      (Just (Crypto.Hash.SHAKE128.xof, Crypto.Hash.SHAKE128.xof_lazy))
  , Digest "shake256" Crypto.Hash.SHAKE256.hash Crypto.Hash.SHAKE256.hash_lazy
      Nothing
      (Just (Crypto.Hash.SHAKE256.xof, Crypto.Hash.SHAKE256.xof_lazy))
  , Digest "cshake128" Crypto.Hash.CSHAKE128.hash Crypto.Hash.CSHAKE128.hash_lazy
      Nothing
      (Just (Crypto.Hash.CSHAKE128.xof, Crypto.Hash.CSHAKE128.xof_lazy))
  , Digest "cshake256" Crypto.Hash.CSHAKE256.hash Crypto.Hash.CSHAKE256.hash_lazy
      Nothing
      (Just (Crypto.Hash.CSHAKE256.xof, Crypto.Hash.CSHAKE256.xof_lazy))
  , Digest "turboshake128" Crypto.Hash.TurboSHAKE128.hash Crypto.Hash.TurboSHAKE128.hash_lazy
      Nothing
      (Just (Crypto.Hash.TurboSHAKE128.xof, Crypto.Hash.TurboSHAKE128.xof_lazy))
  , Digest "turboshake256" Crypto.Hash.TurboSHAKE256.hash Crypto.Hash.TurboSHAKE256.hash_lazy
      Nothing
      (Just (Crypto.Hash.TurboSHAKE256.xof, Crypto.Hash.TurboSHAKE256.xof_lazy))
  , Digest "kt128" Crypto.Hash.KT128.hash Crypto.Hash.KT128.hash_lazy
      Nothing
      (Just (Crypto.Hash.KT128.xof, Crypto.Hash.KT128.xof_lazy))
  , Digest "kt256" Crypto.Hash.KT256.hash Crypto.Hash.KT256.hash_lazy
      Nothing
      (Just (Crypto.Hash.KT256.xof, Crypto.Hash.KT256.xof_lazy))
  , Digest "blake2b-256" Crypto.Hash.BLAKE2b_256.hash Crypto.Hash.BLAKE2b_256.hash_lazy
      (Just (Crypto.Hash.BLAKE2b_256.hmac, Crypto.Hash.BLAKE2b_256.hmac_lazy))
      Nothing
  , Digest "blake2b-512" Crypto.Hash.BLAKE2b_512.hash Crypto.Hash.BLAKE2b_512.hash_lazy
      (Just (Crypto.Hash.BLAKE2b_512.hmac, Crypto.Hash.BLAKE2b_512.hmac_lazy))
      Nothing
  , Digest "blake2bp-512" Crypto.Hash.BLAKE2bp_512.hash Crypto.Hash.BLAKE2bp_512.hash_lazy
      (Just (Crypto.Hash.BLAKE2bp_512.hmac, Crypto.Hash.BLAKE2bp_512.hmac_lazy))
      Nothing
  , Digest "blake2s-256" Crypto.Hash.BLAKE2s_256.hash Crypto.Hash.BLAKE2s_256.hash_lazy
      (Just (Crypto.Hash.BLAKE2s_256.hmac, Crypto.Hash.BLAKE2s_256.hmac_lazy))
      Nothing
  , Digest "blake2sp-256" Crypto.Hash.BLAKE2sp_256.hash Crypto.Hash.BLAKE2sp_256.hash_lazy
      (Just (Crypto.Hash.BLAKE2sp_256.hmac, Crypto.Hash.BLAKE2sp_256.hmac_lazy))
      Nothing
  , Digest "blake3" Crypto.Hash.BLAKE3.hash Crypto.Hash.BLAKE3.hash_lazy
      (Just (Crypto.Hash.BLAKE3.hmac, Crypto.Hash.BLAKE3.hmac_lazy))
      (Just (Crypto.Hash.BLAKE3.xof, Crypto.Hash.BLAKE3.xof_lazy))
  , Digest "ascon-hash256" Crypto.Hash.Ascon_Hash256.hash Crypto.Hash.Ascon_Hash256.hash_lazy
      Nothing
      Nothing
  , Digest "ascon-xof128" Crypto.Hash.Ascon_XOF128.hash Crypto.Hash.Ascon_XOF128.hash_lazy
      Nothing
      (Just (Crypto.Hash.Ascon_XOF128.xof, Crypto.Hash.Ascon_XOF128.xof_lazy))
  , Digest "ascon-cxof128" Crypto.Hash.Ascon_CXOF128.hash Crypto.Hash.Ascon_CXOF128.hash_lazy
      Nothing
      (Just (Crypto.Hash.Ascon_CXOF128.xof, Crypto.Hash.Ascon_CXOF128.xof_lazy))
  , Digest "ascon-xof-v1.2" Crypto.Hash.Ascon_XOF_v1_2.hash Crypto.Hash.Ascon_XOF_v1_2.hash_lazy
      Nothing
      (Just (Crypto.Hash.Ascon_XOF_v1_2.xof, Crypto.Hash.Ascon_XOF_v1_2.xof_lazy))
  , Digest "ascon-xofa-v1.2" Crypto.Hash.Ascon_XOFa_v1_2.hash Crypto.Hash.Ascon_XOFa_v1_2.hash_lazy
      Nothing
      (Just (Crypto.Hash.Ascon_XOFa_v1_2.xof, Crypto.Hash.Ascon_XOFa_v1_2.xof_lazy))
  , Digest "ripemd160" Crypto.Hash.RIPEMD160.hash Crypto.Hash.RIPEMD160.hash_lazy
      (Just (Crypto.Hash.RIPEMD160.hmac, Crypto.Hash.RIPEMD160.hmac_lazy))
      Nothing
  , Digest "sha256-90r" Crypto.Hash.SHA256_90r.hash Crypto.Hash.SHA256_90r.hash_lazy
      (Just (Crypto.Hash.SHA256_90r.hmac, Crypto.Hash.SHA256_90r.hmac_lazy))
      Nothing
  ]
