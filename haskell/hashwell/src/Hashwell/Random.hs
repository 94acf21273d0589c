-- |
-- Streams of random numbers, the same for one seed in every language, on every machine and in every version;
-- @docs/guides/random.md@ defines them. A 'Gen' is a 'System.Random.Stateful.StatefulGen', so that the distributions of
-- @random@ and @mwc-random@ run on it, and it is 'Words', so that the draws of this package do.
--
-- >>> :set -XOverloadedStrings
-- >>> g <- newGen (Output blake3) "a public seed"
-- >>> word64 g
-- 9811122062549666174
-- >>> import System.Random.Stateful (uniformRM)
-- >>> uniformRM (1, 6 :: Int) g
-- 2
--
-- A public seed makes a public stream. A process that @forkProcess@ makes repeats its parent's streams.
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

-- | Where a stream's bytes come from.
data Source
  = -- | SHA-256 in counter mode, which anybody can recompute with any tool.
    Counter
  | -- | The output of an extendable-output function. BLAKE3's is by far the fastest.
    Output !Algorithm
  | -- | HMAC-DRBG over a hash.
    HmacDrbg !Algorithm
  deriving (Eq, Show)

-- | The source of a name: @counter@, an extendable-output function's, or @hmac-drbg-@ and a hash that has HMAC.
findSource :: String -> Either Error Source
findSource "counter" = Right Counter
findSource text = case stripPrefix "hmac-drbg-" text of
  Just hash -> named hash >>= \a -> if hasHmac a then Right (HmacDrbg a) else Left Unsupported
  Nothing -> named text >>= \a -> if kind a == Xof then Right (Output a) else Left Unsupported
  where
    named = maybe (Left Unsupported) Right . find

-- | Its name.
sourceName :: Source -> String
sourceName Counter = "counter"
sourceName (Output a) = name a
sourceName (HmacDrbg a) = "hmac-drbg-" ++ name a

-- | The key of a seed and a personalization, which tells uses of one seed apart. Both are bytes of any length.
seedKey :: ByteString -> ByteString -> Key
seedKey seed personalization = derive seed personalization openList

-- | The key of a stream's child, 0 to 2^64 - 2: independent of the stream and of its other children.
childKey :: Word64 -> Key -> Key
childKey = flip childNumber

-- | The key of the stream so many further on in the row of independent streams that begins with this key's.
jumpedKey :: Word64 -> Key -> Key
jumpedKey 0 key = key
jumpedKey j key = child OfJump key (number j)

-- | The key whose 'Counter' stream seeds other generators.
othersKey :: Key -> Key
othersKey key = child OfOthers key (number 0)

-- | The seed that a list of numbers stands for, where Python's and NumPy's users give a list. (One number is there its
-- decimal digits.)
--
-- >>> numberSeed [12345]
-- "hwseed/1:3039"
numberSeed :: [Natural] -> ByteString
numberSeed ns = BC.pack ("hwseed/1:" ++ intercalate "," [showHex n "" | n <- ns])

-- | The stream of a seed, of any length. 'Hashwell.Error.Unsupported' is thrown for an algorithm that is no such
-- source; 'findSource' gives none.
newGen :: PrimMonad m => Source -> ByteString -> m (Gen (PrimState m))
newGen source seed = newGenFromKey source (seedKey seed B.empty)

-- | A stream that nobody can repeat: its key is from the operating system.
newGenOS :: Source -> IO (Gen RealWorld)
newGenOS source = Native.osBytes 32 >>= newGenFromKey source . Key

-- | The stream of a key, from its beginning.
newGenFromKey :: PrimMonad m => Source -> Key -> m (Gen (PrimState m))
newGenFromKey Counter (Key k) = counterGen k
newGenFromKey (Output a) (Key k) = newReader a plain (BL.fromStrict k) >>= must >>= fromReader
newGenFromKey (HmacDrbg a) (Key k) = Native.newUnchecked a k B.empty B.empty >>= must >>= fromDrbg

-- | The next 4 bytes as a number, big-endian: the first half of the number of 64 bits.
word32 :: PrimMonad m => Gen (PrimState m) -> m Word32
word32 = next32
{-# INLINE word32 #-}

-- | A number of 0 <= u < 1: the next word, shifted right by 11, over 2^53.
unitDouble :: PrimMonad m => Gen (PrimState m) -> m Double
unitDouble g = unit <$> next64 g
{-# INLINE unitDouble #-}
