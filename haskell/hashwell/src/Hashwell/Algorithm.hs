-- |
-- The algorithms and their properties. With the C library, these are all algorithms of its registry. Without it (flag
-- @native@), these are SHA-2 only: 'find' returns 'Nothing' for other algorithms, and there are no constants for them.
--
-- >>> find "SHA-512/256"
-- Just sha512-256
-- >>> (title sha512_256, outputLen sha512_256, kind sha512_256, status sha512_256)
-- ("SHA-512/256",32,Fixed,Sound)
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
