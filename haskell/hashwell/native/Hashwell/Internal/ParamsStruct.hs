-- |
-- The conversion of parameters for the C interface.
module Hashwell.Internal.ParamsStruct
  ( withParams
  ) where

import Foreign.C.String (withCString)
import Foreign.C.Types (CInt, CSize)
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.Storable (pokeByteOff, sizeOf)
import qualified Hashwell.Internal.Foreign as F
import Hashwell.Internal.Layout
import Hashwell.Internal.Memory (withBytes)
import Hashwell.Internal.Params

-- | Runs an action with the C struct of these parameters; NULL if no field is set.
withParams :: Params -> (F.ParamsPtr -> IO a) -> IO a
withParams params act
  | params == plain = act nullPtr
  | otherwise = allocaBytesAligned paramsSize 16 $ \p -> do
      fillBytes p 0 paramsSize
      pokeByteOff p 0 (fromIntegral paramsSize :: CSize)
      -- In C, 0 means the default. Here it is an explicit value, so pass one that every algorithm rejects.
      pokeByteOff p paramsOutputLen (given maxBound (outputLength params) :: CSize)
      pokeByteOff p paramsDomain (given (-1) (domain params) :: CInt)
      field p paramsKey key
        . field p paramsSalt salt
        . field p paramsPersonal personal
        . field p paramsCustomization customization
        . field p paramsFunctionName functionName
        . field p paramsContext context
        $ kernelField p
  where
    given :: (Integral a, Integral b) => b -> Maybe a -> b
    given refused = maybe 0 (\n -> if n > 0 then fromIntegral n else refused)
    field p offset get rest = maybe rest (\b -> withBytes b (\at n -> put p offset at n >> rest)) (get params)
    put p offset at n = do
      -- NULL means that a field is not set, but an empty byte string can have a NULL pointer.
      pokeByteOff p offset (if at == nullPtr then p else at)
      pokeByteOff p (offset + sizeOf (nullPtr :: Ptr ())) n
    kernelField p = case kernel params of
      Nothing -> act p
      Just k -> withCString k $ \text -> pokeByteOff p paramsKernel text >> act p
