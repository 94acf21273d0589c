-- | The comparison of secrets.
module Hashwell.Internal.Equal (equal) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Hashwell.Internal.Foreign
import Hashwell.Internal.Memory
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | Returns 'True' if the byte strings are equal, in time that depends only on their lengths.
equal :: ByteString -> ByteString -> Bool
equal a b = B.length a == B.length b && same
  where
    same = unsafeDupablePerformIO (withBytes a $ \p n -> withBytes b $ \q _ ->
      (== 0) <$> long (B.length a) c_compare c_compare_safe p q n)
