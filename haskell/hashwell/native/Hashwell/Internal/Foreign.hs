-- | Imports of the functions of the C interface; @hashwell.h@ documents them. Functions whose time depends on the
-- size of the input are imported twice. An @unsafe@ call costs about 4 ns, but other Haskell threads and the garbage
-- collector may have to wait for it. A @safe@ call costs about 30 ns, and nothing has to wait.
module Hashwell.Internal.Foreign
  ( module Hashwell.Internal.Foreign
  ) where

import Data.Word (Word32, Word64, Word8)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Ptr (Ptr)

-- | The number of an algorithm.
type Number = Word32

-- | The address of a state.
type Handle = Ptr Word8

-- | The address of a @hw_params@ or @hw_drbg_params@, or NULL.
type ParamsPtr = Ptr Word8

-- | The address and length of bytes.
type With r = Ptr Word8 -> CSize -> r

-- | One-shot functions: algorithm, data, out.
type OneShot = Number -> With (With (IO CInt))

-- | One-shot functions with a key: algorithm, key, data, out.
type Keyed = Number -> With (With (With (IO CInt)))

-- | Functions that pass bytes to a state or from it.
type Step = Handle -> With (IO CInt)

foreign import ccall unsafe "hw_hash" c_hash :: OneShot
foreign import ccall safe "hw_hash" c_hash_safe :: OneShot
foreign import ccall unsafe "hw_hash_with" c_hash_with :: Number -> ParamsPtr -> With (With (IO CInt))
foreign import ccall safe "hw_hash_with" c_hash_with_safe :: Number -> ParamsPtr -> With (With (IO CInt))

-- | Arguments: algorithm, parameters, messages, lengths, their number, output.
type Many = Number -> ParamsPtr -> Ptr (Ptr Word8) -> Ptr CSize -> CSize -> With (IO CInt)

foreign import ccall unsafe "hw_hash_many" c_hash_many :: Many
foreign import ccall safe "hw_hash_many" c_hash_many_safe :: Many

foreign import ccall unsafe "hw_hash_init" c_hash_init :: Handle -> Number -> ParamsPtr -> IO CInt
foreign import ccall safe "hw_hash_init" c_hash_init_safe :: Handle -> Number -> ParamsPtr -> IO CInt
foreign import ccall unsafe "hw_hash_update" c_hash_update :: Step
foreign import ccall safe "hw_hash_update" c_hash_update_safe :: Step
foreign import ccall unsafe "hw_hash_final" c_hash_final :: Step
foreign import ccall safe "hw_hash_final" c_hash_final_safe :: Step
foreign import ccall unsafe "hw_hash_output_len" c_hash_output_len :: Handle -> IO CSize
foreign import ccall unsafe "hw_hash_wipe" c_hash_wipe :: Handle -> IO ()
foreign import ccall unsafe "hw_hash_algorithm" c_hash_algorithm :: Handle -> IO Number
foreign import ccall unsafe "hw_hash_message_len" c_hash_message_len :: Handle -> IO Word64

-- The last argument is where the number of bytes goes.
foreign import ccall unsafe "hw_hash_export" c_hash_export :: Handle -> With (Ptr CSize -> IO CInt)
foreign import ccall unsafe "hw_hash_import" c_hash_import :: Step
foreign import ccall safe "hw_hash_import" c_hash_import_safe :: Step

foreign import ccall unsafe "hw_xof_init" c_xof_init :: Handle -> Handle -> IO CInt
foreign import ccall unsafe "hw_xof_init_kmac" c_xof_init_kmac :: Handle -> Handle -> IO CInt
foreign import ccall unsafe "hw_xof_read" c_xof_read :: Step
foreign import ccall safe "hw_xof_read" c_xof_read_safe :: Step
foreign import ccall unsafe "hw_xof_seek" c_xof_seek :: Handle -> Word64 -> IO CInt
foreign import ccall unsafe "hw_xof_tell" c_xof_tell :: Handle -> Ptr Word64 -> IO CInt
foreign import ccall unsafe "hw_xof_wipe" c_xof_wipe :: Handle -> IO ()

