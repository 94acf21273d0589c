-- |
-- The types of properties of algorithms.
module Hashwell.Internal.Properties
  ( Kind (..)
  , Status (..)
  ) where

-- | The kind of output: of fixed length, or of any length ('Xof').
data Kind
  = -- | A digest of fixed length.
    Fixed
  | -- | An extendable-output function: output of any length.
    Xof
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | The security status of an algorithm.
data Status
  = -- | No published attack is better than a generic one.
    Sound
  | -- | Superseded. Use it only to check existing data.
    Legacy
  | -- | Practical collision attacks exist.
    Broken
  | -- | No public analysis.
    Experimental
  deriving (Eq, Ord, Show, Enum, Bounded)
