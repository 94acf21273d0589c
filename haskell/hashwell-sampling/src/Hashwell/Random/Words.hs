{-# LANGUAGE TypeFamilies #-}
{-# LANGUAGE TypeOperators #-}
{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE MultiParamTypeClasses #-}

-- |
-- The class of random sources that the samplers use: a source of 64-bit random numbers in a monad.
--
-- It is a separate class from 'System.Random.Stateful.StatefulGen' because this package guarantees how many random
-- numbers each sampler consumes, and in which order. Methods of that class may consume halves of them.
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

-- | A source of independent random numbers, each uniform from 0 to 2^64 - 1.
class Monad m => Words g m where
  -- | Returns the next number.
  word64 :: g -> m Word64

-- | A source that returns the numbers of a list, for tests. Reading past the end calls 'error'.
newtype Tape s = Tape (MutVar s [Word64])

-- | Creates a tape with these numbers.
newTape :: PrimMonad m => [Word64] -> m (Tape (PrimState m))
newTape ws = Tape <$> newMutVar ws

-- | The numbers that were not read yet.
tapeRest :: PrimMonad m => Tape (PrimState m) -> m [Word64]
tapeRest (Tape v) = readMutVar v

instance (PrimMonad m, s ~ PrimState m) => Words (Tape s) m where
  word64 (Tape v) = do
    ws <- readMutVar v
    case ws of
      [] -> error "Hashwell.Random.Words: the tape has no more numbers"
      w : rest -> w <$ writeMutVar v rest

-- | Uses any generator of the packages @random@ and @mwc-random@ as a source of 64-bit numbers.
newtype FromStateful g = FromStateful g

instance StatefulGen g m => Words (FromStateful g) m where
  word64 (FromStateful g) = uniformWord64 g
  {-# INLINE word64 #-}