foreign import ccall unsafe "hw_hmac" c_hmac :: Keyed
foreign import ccall safe "hw_hmac" c_hmac_safe :: Keyed
foreign import ccall unsafe "hw_hmac_init" c_hmac_init :: Handle -> Number -> With (IO CInt)
foreign import ccall safe "hw_hmac_init" c_hmac_init_safe :: Handle -> Number -> With (IO CInt)
foreign import ccall unsafe "hw_hmac_update" c_hmac_update :: Step
foreign import ccall safe "hw_hmac_update" c_hmac_update_safe :: Step
foreign import ccall unsafe "hw_hmac_final" c_hmac_final :: Step
foreign import ccall unsafe "hw_hmac_reset" c_hmac_reset :: Handle -> IO CInt
foreign import ccall unsafe "hw_hmac_wipe" c_hmac_wipe :: Handle -> IO ()

-- | Arguments: algorithm, keys, lengths, their number, messages, lengths, their number, tags.
type HmacMany =
  Number -> Ptr (Ptr Word8) -> Ptr CSize -> CSize -> Ptr (Ptr Word8) -> Ptr CSize -> CSize -> With (IO CInt)

foreign import ccall unsafe "hw_hmac_many" c_hmac_many :: HmacMany
foreign import ccall safe "hw_hmac_many" c_hmac_many_safe :: HmacMany

-- The second argument is 128 or 256, followed by key and customization.
foreign import ccall unsafe "hw_kmac_init" c_kmac_init :: Handle -> CInt -> With (With (IO CInt))
foreign import ccall safe "hw_kmac_init" c_kmac_init_safe :: Handle -> CInt -> With (With (IO CInt))
foreign import ccall unsafe "hw_kmac_update" c_kmac_update :: Step
foreign import ccall safe "hw_kmac_update" c_kmac_update_safe :: Step
foreign import ccall unsafe "hw_kmac_final" c_kmac_final :: Step
foreign import ccall safe "hw_kmac_final" c_kmac_final_safe :: Step
foreign import ccall unsafe "hw_kmac_reset" c_kmac_reset :: Handle -> IO CInt
foreign import ccall unsafe "hw_kmac_wipe" c_kmac_wipe :: Handle -> IO ()

foreign import ccall unsafe "hw_compare" c_compare :: Ptr Word8 -> Ptr Word8 -> CSize -> IO CInt
foreign import ccall safe "hw_compare" c_compare_safe :: Ptr Word8 -> Ptr Word8 -> CSize -> IO CInt

-- Arguments: key material, salt, info, output; key material, salt, output; pseudorandom key, info, output.
foreign import ccall safe "hw_hkdf" c_hkdf :: Number -> With (With (With (With (IO CInt))))
foreign import ccall safe "hw_hkdf_extract" c_hkdf_extract :: Number -> With (With (With (IO CInt)))
foreign import ccall safe "hw_hkdf_expand" c_hkdf_expand :: Number -> With (With (With (IO CInt)))

-- | Arguments: state, algorithm, entropy, nonce, parameters.
type DrbgInit = Handle -> Number -> With (With (ParamsPtr -> IO CInt))

-- | Arguments: state, output or entropy, additional input.
type DrbgStep = Handle -> With (With (IO CInt))

foreign import ccall unsafe "hw_drbg_init" c_drbg_init :: DrbgInit
foreign import ccall safe "hw_drbg_init" c_drbg_init_safe :: DrbgInit
foreign import ccall unsafe "hw_drbg_init_unchecked" c_drbg_init_unchecked :: DrbgInit
foreign import ccall safe "hw_drbg_init_unchecked" c_drbg_init_unchecked_safe :: DrbgInit
foreign import ccall unsafe "hw_drbg_reseed" c_drbg_reseed :: DrbgStep
foreign import ccall safe "hw_drbg_reseed" c_drbg_reseed_safe :: DrbgStep
foreign import ccall unsafe "hw_drbg_generate" c_drbg_generate :: DrbgStep
foreign import ccall safe "hw_drbg_generate" c_drbg_generate_safe :: DrbgStep
foreign import ccall unsafe "hw_drbg_requests_left" c_drbg_requests_left :: Handle -> IO Word64
foreign import ccall unsafe "hw_drbg_wipe" c_drbg_wipe :: Handle -> IO ()

foreign import ccall safe "hw_random_init" c_random_init :: Handle -> Number -> ParamsPtr -> IO CInt
foreign import ccall safe "hw_random_read" c_random_read :: Step
foreign import ccall unsafe "hw_random_wipe" c_random_wipe :: Handle -> IO ()
