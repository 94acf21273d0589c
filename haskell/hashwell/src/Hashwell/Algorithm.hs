-- |
-- The registry: which algorithms there are, and what is known of each. No table of that is in this package; the engine
-- is asked.
--
-- >>> find "SHA-512/256"
-- Just sha512-256
-- >>> (title sha3_256, outputLen sha3_256, kind shake128, status sha1)
-- ("SHA3-256",32,Xof,Broken)
module Hashwell.Algorithm
  ( -- * Algorithms
    Algorithm
  , find
  , algorithms
    -- * What is known of them
  , name
  , title
  , standard
  , aliases
  , blockLen
  , outputLen
  , Kind (..)
  , kind
  , Status (..)
  , status
  , hasHmac
    -- * Each by its name
  , module Hashwell.Internal.Names
  ) where

import Hashwell.Internal.Names
import Hashwell.Internal.Registry
