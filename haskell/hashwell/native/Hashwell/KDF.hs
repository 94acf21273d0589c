-- |
-- Key derivation: HKDF (RFC 5869) over every hash for which HMAC is defined, and BLAKE3's key derivation.
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
    -- * BLAKE3
  , deriveKey
    -- * Algorithms
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString.Lazy as BL
import Hashwell.Algorithm
import Hashwell.Error (Error (..))
import Hashwell.Hash (Params (..), plain)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Memory
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.XOF (output)

-- | Derives a key from input key material, a salt, and info (the purpose of the key), with the given length in bytes.
-- Returns 'OutOfRange' for more than 255 times the digest size, and 'Unsupported' if HMAC is not defined for the
-- algorithm.
hkdf :: Algorithm -> ByteString -> ByteString -> ByteString -> Int -> Either Error ByteString
hkdf a@(Algorithm n) ikm salted info len =
  bounded a len $ attempt len $ \out m ->
    withBytes ikm $ \i il -> withBytes salted $ \s sl -> withBytes info $ \f fl -> c_hkdf n i il s sl f fl out m

-- | Runs only the first step, HKDF-Extract: computes a pseudorandom key from input key material and a salt.
hkdfExtract :: Algorithm -> ByteString -> ByteString -> Either Error ByteString
hkdfExtract a@(Algorithm n) ikm salted = attempt (outputLen a) $ \out m ->
  withBytes ikm $ \i il -> withBytes salted $ \s sl -> c_hkdf_extract n i il s sl out m

-- | Runs only the second step, HKDF-Expand: derives bytes from a pseudorandom key and info. Returns 'OutOfRange' if the
-- key is shorter than a digest.
hkdfExpand :: Algorithm -> ByteString -> ByteString -> Int -> Either Error ByteString
hkdfExpand a@(Algorithm n) prk info len =
  bounded a len $ attempt len $ \out m ->
    withBytes prk $ \p pl -> withBytes info $ \f fl -> c_hkdf_expand n p pl f fl out m

-- Checked before memory is allocated.
bounded :: Algorithm -> Int -> Either Error r -> Either Error r
bounded a len r
  | not (hasHmac a) = Left Unsupported
  | len < 0 || len > 255 * outputLen a = Left OutOfRange
  | otherwise = r

-- | BLAKE3's key derivation, from a context string and key material, with the given length in bytes. Hard-code the
-- context in your program.
deriveKey :: ByteString -> ByteString -> Int -> Either Error ByteString
deriveKey what material len
  | len < 0 = Left OutOfRange
  | otherwise =
      BL.toStrict . BL.take (fromIntegral len)
        <$> output blake3 plain { context = Just what } (BL.fromStrict material)
