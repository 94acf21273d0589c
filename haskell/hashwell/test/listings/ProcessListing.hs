{-# LANGUAGE DeriveFunctor #-}
{-# LANGUAGE LambdaCase #-}

-- | The framework for recursive stochastic processes in the document, unchanged except for its imports: it imports
-- "Hashwell.Probability" instead of @System.Random.MWC.Probability@, and the recursion schemes of "Hashwell.Process".
-- The parts that the document shows in angle brackets are filled in. Its session:
--
-- >>> import Control.Monad
-- >>> import Data.List (sort)
-- >>> gen <- MWC.create
-- >>> replicateM 10 (MWC.sample (prob (geometric 0.1)) gen)
-- [1,9,13,3,4,3,13,1,4,17]
--
-- The restaurants described in the document:
--
-- >>> restaurants <- replicateM 1000 (MWC.sample (prob (crp 10 1.5)) gen)
-- >>> all ((== [0 .. 9]) . sort . concat) restaurants
-- True
-- >>> let tables = sum (map length restaurants)
-- >>> abs (fromIntegral tables / 1000 - 3.5426) < 0.2
-- True
-- >>> flips <- replicateM 1000 (MWC.sample (prob model) gen)
-- >>> abs (length (filter id flips) - 500) < 80
-- True
module ProcessListing (ModelF (..), Model, model, geometric, prob, uniform, crp) where

import Control.Monad.Free (Free (..), iterM, liftF)
import qualified Control.Monad.Trans.Free as TF
import Hashwell.Process (apo, futu)
import qualified Hashwell.Probability as MWC

data ModelF r =
    BernoulliF Double (Bool -> r)
  | UniformF (Double -> r)
  deriving Functor

type Model = Free ModelF

-- The printed version lacks the probability and a parenthesis: @Free (UniformF (\\u -> Free (BernoulliF pure))@.
model :: Model Bool
model = Free (UniformF (\u ->
  Free (BernoulliF u pure)))

geometric :: Double -> Model Int
geometric p = apo coalg 1 where
  coalg n = TF.Free (BernoulliF p (\accept ->
    if   accept
    then Left (pure n)
    else Right (n + 1)))

prob :: Model a -> MWC.Prob IO a
prob = iterM $ \case
  BernoulliF p f -> MWC.bernoulli p >>= f
  UniformF f     -> MWC.uniform >>= f

uniform :: Free (TF.FreeF ModelF a) Double
uniform = liftF (TF.Free (UniformF id))

crp :: Int -> Double -> Model [[Int]]
crp n a = futu coalg (1, [[0]]) where
  coalg (customer, tables)
    | customer >= n = TF.Pure tables
    | otherwise =
        let p = a / (fromIntegral customer + a)
        in  TF.Free (BernoulliF p (\accept ->
              if   accept
              then pure (succ customer, tables ++ [[customer]])
              else do
                u <- uniform
                let res = seat customer u tables
                pure (succ customer, res)))

-- Seats a customer at a table with probability proportional to its size.
seat :: Int -> Double -> [[Int]] -> [[Int]]
seat customer u = go (u * fromIntegral customer) where
  go mark (t : ts)
    | mark < size || null ts = (customer : t) : ts
    | otherwise = t : go (mark - size) ts
    where size = fromIntegral (length t)
  go _ [] = []
