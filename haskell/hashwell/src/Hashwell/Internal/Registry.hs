-- |
-- Algorithms and what the engine's registry says of them.
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

-- | An algorithm of the registry. There are no values but those of the registry.
newtype Algorithm = Algorithm Number
  deriving (Eq, Ord)

-- | The canonical name.
instance Show Algorithm where
  show = name

-- | The algorithm of a name or alias, as @sha256@, @SHA-256@ or @k12@. Case does not matter, and @_@, @/@ and @-@ are
-- the same.
find :: String -> Maybe Algorithm
find wanted
  | any (\c -> c < ' ' || c > '~') wanted = Nothing
  | otherwise = case unsafeDupablePerformIO (BC.useAsCString (BC.pack wanted) c_find) of
      0 -> Nothing
      n -> Just (Algorithm n)

-- | All of them, in the registry's order.
algorithms :: [Algorithm]
algorithms = [Algorithm (c_at i) | c_count > 0, i <- [0 .. c_count - 1]]

-- | Canonical name, as @sha3-256@.
name :: Algorithm -> String
name (Algorithm n) = text (c_name n)

-- | The standard's spelling, as @SHA3-256@.
title :: Algorithm -> String
title (Algorithm n) = text (c_title n)

-- | Standard and section.
standard :: Algorithm -> String
standard (Algorithm n) = text (c_source n)

-- | Other accepted names.
aliases :: Algorithm -> [String]
aliases (Algorithm n) = map text (takeWhile (/= nullPtr) (map (c_alias n) [0 ..]))

text :: CString -> String
text = unsafeDupablePerformIO . peekCString

-- | Block of a digest, rate of a sponge, in bytes.
blockLen :: Algorithm -> Int
blockLen (Algorithm n) = fromIntegral (c_block_len n)

-- | Bytes of the digest; of an extendable-output function, of its default output.
outputLen :: Algorithm -> Int
outputLen (Algorithm n) = fromIntegral (c_output_len n)

-- | Whether the caller chooses the output's length.
data Kind
  = -- | A digest of fixed length.
    Fixed
  | -- | An extendable-output function: output of any length.
    Xof
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | Of which kind it is.
kind :: Algorithm -> Kind
kind (Algorithm n) = if c_kind n == 2 then Xof else Fixed

-- | What is known of its security.
data Status
  = -- | No attack better than the generic ones is published.
    Sound
  | -- | Superseded; kept to read old data.
    Legacy
  | -- | Practical collisions exist.
    Broken
  | -- | No public analysis.
    Experimental
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | What is known of its security.
status :: Algorithm -> Status
status (Algorithm n) = toEnum (fromIntegral (c_status n) - 1)

-- | Whether HMAC is defined over it.
hasHmac :: Algorithm -> Bool
hasHmac (Algorithm n) = c_has_hmac n == 1
