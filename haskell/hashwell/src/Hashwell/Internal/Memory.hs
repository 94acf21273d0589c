-- |
-- Byte strings as the C interface takes them.
module Hashwell.Internal.Memory
  ( long
  , withBytes
  , withMany
  , attempt
  , slices
  ) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Unsafe as BU
import Data.Foldable (traverse_)
import Data.Word (Word8)
import Foreign.C.Types (CInt, CSize)
import Foreign.ForeignPtr (touchForeignPtr)
import Foreign.ForeignPtr.Unsafe (unsafeForeignPtrToPtr)
import Foreign.Marshal.Array (withArrayLen)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Hashwell.Error (Error, fromCode)
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | From so many bytes on a call is a @safe@ one.
longCall :: Int
longCall = 65536

-- | Chooses by the number of bytes: the @unsafe@ call, the @safe@ one.
long :: Int -> a -> a -> a
long n short safe = if n < longCall then short else safe
{-# INLINE long #-}

-- | The memory of a byte string, while the action runs.
withBytes :: ByteString -> (Ptr Word8 -> CSize -> IO a) -> IO a
withBytes b act = BU.unsafeUseAsCStringLen b (\(p, n) -> act (castPtr p) (fromIntegral n))
{-# INLINE withBytes #-}

-- | Arrays of the addresses and lengths of byte strings, and how many they are, while the action runs.
withMany :: [ByteString] -> (Ptr (Ptr Word8) -> Ptr CSize -> CSize -> IO a) -> IO a
withMany messages act =
  withArrayLen addresses $ \count ps ->
    withArrayLen [fromIntegral n | (_, _, n) <- parts] $ \_ ns -> do
      result <- act ps ns (fromIntegral count)
      -- The action is calls of C, which return: what is touched here was alive all the time.
      traverse_ (\(fp, _, _) -> touchForeignPtr fp) parts
      pure result
  where
    parts = map BI.toForeignPtr messages
    addresses = [unsafeForeignPtrToPtr fp `plusPtr` offset | (fp, offset, _) <- parts]

-- | So many bytes that a call writes, or its refusal.
attempt :: Int -> (Ptr Word8 -> CSize -> IO CInt) -> Either Error ByteString
attempt len call = unsafeDupablePerformIO $ do
  (bytes, code) <- BI.createUptoN' (max 0 len) $ \out -> do
    code <- call out (fromIntegral (max 0 len))
    pure (max 0 len, code)
  pure (maybe (Right bytes) Left (fromCode code))

-- | So many pieces of so many bytes each, which share a byte string's memory.
slices :: Int -> Int -> ByteString -> [ByteString]
slices count each bytes = [B.take each (B.drop (i * each) bytes) | i <- [0 .. count - 1]]
