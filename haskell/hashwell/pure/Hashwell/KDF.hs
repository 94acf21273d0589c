-- |
-- Key derivation with HKDF (RFC 5869) over SHA-2 in pure Haskell. The names and types are those of the module over the C
-- library, except that BLAKE3's @deriveKey@ is missing.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString as BS
-- >>> fmap BS.length (hkdf sha256 "key material" "salt" "what for" 42)
-- Right 42
-- >>> hkdf sha256 "key material" "salt" "what for" 9000
-- Left OutOfRange
module Hashwell.KDF
  ( -- * HKDF
    hkdf
  , hkdfExtract
  , hkdfExpand
    -- * Algorithms
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Hashwell.Algorithm
import Hashwell.Error (Error (..))
import Hashwell.Internal.Row (Functions (..), rowFunctions)

-- | Derives a key from input key material, a salt, and info (the purpose of the key), with the given length in bytes.
-- Returns 'OutOfRange' for more than 255 times the digest size.
hkdf :: Algorithm -> ByteString -> ByteString -> ByteString -> Int -> Either Error ByteString
hkdf a ikm salted info len = hkdfExtract a ikm salted >>= \prk -> hkdfExpand a prk info len

-- | Runs only the first step, HKDF-Extract: computes a pseudorandom key from input key material and a salt.
hkdfExtract :: Algorithm -> ByteString -> ByteString -> Either Error ByteString
hkdfExtract a ikm salted = Right (hmacOf (rowFunctions a) salted ikm)

-- | Runs only the second step, HKDF-Expand: derives bytes from a pseudorandom key and info. Returns 'OutOfRange' if the
-- key is shorter than a digest.
hkdfExpand :: Algorithm -> ByteString -> ByteString -> Int -> Either Error ByteString
hkdfExpand a prk info len
  | len < 0 || len > 255 * outputLen a || B.length prk < outputLen a = Left OutOfRange
  | otherwise = Right (B.take len (B.concat (take count (drop 1 blocks))))
  where
    count = (len + outputLen a - 1) `div` outputLen a
    tag = hmacOf (rowFunctions a) prk
    -- T(0), T(1), … of RFC 5869 section 2.3.
    blocks = B.empty : zipWith (\before i -> tag (B.concat [before, info, B.singleton i])) blocks [1 ..]
