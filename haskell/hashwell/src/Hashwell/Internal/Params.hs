-- |
-- What an algorithm takes besides the message, and how the C interface takes it.
module Hashwell.Internal.Params
  ( Params (..)
  , plain
  , withParams
  , paramsLength
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.List (intercalate)
import Data.Word (Word8)
import Foreign.C.String (withCString)
import Foreign.C.Types (CInt, CSize)
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.Storable (pokeByteOff, sizeOf)
import qualified Hashwell.Internal.Foreign as F
import Hashwell.Internal.Layout
import Hashwell.Internal.Memory (withBytes)

-- | Inputs besides the message. Begin with 'plain' and set what is needed; what an algorithm does not take is refused
-- with 'Hashwell.Error.Unsupported', a wrong length with 'Hashwell.Error.OutOfRange'.
data Params = Params
  { outputLength :: !(Maybe Int)
  -- ^ Bytes of the digest where the caller may choose them (BLAKE2).
  , key :: !(Maybe ByteString)
  -- ^ BLAKE2: up to 64 or 32 bytes. BLAKE3: 32 bytes.
  , salt :: !(Maybe ByteString)
  -- ^ BLAKE2: filled with zeros to 16 or 8 bytes.
  , personal :: !(Maybe ByteString)
  -- ^ BLAKE2, as the salt.
  , customization :: !(Maybe ByteString)
  -- ^ cSHAKE's S, KangarooTwelve's C, Ascon-CXOF128's Z.
  , functionName :: !(Maybe ByteString)
  -- ^ cSHAKE's N, which NIST reserves for functions that it defines.
  , context :: !(Maybe ByteString)
  -- ^ BLAKE3's key derivation: the context, UTF-8; the message is the key material.
  , domain :: !(Maybe Word8)
  -- ^ TurboSHAKE's D, 0x01 to 0x7f.
  , kernel :: !(Maybe String)
  -- ^ The name of a kernel in place of the fastest.
  }
  deriving (Eq)

-- | What is given; of the key, only that it is.
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

-- | Plain hashing.
plain :: Params
plain = Params Nothing Nothing Nothing Nothing Nothing Nothing Nothing Nothing Nothing

-- | Bytes in the fields that may be of any length.
paramsLength :: Params -> Int
paramsLength params = sum [maybe 0 B.length (get params) | get <- [customization, functionName, context]]

-- | The C interface's record of parameters, while the action runs; NULL for plain hashing.
withParams :: Params -> (F.ParamsPtr -> IO a) -> IO a
withParams params act
  | params == plain = act nullPtr
  | otherwise = allocaBytesAligned paramsSize 16 $ \p -> do
      fillBytes p 0 paramsSize
      pokeByteOff p 0 (fromIntegral paramsSize :: CSize)
      -- 0 is the default there; who gives it here means it, and gets a value that no algorithm takes.
      pokeByteOff p paramsOutputLen (given maxBound (outputLength params) :: CSize)
      pokeByteOff p paramsDomain (given (-1) (domain params) :: CInt)
      field p paramsKey key
        . field p paramsSalt salt
        . field p paramsPersonal personal
        . field p paramsCustomization customization
        . field p paramsFunctionName functionName
        . field p paramsContext context
        $ kernelField p
  where
    given :: (Integral a, Integral b) => b -> Maybe a -> b
    given refused = maybe 0 (\n -> if n > 0 then fromIntegral n else refused)
    field p offset get rest = maybe rest (\b -> withBytes b (\at n -> put p offset at n >> rest)) (get params)
    put p offset at n = do
      -- NULL is a field that is not given, and an empty byte string may have that address.
      pokeByteOff p offset (if at == nullPtr then p else at)
      pokeByteOff p (offset + sizeOf (nullPtr :: Ptr ())) n
    kernelField p = case kernel params of
      Nothing -> act p
      Just k -> withCString k $ \text -> pokeByteOff p paramsKernel text >> act p
