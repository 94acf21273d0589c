{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE MultiParamTypeClasses #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE TypeFamilies #-}

-- |
-- Samplers that can be combined: the names of the package @mwc-probability@ that programs of terms need, over any
-- source of words. 'sample' runs one on @mwc-random@'s generator and gives what that package gives.
--
-- MWC256 is unfit for secrets, and for draws that somebody could gain by predicting.
module Hashwell.Probability
  ( -- * Samplers
    Prob (..)
  , sample
    -- * Terms
  , bernoulli
  , uniform
  , categorical
  , below
  , gaussian
  , beta
    -- * Generators
  , Mwc (..)
  , create
  ) where

import Control.Monad (ap, liftM)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.Bits (shiftL, shiftR, xor, (.&.), (.|.))
import Data.Word (Word32, Word64)
import qualified Hashwell.Process.Terms as Terms
import Hashwell.Random.Words (Words (..))
import System.Random.MWC (Gen)
import qualified System.Random.MWC as MWC

-- | What draws a value from any source of words in a monad.
newtype Prob m a = Prob {runProb :: forall g. Words g m => g -> m a}

instance Monad m => Functor (Prob m) where
  fmap = liftM

instance Monad m => Applicative (Prob m) where
  pure x = Prob (\_ -> pure x)
  (<*>) = ap

instance Monad m => Monad (Prob m) where
  Prob draw >>= next = Prob (\gen -> draw gen >>= \x -> runProb (next x) gen)

-- | A value, by @mwc-random@'s generator.
sample :: PrimMonad m => Prob m a -> Gen (PrimState m) -> m a
sample (Prob draw) = draw . Mwc

-- | MWC256 as a source of words: the doubles made of them are those of @mwc-random@. A word takes two of its numbers of
-- 32 bits, of which some bits are always the same (@docs\/spec\/process.md@), so that it is no source for whole
-- numbers.
newtype Mwc s = Mwc (Gen s)

-- | @mwc-random@'s generator of the same name: that of a fixed seed.
create :: PrimMonad m => m (Gen (PrimState m))
create = MWC.create

instance (PrimMonad m, s ~ PrimState m) => Words (Mwc s) m where
  word64 (Mwc gen) = do
    x <- MWC.uniform gen
    y <- MWC.uniform gen
    pure (joined x y)

joined :: Word32 -> Word32 -> Word64
joined x y =
  fromIntegral (x `xor` 0x80000000) `shiftL` 32
    .|. fromIntegral (y .&. 0xfffff) `shiftL` 12
    .|. 0x800
    .|. fromIntegral (y `shiftR` 21)

-- | True with a chance.
bernoulli :: Double -> Prob m Bool
bernoulli p = Prob (Terms.bernoulli p)

-- | A number of 0 <= u < 1.
uniform :: Prob m Double
uniform = Prob Terms.uniform

-- | An index in proportion to weights.
categorical :: [Double] -> Prob m Int
categorical weights = Prob (Terms.categorical weights)

-- | A whole number of 0 <= x < n.
below :: Integer -> Prob m Integer
below n = Prob (Terms.below n)

-- | A normal number of a mean and a standard deviation.
gaussian :: Double -> Double -> Prob m Double
gaussian mean deviation = Prob (Terms.gaussian mean deviation)

-- | A beta number.
beta :: Double -> Double -> Prob m Double
beta a b = Prob (Terms.beta a b)
