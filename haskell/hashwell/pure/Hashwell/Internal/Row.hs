-- |
-- The type of algorithms that are pure Haskell.
module Hashwell.Internal.Row
  ( Algorithm (..)
  , Functions (..)
  , Progress (..)
  , progress
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL
import Data.Function (on)
import Hashwell.Internal.Properties (Status)

-- | An algorithm. Values exist only for SHA-2.
data Algorithm = Algorithm
  { rowNumber :: !Int
  -- ^ The number in the C interface, which determines the order.
  , rowName :: !String
  , rowTitle :: !String
  , rowStandard :: !String
  , rowAliases :: ![String]
  , rowBlockLen :: !Int
  , rowOutputLen :: !Int
  , rowStatus :: !Status
  , rowFunctions :: !Functions
  }

instance Eq Algorithm where
  (==) = (==) `on` rowNumber

instance Ord Algorithm where
  compare = compare `on` rowNumber

-- | Shows the canonical name.
instance Show Algorithm where
  show = rowName

-- | The functions of a pure package.
data Functions = Functions
  { hashOf :: ByteString -> ByteString
  , hashLazyOf :: BL.ByteString -> ByteString
  , hmacOf :: ByteString -> ByteString -> ByteString
  , hmacLazyOf :: ByteString -> BL.ByteString -> ByteString
  , startOf :: Progress
  }

-- | A hash in progress: how it continues, and the digest so far.
data Progress = Progress {feedTo :: ByteString -> Progress, finished :: ByteString}

-- | A hash in progress from the functions of a pure package and its context.
progress :: (context -> ByteString -> context) -> (context -> ByteString) -> context -> Progress
progress feed finish = go
  where
    go context = Progress (\piece -> go $! feed context piece) (finish context)
