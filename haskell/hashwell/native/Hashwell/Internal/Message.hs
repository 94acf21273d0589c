-- | Texts of errors.
module Hashwell.Internal.Message (textOf) where

import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CInt (..))
import System.IO.Unsafe (unsafePerformIO)

foreign import ccall unsafe "hw_strerror" c_strerror :: CInt -> IO CString

-- | The text of a code of the C interface.
textOf :: CInt -> String
textOf code = unsafePerformIO (c_strerror code >>= peekCString)
