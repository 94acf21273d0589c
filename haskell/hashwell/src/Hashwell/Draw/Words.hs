{-# LANGUAGE OverloadedStrings #-}

-- | The 64-bit random numbers of a key, and integers drawn from them.
module Hashwell.Draw.Words
  ( Stream
  , run
  , word
  , stream
  , below
  , exponentialTime
  ) where

import Control.Monad.ST.Lazy (runST)
import Control.Monad.Trans.State.Strict (State, evalState, state)
import qualified Crypto.DRBG.HMAC as DRBG
import qualified Crypto.Hash.SHA256 as SHA256
import Data.Bits (shiftL, (.|.))
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import qualified Data.ByteString.Unsafe as U
import Data.Word (Word64)
import Hashwell.Draw.Key (Key (..), number)
import Hashwell.Internal.Numbers (Numbers (..))
import Hashwell.Internal.Sources (numbersOf)
import Hashwell.Sampling.Below (belowFrom, joined)

-- | A computation that consumes random numbers from an infinite list.
type Stream = State [Word64]

-- | Runs the computation on a list of random numbers.
run :: Stream a -> [Word64] -> a
run = evalState

-- | Returns the next random number.
word :: Stream Word64
word = state next
  where
    next (w : ws) = (w, ws)
    next [] = error "Hashwell.Draw.Words: there are no more random numbers"

-- | The random numbers of a key, computed by the random source with this name (@docs\/guides\/random.md@). Returns an
-- error message if there is no such source.
stream :: B.ByteString -> Key -> Either String [Word64]
stream text (Key key) = from <$> numbersOf (C.unpack text)
  where
    from Count = wordsOf (L.fromChunks (map block [0 ..]))
    from (Requests hmac) = wordsOf (drbg hmac key)
    from (Bytes output) = wordsOf (output key)
    from (Numbers numbers) = numbers key
    block i = SHA256.hash (B.concat [key, "\0", number i])

-- | HMAC-DRBG (SP 800-90A section 10.1.2) with only an entropy input, in requests of 1024 bytes.
drbg :: DRBG.HMAC -> B.ByteString -> L.ByteString
drbg hmac entropy = L.fromChunks (runST (DRBG.new hmac entropy "" "" >>= requests))
  where
    requests generator = (:) <$> DRBG.gen "" 1024 generator <*> requests generator

-- | Converts bytes to 64-bit numbers; an incomplete number at the end is dropped.
wordsOf :: L.ByteString -> [Word64]
wordsOf = go B.empty . L.toChunks
  where
    go _ [] = []
    go left (chunk : chunks) = foldr ((:) . wordAt) (go rest chunks) [0 .. whole - 1]
      where
        bytes = if B.null left then chunk else left <> chunk
        whole = B.length bytes `div` 8
        rest = B.drop (8 * whole) bytes
        wordAt i = foldl (\w j -> w `shiftL` 8 .|. fromIntegral (U.unsafeIndex bytes (8 * i + j))) 0 [0 .. 7]

-- | Draws a uniform integer x with 0 <= x < n, for n from 1 to 2^128. Random numbers that would make some results more
-- likely are rejected.
below :: Integer -> Stream Integer
below = belowFrom word

-- | Draws an exponentially distributed time in units of 2^-128, using only comparisons (von Neumann 1951).
exponentialTime :: Stream Integer
exponentialTime = attempt 0
  where
    attempt :: Integer -> Stream Integer
    attempt whole = do
      first <- joined word 2
      oddly <- descending first
      if oddly then pure (whole `shiftL` 128 .|. first) else attempt (whole + 1)
    -- True if the descending run of numbers has odd length.
    descending lastOne = do
      next <- joined word 2
      if next < lastOne then not <$> descending next else pure True
