{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE MultiParamTypeClasses #-}
{-# LANGUAGE TypeFamilies #-}
{-# LANGUAGE TypeOperators #-}
{-# LANGUAGE UnboxedTuples #-}

-- |
-- A buffer for a stream of bytes, from which numbers are read.
module Hashwell.Internal.Gen
  ( Gen
  , next8
  , next16
  , next32
  , next64
  , bytes
  , seek
  , counterGen
  , fromReader
  , fromDrbg
  , fromHmac
  ) where

import Control.Exception (mask_, throwIO)
import Control.Monad (when)
import Control.Monad.Primitive
  (PrimMonad, PrimState, RealWorld, primitive, touch, unsafeIOToPrim)
import qualified Crypto.DRBG.HMAC as Given
import Data.Bits (shiftR)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Short as BS
import Data.IORef (newIORef, readIORef, writeIORef)
import Data.Primitive.ByteArray
import Data.Word (Word16, Word32, Word64, Word8, byteSwap16, byteSwap32, byteSwap64)
import Foreign.C.Types (CInt)
import Foreign.Marshal.Alloc (alloca, allocaBytesAligned)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, nullPtr, plusPtr)
import Foreign.Storable (peek, poke, pokeElemOff)
import GHC.Exts
  (Int (..), readWord8ArrayAsWord16#, readWord8ArrayAsWord32#, readWord8ArrayAsWord64#)
import GHC.Word (Word16 (..), Word32 (..), Word64 (..))
import Hashwell.Error (Error (..), check, fromCode)
import Hashwell.Internal.Drbg (DRBG (..))
import Hashwell.Internal.Foreign
import Hashwell.Internal.Memory (withBytes)
import Hashwell.Internal.Reader (Reader (..))
import qualified Hashwell.Internal.State as State
import Hashwell.Random.Words (Words (..))
import System.Random.Stateful (StatefulGen (..))
import Unsafe.Coerce (unsafeCoerce)

-- | A stream of random numbers. Numbers are read from a stream of bytes in big-endian order, so numbers of different
-- sizes can be read in any order. It is in pinned memory that the garbage collector frees. Reads throw 'Exhausted' at
-- the end of the stream, which in practice you reach only with 'seek'.
data Gen s = Gen !(MutableByteArray s) !Stream

-- | The stream of bytes behind the buffer.
data Stream = Stream
  { fill :: Ptr Word8 -> Int -> IO Int
  -- ^ Writes the next bytes (a multiple of 'step') and returns their number, which is smaller only at the end.
  , goTo :: Integer -> IO (Either Error Int)
  -- ^ Moves to a position, or to the start of its block, and returns how many bytes that is before the position.
  }

-- Layout of the array: three numbers (the start and the end of the unread bytes, and how many bytes to generate next),
-- 8 bytes for the part of a number from before a refill, and the buffer.
first, capacity, step :: Int
first = 32
capacity = 4096
-- The size of one request of HMAC-DRBG, and of 32 blocks of SHA-256.
step = 1024

newOver :: PrimMonad m => Stream -> m (Gen (PrimState m))
newOver stream = do
  array <- newAlignedPinnedByteArray (first + capacity) 16
  writeByteArray array 0 first
  writeByteArray array 1 first
  writeByteArray array 2 step
  pure (Gen array stream)

-- | Makes at least this many bytes (at most 8) available in the buffer.
refill :: PrimMonad m => Int -> Gen (PrimState m) -> m ()
refill wanted (Gen array stream) = unsafeIOToPrim (refillIO wanted (unsafeCoerce array) stream)

-- Masked, so that an exception can't discard bytes that were already generated.
refillIO :: Int -> MutableByteArray RealWorld -> Stream -> IO ()
refillIO wanted array stream = mask_ $ do
  from <- readByteArray array 0 :: IO Int
  to <- readByteArray array 1
  len <- readByteArray array 2
  let left = to - from
      at = mutableByteArrayContents array `plusPtr` first
  copyMutableByteArray array (first - left) array from left
  writeByteArray array 0 (first - left)
  writeByteArray array 1 first
  got <- fill stream at len
  touch array
  writeByteArray array 1 (first + got)
  writeByteArray array 2 (min capacity (4 * len))
  when (left + got < wanted) (throwIO Exhausted)
{-# NOINLINE refillIO #-}

-- | Makes the bytes of a number available; a primitive then reads it.
number ::
  PrimMonad m => Int -> (MutableByteArray# (PrimState m) -> Int -> m w) -> Gen (PrimState m) -> m w
number size get g@(Gen array@(MutableByteArray raw) _) = do
  from <- readByteArray array 0
  to <- readByteArray array 1
  if from + size <= to
    then do
      writeByteArray array 0 (from + size)
      get raw from
    else do
      refill size g
      again <- readByteArray array 0
      writeByteArray array 0 (again + size)
      get raw again
{-# INLINE number #-}

-- | Reads the next 8 bytes as a number.
next64 :: PrimMonad m => Gen (PrimState m) -> m Word64
next64 = number 8 $ \raw (I# i) ->
  fmap byteSwap64 . primitive $ \s -> case readWord8ArrayAsWord64# raw i s of (# s', w #) -> (# s', W64# w #)
{-# INLINE next64 #-}

-- | Reads the next 4 bytes as a number.
next32 :: PrimMonad m => Gen (PrimState m) -> m Word32
next32 = number 4 $ \raw (I# i) ->
  fmap byteSwap32 . primitive $ \s -> case readWord8ArrayAsWord32# raw i s of (# s', w #) -> (# s', W32# w #)
{-# INLINE next32 #-}

-- | Reads the next 2 bytes as a number.
next16 :: PrimMonad m => Gen (PrimState m) -> m Word16
next16 = number 2 $ \raw (I# i) ->
  fmap byteSwap16 . primitive $ \s -> case readWord8ArrayAsWord16# raw i s of (# s', w #) -> (# s', W16# w #)
{-# INLINE next16 #-}

-- | Reads the next byte.
next8 :: PrimMonad m => Gen (PrimState m) -> m Word8
next8 = number 1 (\raw i -> readByteArray (MutableByteArray raw) i)
{-# INLINE next8 #-}

instance (PrimMonad m, s ~ PrimState m) => StatefulGen (Gen s) m where
  uniformWord8 = next8
  {-# INLINE uniformWord8 #-}
  uniformWord16 = next16
  {-# INLINE uniformWord16 #-}
  uniformWord32 = next32
  {-# INLINE uniformWord32 #-}
  uniformWord64 = next64
  {-# INLINE uniformWord64 #-}
  uniformShortByteString n g = BS.toShort <$> bytes g n

instance (PrimMonad m, s ~ PrimState m) => Words (Gen s) m where
  word64 = next64
  {-# INLINE word64 #-}

-- | Reads the next bytes; a negative number reads none.
bytes :: PrimMonad m => Gen (PrimState m) -> Int -> m ByteString
bytes (Gen array stream) wanted = unsafeIOToPrim (BI.create (max 0 wanted) (\out -> go out (max 0 wanted)))
  where
    world = unsafeCoerce array :: MutableByteArray RealWorld
    go _ 0 = pure ()
    go out n = do
      from <- readByteArray world 0
      to <- readByteArray world 1
      if from == to
        then refillIO 1 world stream >> go out n
        else do
          let some = min n (to - from)
          copyBytes out (mutableByteArrayContents world `plusPtr` from) some
          touch world
          writeByteArray world 0 (from + some)
          go (out `plusPtr` some) (n - some)

-- | Moves to a byte position, forward or backward, in constant time. Returns 'Unsupported' for sources other than
-- BLAKE3 and the counter, and 'Exhausted' past the end.
seek :: PrimMonad m => Gen (PrimState m) -> Integer -> m (Either Error ())
seek g@(Gen array stream) position = unsafeIOToPrim . mask_ $ do
  gone <- goTo stream position
  case gone of
    Left e -> pure (Left e)
    Right over -> do
      let world = unsafeCoerce array :: MutableByteArray RealWorld
      writeByteArray world 0 first
      writeByteArray world 1 first
      Right () <$ bytes (unsafeCoerce g :: Gen RealWorld) over

-- | Computes SHA-256(key, a zero byte, i) for i = 0, 1, ..., many blocks at once.
counterGen :: PrimMonad m => ByteString -> m (Gen (PrimState m))
counterGen key = unsafeIOToPrim (newIORef 0) >>= \at -> newOver Stream
  { fill = \out n -> do
      i <- readIORef at
      let count = fromIntegral (min (fromIntegral (n `div` 32)) (2 ^ (64 :: Int) - i))
      blocks key (fromInteger i) out count
      writeIORef at (i + fromIntegral count)
      pure (32 * count)
  , goTo = \position ->
      let (block, over) = position `divMod` 32
       in if position < 0 || position > 2 ^ (69 :: Int)
            then pure (Left Exhausted)
            else Right (fromInteger over) <$ writeIORef at block
  }

blocks :: ByteString -> Word64 -> Ptr Word8 -> Int -> IO ()
blocks _ _ _ 0 = pure ()
blocks key i out count =
  allocaBytesAligned (count * (each + 16)) 16 $ \messages ->
    withBytes key $ \k kn -> do
      let addresses = castPtr (messages `plusPtr` (count * each)) :: Ptr (Ptr Word8)
          lengths = castPtr (addresses `plusPtr` (count * 8))
          message j = do
            let at = messages `plusPtr` (each * j)
            copyBytes at k (fromIntegral kn)
            poke (at `plusPtr` 32) (0 :: Word8)
            let octet b = fromIntegral ((i + fromIntegral j) `shiftR` (56 - 8 * b)) :: Word8
            mapM_ (\b -> poke (at `plusPtr` (33 + b)) (octet b)) [0 .. 7]
            pokeElemOff addresses j at
            pokeElemOff lengths j 41
      mapM_ message [0 .. count - 1]
      c_hash_many 3 nullPtr addresses lengths (fromIntegral count) out (fromIntegral (32 * count)) >>= check
  where
    -- 41 bytes, padded so that the following addresses are aligned.
    each = 48

-- | Creates a generator from the output of an extendable-output function, from the reader's position. Don't use the
-- reader afterwards, because the generator takes over its memory.
fromReader :: PrimMonad m => Reader (PrimState m) -> m (Gen (PrimState m))
fromReader (Reader state) = newOver Stream
  { fill = \out n -> State.withState io $ \h -> do
      code <- c_xof_read h out (fromIntegral n)
      case fromCode code of
        Nothing -> pure n
        Just Exhausted -> do
          at <- alloca (\p -> c_xof_tell h p >>= check >> peek p)
          let left = fromIntegral (maxBound - at)
          c_xof_read h out (fromIntegral left) >>= check
          pure left
        Just e -> throwIO e
  , goTo = \position ->
      if position < 0 || position >= 2 ^ (64 :: Int)
        then pure (Left Exhausted)
        else State.withState io $ \h -> maybe (Right 0) Left . fromCode <$> c_xof_seek h (fromInteger position)
  }
  where
    io = State.inIO state

-- | Creates a generator from the output of HMAC-DRBG, in requests of 1024 bytes without additional input. The stream
-- ends when a reseed is necessary.
fromDrbg :: PrimMonad m => DRBG (PrimState m) -> m (Gen (PrimState m))
fromDrbg (DRBG state) = inRequests $ \out -> State.withState (State.inIO state) $ \h ->
  c_drbg_generate h out (fromIntegral step) nullPtr 0

-- | Creates a generator from the output of an HMAC-DRBG over your own HMAC function.
fromHmac :: PrimMonad m => Given.DRBG (PrimState m) -> m (Gen (PrimState m))
fromHmac drbg = inRequests $ \out -> do
  some <- Given.gen B.empty (fromIntegral step) (unsafeCoerce drbg :: Given.DRBG RealWorld)
  0 <$ withBytes some (\p n -> copyBytes out p (fromIntegral n))

inRequests :: PrimMonad m => (Ptr Word8 -> IO CInt) -> m (Gen (PrimState m))
inRequests request = newOver Stream { fill = go 0, goTo = const (pure (Left Unsupported)) }
  where
    go done out n
      | done + step > n = pure done
      | otherwise = do
          code <- request (out `plusPtr` done)
          case fromCode code of
            Nothing -> go (done + step) out n
            Just ReseedRequired -> pure done
            Just e -> throwIO e
