-- |
-- The C interface, function by function; @hashwell.h@ is its manual. Those whose time grows with their input are here
-- twice, since an @unsafe@ call costs some 4 ns and keeps every other Haskell thread and the collector waiting, and
-- a @safe@ one costs some 30 ns and keeps nobody waiting.
module Hashwell.Internal.Foreign
  ( module Hashwell.Internal.Foreign
  ) where

import Data.Word (Word32, Word8)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Ptr (Ptr)

-- | An algorithm's number.
type Number = Word32

-- | What a state is, seen from here.
type State = Ptr Word8

-- | @state, data, length@.
type Update = State -> Ptr Word8 -> CSize -> IO CInt

-- | @state, out, length@.
type Final = State -> Ptr Word8 -> CSize -> IO CInt

-- | @algorithm, data, length, out, length@.
type OneShot = Number -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> IO CInt

-- | @algorithm, key, length, data, length, out, length@.
type Keyed = Number -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> IO CInt

foreign import ccall unsafe "hw_hash" c_hash :: OneShot
foreign import ccall safe "hw_hash" c_hash_safe :: OneShot
foreign import ccall unsafe "hw_hmac" c_hmac :: Keyed
foreign import ccall safe "hw_hmac" c_hmac_safe :: Keyed

-- The third argument of these two is @const hw_params *@, NULL for plain hashing.
foreign import ccall unsafe "hw_hash_init" c_hash_init :: State -> Number -> Ptr Word8 -> IO CInt
foreign import ccall unsafe "hw_hash_update" c_hash_update :: Update
foreign import ccall safe "hw_hash_update" c_hash_update_safe :: Update
foreign import ccall unsafe "hw_hash_final" c_hash_final :: Final
foreign import ccall unsafe "hw_hmac_init" c_hmac_init :: State -> Number -> Ptr Word8 -> CSize -> IO CInt
foreign import ccall unsafe "hw_hmac_update" c_hmac_update :: Update
foreign import ccall safe "hw_hmac_update" c_hmac_update_safe :: Update
foreign import ccall unsafe "hw_hmac_final" c_hmac_final :: Final

foreign import ccall unsafe "hw_xof_init" c_xof_init :: State -> State -> IO CInt
foreign import ccall unsafe "hw_xof_read" c_xof_read :: Final
foreign import ccall safe "hw_xof_read" c_xof_read_safe :: Final
