-- |
-- Parameters of a hash.
module Hashwell.Internal.Params
  ( Params (..)
  , plain
  , paramsLength
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.List (intercalate)
import Data.Word (Word8)

-- | Parameters of a hash. Start from 'plain' and set the fields that you need. A parameter that the algorithm does not
-- have gives 'Hashwell.Error.Unsupported', a wrong length 'Hashwell.Error.OutOfRange'.
data Params = Params
  { outputLength :: !(Maybe Int)
  -- ^ Digest size in bytes (BLAKE2 and extendable-output functions).
  , key :: !(Maybe ByteString)
  -- ^ BLAKE2b: up to 64 bytes. BLAKE2s: up to 32 bytes. BLAKE3: 32 bytes.
  , salt :: !(Maybe ByteString)
  -- ^ BLAKE2b: up to 16 bytes. BLAKE2s: up to 8 bytes. Padded with zeros.
  , personal :: !(Maybe ByteString)
  -- ^ BLAKE2: personalization, with the limits of the salt.
  , customization :: !(Maybe ByteString)
  -- ^ cSHAKE's S, KangarooTwelve's C, Ascon-CXOF128's Z.
  , functionName :: !(Maybe ByteString)
  -- ^ cSHAKE's N, which is reserved for functions defined by NIST.
  , context :: !(Maybe ByteString)
  -- ^ BLAKE3: derives a key with this context string (UTF-8). The message is the key material.
  , domain :: !(Maybe Word8)
  -- ^ TurboSHAKE's D, 0x01 to 0x7f.
  , kernel :: !(Maybe String)
  -- ^ The name of the kernel to use instead of the fastest.
  }
  deriving (Eq)

-- | Shows the fields that are set. The key is not shown.
instance Show Params where
  show params = "Params {" ++ intercalate ", " [field ++ " = " ++ value | (field, Just value) <- fields] ++ "}"
    where
      fields =
        [ ("outputLength", show <$> outputLength params)
        , ("key", "<key>" <$ key params)
        , ("salt", show <$> salt params)
        , ("personal", show <$> personal params)
        , ("customization", show <$> customization params)
        , ("functionName", show <$> functionName params)
        , ("context", show <$> context params)
        , ("domain", show <$> domain params)
        , ("kernel", show <$> kernel params)
        ]

-- | No parameters.
plain :: Params
plain = Params Nothing Nothing Nothing Nothing Nothing Nothing Nothing Nothing Nothing

-- | The total length of the fields that can have any length.
paramsLength :: Params -> Int
paramsLength params = sum [maybe 0 B.length (get params) | get <- [customization, functionName, context]]
