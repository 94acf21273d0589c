-- |
-- Algorithms and their properties in the registry of the C library.
module Hashwell.Internal.Registry
  ( Algorithm (..)
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

import qualified Data.ByteString.Char8 as BC
import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Ptr (nullPtr)
import Hashwell.Internal.Foreign (Number)
import Hashwell.Internal.Properties
import System.IO.Unsafe (unsafeDupablePerformIO)

foreign import ccall unsafe "hw_find" c_find :: CString -> IO Number
foreign import ccall unsafe "hw_count" c_count :: CSize
foreign import ccall unsafe "hw_at" c_at :: CSize -> Number
foreign import ccall unsafe "hw_name" c_name :: Number -> CString
foreign import ccall unsafe "hw_title" c_title :: Number -> CString
foreign import ccall unsafe "hw_source" c_source :: Number -> CString
foreign import ccall unsafe "hw_alias" c_alias :: Number -> CSize -> CString
foreign import ccall unsafe "hw_block_len" c_block_len :: Number -> CSize
foreign import ccall unsafe "hw_output_len" c_output_len :: Number -> CSize
foreign import ccall unsafe "hw_kind" c_kind :: Number -> CInt
foreign import ccall unsafe "hw_status" c_status :: Number -> CInt
foreign import ccall unsafe "hw_has_hmac" c_has_hmac :: Number -> CInt

-- | An algorithm. Values exist only for the algorithms of the registry.
newtype Algorithm = Algorithm Number
  deriving (Eq, Ord)

-- | Shows the canonical name.
instance Show Algorithm where
  show = name

-- | Finds an algorithm by name or alias, for example @sha256@, @SHA-256@ or @k12@. Case is ignored, and @_@, @/@ and
-- @-@ are equivalent.
find :: String -> Maybe Algorithm
find wanted
  | any (\c -> c < ' ' || c > '~') wanted = Nothing
  | otherwise = case unsafeDupablePerformIO (BC.useAsCString (BC.pack wanted) c_find) of
      0 -> Nothing
      n -> Just (Algorithm n)

-- | All algorithms, in the order of the registry.
algorithms :: [Algorithm]
algorithms = [Algorithm (c_at i) | c_count > 0, i <- [0 .. c_count - 1]]

-- | The canonical name, for example @sha3-256@.
name :: Algorithm -> String
name (Algorithm n) = text (c_name n)

-- | The name as its standard spells it, for example @SHA3-256@.
title :: Algorithm -> String
title (Algorithm n) = text (c_title n)

-- | The standard and section that define the algorithm.
standard :: Algorithm -> String
standard (Algorithm n) = text (c_source n)

-- | Other names that 'find' accepts.
aliases :: Algorithm -> [String]
aliases (Algorithm n) = map text (takeWhile (/= nullPtr) (map (c_alias n) [0 ..]))

text :: CString -> String
text = unsafeDupablePerformIO . peekCString

-- | The block size in bytes; for a sponge, its rate.
blockLen :: Algorithm -> Int
blockLen (Algorithm n) = fromIntegral (c_block_len n)

-- | The digest size in bytes; for an extendable-output function, the default size.
outputLen :: Algorithm -> Int
outputLen (Algorithm n) = fromIntegral (c_output_len n)

-- | The kind of an algorithm's output.
kind :: Algorithm -> Kind
kind (Algorithm n) = if c_kind n == 2 then Xof else Fixed

-- | The security status of an algorithm.
status :: Algorithm -> Status
status (Algorithm n) = toEnum (fromIntegral (c_status n) - 1)

-- | 'True' if HMAC is defined for the algorithm.
hasHmac :: Algorithm -> Bool
hasHmac (Algorithm n) = c_has_hmac n == 1
