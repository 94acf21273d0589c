{-# LANGUAGE DeriveFunctor #-}
{-# LANGUAGE FlexibleInstances #-}

-- | The language of terms, and the schemes that unfold programs of it.
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
import Control.Monad.Free (Free (..), liftF)
import Control.Monad.Trans.Free (FreeF)
import qualified Control.Monad.Trans.Free as TF
import Data.List (foldl')

-- | A term, with what follows from each of its values. @docs\/spec\/draw.md@ says how each is made of words.
data ModelF r
  = -- | True with this chance.
    BernoulliF Double (Bool -> r)
  | -- | A number of 0 <= u < 1.
    UniformF (Double -> r)
  | -- | An index, in proportion to these weights: probabilities, or anything in proportion to them.
    CategoricalF [Double] (Int -> r)
  | -- | A whole number of 0 <= x < n, exactly; n is 1 to 2^128.
    BelowF Integer (Integer -> r)
  | -- | A normal law of this mean and standard deviation.
    GaussianF Double Double (Double -> r)
  | -- | A beta law, its parameters from 1e-300 to 1e15.
    BetaF Double Double (Double -> r)
  | -- | No draw: the run is weighted by the probability of what was seen.
    ObserveF Double r
  deriving (Functor)

-- | A program that denotes a distribution. Nothing is drawn until it is asked for.
type Model = Free ModelF

-- | Where terms can stand: in a 'Model', and in the programs that 'futu' puts between two seeds.
class Functor f => Language f where
  -- | A term in the language's own clothes.
  term :: ModelF r -> f r

instance Language ModelF where
  term = id

instance Language (FreeF ModelF a) where
  term = TF.Free

-- | True with a chance.
bernoulli :: Language f => Double -> Free f Bool
bernoulli p = liftF (term (BernoulliF p id))

-- | A number of 0 <= u < 1.
uniform :: Language f => Free f Double
uniform = liftF (term (UniformF id))

-- | An index in proportion to weights.
categorical :: Language f => [Double] -> Free f Int
categorical weights = liftF (term (CategoricalF weights id))

-- | A whole number of 0 <= x < n.
below :: Language f => Integer -> Free f Integer
below n = liftF (term (BelowF n id))

-- | A normal number of a mean and a standard deviation.
gaussian :: Language f => Double -> Double -> Free f Double
gaussian mean deviation = liftF (term (GaussianF mean deviation id))

-- | A beta number.
beta :: Language f => Double -> Double -> Free f Double
beta a b = liftF (term (BetaF a b id))

-- | Weighs the run by the probability of what was observed.
observe :: Language f => Double -> Free f ()
observe weight = liftF (term (ObserveF weight ()))

-- | Unfolds a program: each call of the coalgebra gives one term, whose leaves are the next seeds.
ana :: Functor f => (s -> FreeF f r s) -> s -> Free f r
ana coalgebra = go
  where
    go seed = case coalgebra seed of
      TF.Pure result -> Pure result
      TF.Free layer -> Free (fmap go layer)

-- | The same, where a leaf may be a finished program: @Left (pure n)@ ends.
apo :: Functor f => (s -> FreeF f r (Either (Free f r) s)) -> s -> Free f r
apo coalgebra = go
  where
    go seed = case coalgebra seed of
      TF.Pure result -> Pure result
      TF.Free layer -> Free (fmap (either id go) layer)

-- | The same, where a leaf may be several terms more before the next seed. Time grows with the terms alone; that of
-- @recursion-schemes@ 5.2 grows faster.
futu :: Functor f => (s -> FreeF f r (Free (FreeF f r) s)) -> s -> Free f r
futu coalgebra = go
  where
    go seed = layer (coalgebra seed)
    layer (TF.Pure result) = Pure result
    layer (TF.Free terms) = Free (fmap rest terms)
    rest (Pure seed) = go seed
    rest (Free inner) = layer inner

-- | A term whose parameters are out of their range, in one line.
newtype InvalidTerm = InvalidTerm String
  deriving (Eq, Show)

instance Exception InvalidTerm

-- | What is wrong with a term, if anything is.
complaint :: ModelF r -> Maybe InvalidTerm
complaint model = case model of
  BernoulliF p _ -> needs (p >= 0 && p <= 1) ("a chance of " ++ show p ++ " is not from 0 to 1")
  UniformF _ -> Nothing
  CategoricalF weights _ ->
    needs
      (all (>= 0) weights && total weights > 0 && finite (total weights))
      "weights are at least 0, of a finite sum above 0"
  BelowF n _ -> needs (n >= 1 && n <= 2 ^ (128 :: Int)) ("a number below " ++ show n ++ ": that is 1 to 2^128")
  GaussianF m s _ -> needs (finite m && s > 0 && finite s) ("a mean of " ++ show m ++ " or a deviation of " ++ show s)
  BetaF a b _ ->
    needs (shape a && shape b) ("beta's " ++ show a ++ ", " ++ show b ++ " are not both from 1e-300 to 1e15")
  ObserveF w _ -> needs (w >= 0 && finite w) ("an observation's weight of " ++ show w)
  where
    needs right what = if right then Nothing else Just (InvalidTerm what)
    finite x = not (isNaN x || isInfinite x)
    shape x = x >= 1.0e-300 && x <= 1.0e15
    total = foldl' (+) 0
