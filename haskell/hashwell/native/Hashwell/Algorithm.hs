-- |
-- The algorithms and their properties. The package contains no table of them: it asks the C library at run time.
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
    -- * Properties
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
    -- * Algorithms by name
  , module Hashwell.Internal.Names
  ) where

import Hashwell.Internal.Names
import Hashwell.Internal.Registry
