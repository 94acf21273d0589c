-- | The type of tags.
module Hashwell.Internal.Tag (MAC (..)) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Hashwell.Internal.Equal (equal)

-- | A tag. The time of '==' depends only on lengths. It returns 'False' for empty tags, which prove nothing.
newtype MAC = MAC ByteString
  deriving (Show)

instance Eq MAC where
  MAC a == MAC b = not (B.null a) && equal a b
