{-# LANGUAGE TypeFamilies #-}
{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE MultiParamTypeClasses #-}

-- |
-- What whatever draws asks for: a source of words of 64 bits, in the monad that holds its state.
--
-- A class of its own, and not 'System.Random.Stateful.StatefulGen', because the order and number of the words that a
-- draw eats is a promise here, and the methods of that class may take halves of them.
module Hashwell.Random.Words
  ( Words (..)
  , Tape
  , newTape
  , tapeRest
  , FromStateful (..)
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import Data.Word (Word64)
import System.Random.Stateful (StatefulGen, uniformWord64)

-- | A source of words, each uniform in 0 to 2^64 - 1 and independent of the others.
class Monad m => Words g m where
  -- | The next word.
  word64 :: g -> m Word64

-- | A given list of words, for tests that try every one. Reading past its end is an 'error'.
newtype Tape s = Tape (MutVar s [Word64])

-- | A tape of these words.
newTape :: PrimMonad m => [Word64] -> m (Tape (PrimState m))
newTape ws = Tape <$> newMutVar ws

-- | The words that were not read yet.
tapeRest :: PrimMonad m => Tape (PrimState m) -> m [Word64]
tapeRest (Tape v) = readMutVar v

instance (PrimMonad m, s ~ PrimState m) => Words (Tape s) m where
  word64 (Tape v) = do
    ws <- readMutVar v
    case ws of
      [] -> error "Hashwell.Random.Words: the tape has ended"
      w : rest -> w <$ writeMutVar v rest

-- | Any generator of the package @random@'s or @mwc-random@'s: its 64-bit numbers.
newtype FromStateful g = FromStateful g

instance StatefulGen g m => Words (FromStateful g) m where
  word64 (FromStateful g) = uniformWord64 g
  {-# INLINE word64 #-}
