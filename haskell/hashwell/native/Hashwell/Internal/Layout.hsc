-- |
-- Sizes, offsets and limits of @hashwell.h@, taken from it by the C compiler.
module Hashwell.Internal.Layout
  ( module Hashwell.Internal.Layout
  ) where

#include <hashwell.h>

-- | Alignment of every state.
stateAlign :: Int
stateAlign = #{const HW_STATE_ALIGN}

-- | Bytes of a state.
hashSize, xofSize, hmacSize, kmacSize, drbgSize, randomSize :: Int
hashSize = #{const HW_HASH_SIZE}
xofSize = #{const HW_XOF_SIZE}
hmacSize = #{const HW_HMAC_SIZE}
kmacSize = #{const HW_KMAC_SIZE}
drbgSize = #{const HW_DRBG_SIZE}
randomSize = #{const HW_RANDOM_SIZE}

-- | Maximum bytes of a saved state.
hashExportMax :: Int
hashExportMax = #{const HW_HASH_EXPORT_MAX}

-- | @hw_params@: its bytes, and where its fields are. A byte string's length follows its pointer.
paramsSize, paramsOutputLen, paramsKey, paramsSalt, paramsPersonal, paramsCustomization, paramsFunctionName :: Int
paramsContext, paramsKernel, paramsDomain :: Int
paramsSize = #{size hw_params}
paramsOutputLen = #{offset hw_params, output_len}
paramsKey = #{offset hw_params, key}
paramsSalt = #{offset hw_params, salt}
paramsPersonal = #{offset hw_params, personal}
paramsCustomization = #{offset hw_params, customization}
paramsFunctionName = #{offset hw_params, function_name}
paramsContext = #{offset hw_params, context}
paramsKernel = #{offset hw_params, kernel}
paramsDomain = #{offset hw_params, domain}

-- | @hw_drbg_params@, likewise.
drbgParamsSize, drbgParamsPersonalization :: Int
drbgParamsSize = #{size hw_drbg_params}
drbgParamsPersonalization = #{offset hw_drbg_params, personalization}
