-- | Reproducible streams of random numbers: a seed gives the same stream in every language, on every machine and in
-- every version. @docs/guides/random.md@ defines them. A 'Gen' is an instance of
-- 'System.Random.Stateful.StatefulGen', for the distributions of @random@ and @mwc-random@, and of 'Words', for the
-- samplers of this package.
--
-- >>> :set -XOverloadedStrings
-- >>> g <- newGen (Output blake3) "a public seed"
-- >>> word64 g
-- 9811122062549666174
-- >>> import System.Random.Stateful (uniformRM)
-- >>> uniformRM (1, 6 :: Int) g
-- 2
--
-- If the seed is public, so is the stream. A process created with @forkProcess@ repeats the streams of its parent.
module Hashwell.Random
  ( -- * Generators
    Gen
  , newGen
  , newGenOS
  , module Hashwell.Random.Words
  , word32
  , unitDouble
  , bytes
  , seek
    -- * Sources
  , Source (..)
  , findSource
  , sourceName
    -- * Keys
  , Key (..)
  , seedKey
  , childKey
  , jumpedKey
  , othersKey
  , numberSeed
  , newGenFromKey
    -- * Generators over other streams
  , fromReader
  , fromDrbg
  , fromHmac
    -- * Algorithms
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState, RealWorld)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as BC
import qualified Data.ByteString.Lazy as BL
import Data.List (intercalate, stripPrefix)
import Data.Word (Word32, Word64)
import Hashwell.Algorithm
import qualified Hashwell.DRBG as Native
import Hashwell.Draw.Key (Key (..), Purpose (..), child, childNumber, derive, number, openList)
import Hashwell.Error (Error (..), must)
import Hashwell.Internal.Gen
import Hashwell.Number (unit)
import Hashwell.Random.Words
import Hashwell.XOF (newReader, plain)
import Numeric (showHex)
import Numeric.Natural (Natural)

-- | A random source: the algorithm that computes the bytes of a stream.
data Source
  = -- | SHA-256 in counter mode, which is easy to recompute with any SHA-256 tool.
    Counter
  | -- | The output of an extendable-output function. BLAKE3 is by far the fastest.
    Output !Algorithm
  | -- | HMAC-DRBG over a hash.
    HmacDrbg !Algorithm
  deriving (Eq, Show)

-- | Finds a source by name: @counter@, the name of an extendable-output function, or @hmac-drbg-@ followed by the
-- name of a hash for which HMAC is defined. Other names give 'Unsupported'.
findSource :: String -> Either Error Source
findSource "counter" = Right Counter
findSource text = case stripPrefix "hmac-drbg-" text of
  Just hash -> named hash >>= \a -> if hasHmac a then Right (HmacDrbg a) else Left Unsupported
  Nothing -> named text >>= \a -> if kind a == Xof then Right (Output a) else Left Unsupported
  where
    named = maybe (Left Unsupported) Right . find

-- | The name of a source.
sourceName :: Source -> String
sourceName Counter = "counter"
sourceName (Output a) = name a
sourceName (HmacDrbg a) = "hmac-drbg-" ++ name a

-- | Derives the key of a stream from a seed and a personalization, both of any length. Different personalizations give
-- independent streams for one seed.
seedKey :: ByteString -> ByteString -> Key
seedKey seed personalization = derive seed personalization openList

-- | The key of a child of a stream, with a number from 0 to 2^64 - 2. It is independent of the stream and of the other
-- children.
childKey :: Word64 -> Key -> Key
childKey = flip childNumber

-- | The key of another stream in the sequence of independent streams that starts with this key's stream. The number is
-- added to the position of this stream in the sequence.
jumpedKey :: Word64 -> Key -> Key
jumpedKey 0 key = key
jumpedKey j key = child OfJump key (number j)

-- | The key whose 'Counter' stream is used to seed other generators.
othersKey :: Key -> Key
othersKey key = child OfOthers key (number 0)

-- | The seed for a list of numbers, as in the Python package. (In Python, a single number instead of a list has its
-- decimal digits as the seed.)
--
-- >>> numberSeed [12345]
-- "hwseed/1:3039"
numberSeed :: [Natural] -> ByteString
numberSeed ns = BC.pack ("hwseed/1:" ++ intercalate "," [showHex n "" | n <- ns])

-- | Creates the stream of a seed of any length. Throws 'Hashwell.Error.Unsupported' if the algorithm can't be used as
-- this source; sources from 'findSource' always can.
newGen :: PrimMonad m => Source -> ByteString -> m (Gen (PrimState m))
newGen source seed = newGenFromKey source (seedKey seed B.empty)

-- | Creates an unpredictable stream, whose key comes from the operating system.
newGenOS :: Source -> IO (Gen RealWorld)
newGenOS source = Native.osBytes 32 >>= newGenFromKey source . Key

-- | Creates the stream of a key, at its beginning.
newGenFromKey :: PrimMonad m => Source -> Key -> m (Gen (PrimState m))
newGenFromKey Counter (Key k) = counterGen k
newGenFromKey (Output a) (Key k) = newReader a plain (BL.fromStrict k) >>= must >>= fromReader
newGenFromKey (HmacDrbg a) (Key k) = Native.newUnchecked a k B.empty B.empty >>= must >>= fromDrbg

-- | Reads the next 4 bytes as a big-endian number, which is the first half of the next 64-bit number.
word32 :: PrimMonad m => Gen (PrimState m) -> m Word32
word32 = next32
{-# INLINE word32 #-}

-- | Draws a number u with 0 <= u < 1: the next 64-bit number, shifted right by 11, divided by 2^53.
unitDouble :: PrimMonad m => Gen (PrimState m) -> m Double
unitDouble g = unit <$> next64 g
{-# INLINE unitDouble #-}
