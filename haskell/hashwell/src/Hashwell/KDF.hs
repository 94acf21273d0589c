-- |
-- Keys from key material: HKDF (RFC 5869) over every digest that has HMAC, and BLAKE3's derivation.
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

-- | Key material of so many bytes, at most 255 digests: from what there is, a salt, and what it is for.
hkdf :: Algorithm -> ByteString -> ByteString -> ByteString -> Int -> Either Error ByteString
hkdf a@(Algorithm n) ikm salted info len =
  bounded a len $ attempt len $ \out m ->
    withBytes ikm $ \i il -> withBytes salted $ \s sl -> withBytes info $ \f fl -> c_hkdf n i il s sl f fl out m

-- | The first step alone: a pseudorandom key, from key material and a salt.
hkdfExtract :: Algorithm -> ByteString -> ByteString -> Either Error ByteString
hkdfExtract a@(Algorithm n) ikm salted = attempt (outputLen a) $ \out m ->
  withBytes ikm $ \i il -> withBytes salted $ \s sl -> c_hkdf_extract n i il s sl out m

-- | The second step alone: from a pseudorandom key, of a digest's length at least, and what it is for.
hkdfExpand :: Algorithm -> ByteString -> ByteString -> Int -> Either Error ByteString
hkdfExpand a@(Algorithm n) prk info len =
  bounded a len $ attempt len $ \out m ->
    withBytes prk $ \p pl -> withBytes info $ \f fl -> c_hkdf_expand n p pl f fl out m

-- Before memory is asked for.
bounded :: Algorithm -> Int -> Either Error r -> Either Error r
bounded a len r
  | not (hasHmac a) = Left Unsupported
  | len < 0 || len > 255 * outputLen a = Left OutOfRange
  | otherwise = r

-- | BLAKE3's derivation: a context, which is text that is hard-coded, and key material; so many bytes.
deriveKey :: ByteString -> ByteString -> Int -> Either Error ByteString
deriveKey what material len
  | len < 0 = Left OutOfRange
  | otherwise =
      BL.toStrict . BL.take (fromIntegral len)
        <$> output blake3 plain { context = Just what } (BL.fromStrict material)
