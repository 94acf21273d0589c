-- |
-- The algorithms that are pure Haskell, and their properties.
module Hashwell.Internal.Registry
  ( Algorithm
  , find
  , algorithms
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
  ) where

import Data.Char (toLower)
import qualified Data.List as List
import Hashwell.Internal.Names
import Hashwell.Internal.Properties
import Hashwell.Internal.Row

-- | Finds an algorithm by name or alias, for example @sha256@ or @SHA-256@. Case is ignored, and @_@, @/@ and @-@ are
-- equivalent.
find :: String -> Maybe Algorithm
find wanted = List.find (any ((== spelled wanted) . spelled) . names) algorithms
  where
    names a = name a : aliases a
    spelled = map (\c -> if c `elem` "_/" then '-' else toLower c)

-- | All algorithms, in the order of the registry.
algorithms :: [Algorithm]
algorithms = [sha224, sha256, sha384, sha512, sha512_224, sha512_256]

-- | The canonical name, for example @sha512-256@.
name :: Algorithm -> String
name = rowName

-- | The name as its standard spells it, for example @SHA-512/256@.
title :: Algorithm -> String
title = rowTitle

-- | The standard and section that define the algorithm.
standard :: Algorithm -> String
standard = rowStandard

-- | Other names that 'find' accepts.
aliases :: Algorithm -> [String]
aliases = rowAliases

-- | The block size in bytes.
blockLen :: Algorithm -> Int
blockLen = rowBlockLen

-- | The digest size in bytes.
outputLen :: Algorithm -> Int
outputLen = rowOutputLen

-- | The kind of an algorithm's output.
kind :: Algorithm -> Kind
kind _ = Fixed

-- | The security status of an algorithm.
status :: Algorithm -> Status
status = rowStatus

-- | 'True' if HMAC is defined for the algorithm.
hasHmac :: Algorithm -> Bool
hasHmac _ = True
