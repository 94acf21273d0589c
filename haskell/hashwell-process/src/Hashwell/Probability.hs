{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE MultiParamTypeClasses #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE TypeFamilies #-}
{-# LANGUAGE TypeOperators #-}

-- | Samplers that can be combined in a monad, over any random source. They have the names of the package
-- @mwc-probability@. 'sample' runs a sampler on the generator of @mwc-random@ and returns the same values as that
-- package.
--
-- Don't use the generator MWC256 for secrets, or for draws that someone could profit from predicting.
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

-- | A sampler: draws a value, using any random source of a monad.
newtype Prob m a = Prob {runProb :: forall g. Words g m => g -> m a}

instance Monad m => Functor (Prob m) where
  fmap = liftM

instance Monad m => Applicative (Prob m) where
  pure x = Prob (\_ -> pure x)
  (<*>) = ap

instance Monad m => Monad (Prob m) where
  Prob draw >>= next = Prob (\gen -> draw gen >>= \x -> runProb (next x) gen)

-- | Runs a sampler on a generator of @mwc-random@.
sample :: PrimMonad m => Prob m a -> Gen (PrimState m) -> m a
sample (Prob draw) = draw . Mwc

-- | The generator MWC256 as a random source. It gives the same doubles as @mwc-random@. A 64-bit number consumes two of
-- its 32-bit numbers, and some bits are constant (@docs\/spec\/process.md@). Don't use it to draw integers.
newtype Mwc s = Mwc (Gen s)

-- | Creates a generator with a fixed seed, like @create@ of @mwc-random@.
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

-- | Draws 'True' with this probability.
bernoulli :: Double -> Prob m Bool
bernoulli p = Prob (Terms.bernoulli p)

-- | Draws a uniform number u with 0 <= u < 1.
uniform :: Prob m Double
uniform = Prob Terms.uniform

-- | Draws an index with probability proportional to its weight.
categorical :: [Double] -> Prob m Int
categorical weights = Prob (Terms.categorical weights)

-- | Draws a uniform integer x with 0 <= x < n.
below :: Integer -> Prob m Integer
below n = Prob (Terms.below n)

-- | Draws from the normal distribution with this mean and standard deviation.
gaussian :: Double -> Double -> Prob m Double
gaussian mean deviation = Prob (Terms.gaussian mean deviation)

-- | Draws from the beta distribution with these parameters.
beta :: Double -> Double -> Prob m Double
beta a b = Prob (Terms.beta a b)
