-- |
-- Passes byte strings to the C interface.
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

-- | Calls for at least this many bytes are @safe@ foreign calls.
longCall :: Int
longCall = 65536

-- | Selects the @unsafe@ or the @safe@ call by the number of bytes.
long :: Int -> a -> a -> a
long n short safe = if n < longCall then short else safe
{-# INLINE long #-}

-- | Runs an action with the address and length of a byte string.
withBytes :: ByteString -> (Ptr Word8 -> CSize -> IO a) -> IO a
withBytes b act = BU.unsafeUseAsCStringLen b (\(p, n) -> act (castPtr p) (fromIntegral n))
{-# INLINE withBytes #-}

-- | Runs an action with arrays of the addresses and lengths of byte strings, and their number.
withMany :: [ByteString] -> (Ptr (Ptr Word8) -> Ptr CSize -> CSize -> IO a) -> IO a
withMany messages act =
  withArrayLen addresses $ \count ps ->
    withArrayLen [fromIntegral n | (_, _, n) <- parts] $ \_ ns -> do
      result <- act ps ns (fromIntegral count)
      -- The action consists of C calls that return, so touching the byte strings here keeps them alive until then.
      traverse_ (\(fp, _, _) -> touchForeignPtr fp) parts
      pure result
  where
    parts = map BI.toForeignPtr messages
    addresses = [unsafeForeignPtrToPtr fp `plusPtr` offset | (fp, offset, _) <- parts]

-- | Creates a byte string of this length that a call writes, or returns the error of the call.
attempt :: Int -> (Ptr Word8 -> CSize -> IO CInt) -> Either Error ByteString
attempt len call = unsafeDupablePerformIO $ do
  (bytes, code) <- BI.createUptoN' (max 0 len) $ \out -> do
    code <- call out (fromIntegral (max 0 len))
    pure (max 0 len, code)
  pure (maybe (Right bytes) Left (fromCode code))

-- | Splits a byte string into pieces of equal length that share its memory.
slices :: Int -> Int -> ByteString -> [ByteString]
slices count each bytes = [B.take each (B.drop (i * each) bytes) | i <- [0 .. count - 1]]
