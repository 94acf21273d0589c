{-# LANGUAGE DeriveFunctor #-}
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE FlexibleInstances #-}

-- | The language of terms, and the recursion schemes that unfold programs in it.
module Hashwell.Process.Model
  ( ModelF (..)
  , Model
  , Language (..)
  , bernoulli
  , uniform
  , categorical
  , below
  , gaussian
  , beta
  , observe
  , ana
  , apo
  , futu
  , InvalidTerm (..)
  , complaint
  ) where

import Control.Exception (Exception)
import Control.Monad.Free (Free (..), MonadFree (..), liftF)
import Control.Monad.Free.Church (F)
import Control.Monad.Trans.Free (FreeF)
import qualified Control.Monad.Trans.Free as TF
import qualified Data.List as List

-- | A term, with a continuation for its value. @docs\/spec\/draw.md@ specifies how each term consumes random numbers.
data ModelF r
  = -- | 'True' with this probability.
    BernoulliF Double (Bool -> r)
  | -- | A uniform number u with 0 <= u < 1.
    UniformF (Double -> r)
  | -- | An index, with probability proportional to its weight. The sum of the weights need not be 1.
    CategoricalF [Double] (Int -> r)
  | -- | An exactly uniform integer x with 0 <= x < n; n is 1 to 2^128.
    BelowF Integer (Integer -> r)
  | -- | A normal distribution with this mean and standard deviation.
    GaussianF Double Double (Double -> r)
  | -- | A beta distribution; its parameters are from 1e-300 to 1e15.
    BetaF Double Double (Double -> r)
  | -- | Not a draw: weights the run by the probability of an observation.
    ObserveF Double r
  deriving (Functor)

-- | A program that denotes a distribution. Nothing is drawn until you run it.
--
-- The type is the free monad of 'ModelF' in its Church encoding. In this encoding a bind takes constant time, so
-- @replicateM n@, @traverse@ and nested binds take time proportional to the number of terms. With 'Free', the time
-- would be quadratic, because each bind traverses the program to its left. To convert a program, use @fromF@ and @toF@
-- of "Control.Monad.Free.Church".
type Model = F ModelF

-- | The functors that can contain terms: 'ModelF' itself, and the functor of the programs inside a 'futu'.
class Functor f => Language f where
  -- | Embeds a term.
  term :: ModelF r -> f r

instance Language ModelF where
  term = id

instance Language (FreeF ModelF a) where
  term = TF.Free

-- | 'True' with this probability.
bernoulli :: (Language f, MonadFree f m) => Double -> m Bool
bernoulli p = liftF (term (BernoulliF p id))

-- | A uniform number u with 0 <= u < 1.
uniform :: (Language f, MonadFree f m) => m Double
uniform = liftF (term (UniformF id))

-- | An index, with probability proportional to its weight.
categorical :: (Language f, MonadFree f m) => [Double] -> m Int
categorical weights = liftF (term (CategoricalF weights id))

-- | A uniform integer x with 0 <= x < n.
below :: (Language f, MonadFree f m) => Integer -> m Integer
below n = liftF (term (BelowF n id))

-- | A number from the normal distribution with this mean and standard deviation.
gaussian :: (Language f, MonadFree f m) => Double -> Double -> m Double
gaussian mean deviation = liftF (term (GaussianF mean deviation id))

-- | A number from the beta distribution with these parameters.
beta :: (Language f, MonadFree f m) => Double -> Double -> m Double
beta a b = liftF (term (BetaF a b id))

-- | Weights the run by the probability of an observation.
observe :: (Language f, MonadFree f m) => Double -> m ()
observe weight = liftF (term (ObserveF weight ()))

-- | Unfolds a program (anamorphism). Each call of the coalgebra gives one term, whose leaves are the next seeds.
ana :: (Functor f, MonadFree f m) => (s -> FreeF f r s) -> s -> m r
ana coalgebra = go
  where
    go seed = case coalgebra seed of
      TF.Pure result -> pure result
      TF.Free layer -> wrap (fmap go layer)

-- | Like 'ana', but a leaf can also be a finished program (apomorphism). For example, @Left (pure n)@ ends with n.
apo :: (Functor f, MonadFree f m) => (s -> FreeF f r (Either (m r) s)) -> s -> m r
apo coalgebra = go
  where
    go seed = case coalgebra seed of
      TF.Pure result -> pure result
      TF.Free layer -> wrap (fmap (either id go) layer)

-- | Like 'ana', but a leaf can contain several more terms before the next seed (futumorphism). The time is
-- proportional to the number of terms, unlike with @recursion-schemes@ 5.2.
futu :: (Functor f, MonadFree f m) => (s -> FreeF f r (Free (FreeF f r) s)) -> s -> m r
futu coalgebra = go
  where
    go seed = layer (coalgebra seed)
    layer (TF.Pure result) = pure result
    layer (TF.Free terms) = wrap (fmap rest terms)
    rest (Pure seed) = go seed
    rest (Free inner) = layer inner

-- | The exception for a term whose parameters are out of range, with a message.
newtype InvalidTerm = InvalidTerm String
  deriving (Eq, Show)

instance Exception InvalidTerm

-- | Returns the error of an invalid term.
complaint :: ModelF r -> Maybe InvalidTerm
complaint model = case model of
  BernoulliF p _ -> needs (p >= 0 && p <= 1) ("the probability " ++ show p ++ " is not between 0 and 1")
  UniformF _ -> Nothing
  CategoricalF weights _ ->
    needs
      (all (>= 0) weights && total weights > 0 && finite (total weights))
      "the weights must be at least 0, and their sum must be positive and finite"
  BelowF n _ -> needs (n >= 1 && n <= 2 ^ (128 :: Int)) ("the n of 'below' must be 1 to 2^128, not " ++ show n)
  GaussianF m s _ ->
    needs
      (finite m && s > 0 && finite s)
      ("the mean must be finite, and the standard deviation positive and finite, not " ++ show m ++ " and " ++ show s)
  BetaF a b _ ->
    needs
      (shape a && shape b)
      ("the parameters of beta must be 1e-300 to 1e15, not " ++ show a ++ " and " ++ show b)
  ObserveF w _ ->
    needs (w >= 0 && finite w) ("the weight of an observation must be finite and at least 0, not " ++ show w)
  where
    needs right what = if right then Nothing else Just (InvalidTerm what)
    finite x = not (isNaN x || isInfinite x)
    shape x = x >= 1.0e-300 && x <= 1.0e15
    total = List.foldl' (+) 0
