{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE RankNTypes #-}

-- | Interpreters of programs: draw a value, draw a value with its trace, compute the exact distribution, or compute the
-- probability of a run.
module Hashwell.Process.Interpret
  ( prob
  , seeded
  , replicates
  , Drawn (..)
  , traced
  , score
  , Limit (..)
  , defaultLimit
  , Law (..)
  , exact
  , exactAna
  , exactApo
  , exactFutu
  , posterior
  ) where

import Control.Exception (throw)
import Control.Monad (foldM, when)
import Control.Monad.Free (Free (..))
import Control.Monad.Free.Church (F (..), fromF)
import Control.Monad.ST (runST)
import Control.Monad.Trans.Free (FreeF)
import qualified Control.Monad.Trans.Free as TF
import Data.ByteString (ByteString)
import qualified Data.List as List
import qualified Data.Map.Strict as Map
import Hashwell.Number (ln, log1p)
import Hashwell.Probability (Prob (..))
import Hashwell.Process.Model
import Hashwell.Process.Seed (Key, childKey, numbers, processKey)
import qualified Hashwell.Process.Terms as Terms
import Hashwell.Random.Words (Words (..), newTape)

-- | The sampler of a program. Observations have no effect here.
--
-- Throws 'InvalidTerm' if a parameter of a term is out of range.
prob :: Model a -> Prob m a
prob (F program) = Prob (program done more)
  where
    done x _ = pure x
    more :: Words g m => ModelF (g -> m a) -> g -> m a
    more layer gen = drawn layer gen (\next _ -> next gen)

-- | Draws a term, and continues with the continuation for its value and with the value itself.
drawn :: Words g m => ModelF r -> g -> (r -> Maybe Drawn -> m b) -> m b
drawn layer gen continue
  | Just wrong <- complaint layer = throw wrong
  | otherwise = case layer of
      BernoulliF p next -> Terms.bernoulli p gen >>= \x -> continue (next x) (Just (Flag x))
      UniformF next -> Terms.uniform gen >>= \x -> continue (next x) (Just (Real x))
      CategoricalF weights next -> Terms.categorical weights gen >>= \x -> continue (next x) (Just (Choice x))
      BelowF n next -> Terms.below n gen >>= \x -> continue (next x) (Just (Whole x))
      GaussianF mean deviation next -> Terms.gaussian mean deviation gen >>= \x -> continue (next x) (Just (Real x))
      BetaF a b next -> Terms.beta a b gen >>= \x -> continue (next x) (Just (Real x))
      ObserveF _ next -> continue next Nothing
{-# INLINE drawn #-}

fromKey :: Key -> Model a -> a
fromKey key model = runST (newTape (numbers key) >>= runProb (prob model))

-- | Draws the value of a seed. It is the same in every language that has the program.
seeded :: ByteString -> Model a -> a
seeded seed = fromKey (processKey seed)

-- | Infinitely many independent values of a seed. They are the replicates 0, 1, … of the other languages, and each
-- can be reproduced separately.
replicates :: ByteString -> Model a -> [a]
replicates seed model = [fromKey (childKey (processKey seed) j) model | j <- [0 ..]]

-- | The value of a term.
data Drawn = Flag Bool | Choice Int | Whole Integer | Real Double
  deriving (Eq, Show)

-- | The sampler of a program that also returns the values of the run's terms, in order.
traced :: Model a -> Prob m (a, [Drawn])
traced (F program) = Prob (program done more [])
  where
    done x before _ = pure (x, reverse before)
    more :: Words g m => ModelF ([Drawn] -> g -> m b) -> [Drawn] -> g -> m b
    more layer before gen = drawn layer gen (\next value -> next (maybe before (: before) value) gen)

-- | Computes the result of the run whose terms have these values, and the logarithm of its probability (of its
-- density, if terms are continuous). Observations contribute their weight. Returns an error message if the values
-- don't fit the program.
--
-- >>> score (bernoulli 0.25 >>= \head -> pure (if head then 1 else 0)) [Flag True]
-- Right (1,-1.3862943611198906)
score :: Model a -> [Drawn] -> Either String (a, Double)
score = go 0 . fromF
  where
    go !total (Pure x) [] = Right (x, total)
    go _ (Pure _) _ = Left "there are more values than terms in the run"
    go !total (Free layer) values
      | Just (InvalidTerm wrong) <- complaint layer = Left wrong
      | ObserveF weight next <- layer = go (total + ln weight) next values
      | value : rest <- values = do
          (next, mass) <- weigh layer value
          go (total + mass) next rest
      | otherwise = Left "there are fewer values than terms in the run"

-- | Returns the continuation for a value, and the logarithm of the value's probability or density.
weigh :: ModelF r -> Drawn -> Either String (r, Double)
weigh (BernoulliF p next) (Flag x) = Right (next x, if x then ln p else log1p (negate p))
weigh (UniformF next) (Real x) | x >= 0 && x < 1 = Right (next x, 0)
weigh (CategoricalF weights next) (Choice i)
  | w : _ <- drop i weights, i >= 0 = Right (next i, ln w - ln (List.foldl' (+) 0 weights))
weigh (BelowF n next) (Whole x) | x >= 0 && x < n = Right (next x, negate (ln (fromInteger n)))
weigh (GaussianF mean deviation next) (Real x) = Right (next x, -0.5 * z * z - ln deviation - 0.9189385332046727)
  where
    z = (x - mean) / deviation
weigh (BetaF a b next) (Real x)
  | x > 0 && x < 1 = Right (next x, (a - 1) * ln x + (b - 1) * log1p (negate x) - logBeta a b)
weigh _ value = Left (show value ++ " is not a value of the term")

-- | Computes ln B(a, b) with Stirling's series, after as many steps of the gamma function's recurrence as it needs.
logBeta :: Double -> Double -> Double
logBeta a b = logGamma a + logGamma b - logGamma (a + b)
  where
    logGamma x
      | x < 16 = logGamma (x + 1) - ln x
      | otherwise = (x - 0.5) * ln x - x + 0.9189385332046727 + series (1 / (x * x)) / x
    series y = 1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))

-- | The limits of an enumeration. It ends when the unassigned probability is at most the first number, or after a
-- number of layers of terms. It fails if there are too many states at once, or too many outcomes in total.
data Limit = Limit {limitLost :: Double, limitTerms :: Int, limitStates :: Int}
  deriving (Eq, Show)

-- | The default: a probability of 1e-12, 2^20 layers of terms, and 2^20 states or outcomes.
defaultLimit :: Limit
defaultLimit = Limit 1.0e-12 1048576 1048576

-- | A distribution: the outcomes in ascending order with their probabilities, and the unassigned probability. Sums are
-- computed in this order, so they are reproducible. If the program has observations, the probabilities are those of the
-- outcome /and/ the observations; 'posterior' divides by the latter.
data Law a = Law {lawOutcomes :: [(a, Double)], lawLost :: Double}
  deriving (Eq, Show)

-- | The distribution conditioned on the observations, and the probability of the observations.
posterior :: Law a -> (Law a, Double)
posterior (Law outcomes lost) = (Law [(x, mass / evidence) | (x, mass) <- outcomes] (lost / evidence), evidence)
  where
    evidence = List.foldl' (+) 0 (map snd outcomes)

-- | Computes the exact distribution of a program by enumerating all draws. If the program is a function of a state,
-- 'exactAna' and the functions below are much faster, because they merge equal states.
--
-- Returns an error message for continuous or invalid terms, and if there are too many states or outcomes.
--
-- >>> lawOutcomes <$> exact defaultLimit (bernoulli 0.25)
-- Right [(False,0.75),(True,0.25)]
exact :: Ord a => Limit -> Model a -> Either String (Law a)
exact limit model = enumerate limit id expand [(fromF model, 1)]
  where
    expand (Pure x) = Right [(Left x, 1)]
    expand (Free layer) = map (\(next, mass) -> (settle next, mass)) <$> branches layer
    settle (Pure x) = Left x
    settle next = Right next

-- | Computes the exact distribution of an 'ana'. Equal seeds are merged.
exactAna :: (Ord s, Ord a) => Limit -> (s -> FreeF ModelF a s) -> s -> Either String (Law a)
exactAna limit coalgebra = exactFutu limit (fmap pure . coalgebra)

-- | Computes the exact distribution of an 'apo'. Programs in 'Left' are enumerated to their end.
exactApo :: (Ord s, Ord a) => Limit -> (s -> FreeF ModelF a (Either (Model a) s)) -> s -> Either String (Law a)
exactApo limit coalgebra = exactFutu limit (fmap (either (finished . fromF) pure) . coalgebra)
  where
    finished (Pure x) = Free (TF.Pure x)
    finished (Free layer) = Free (TF.Free (fmap finished layer))

-- | Computes the exact distribution of a 'futu'.
exactFutu :: (Ord s, Ord a) => Limit -> (s -> FreeF ModelF a (Free (FreeF ModelF a) s)) -> s -> Either String (Law a)
exactFutu limit coalgebra start = enumerate limit merge (layer . coalgebra) [(start, 1)]
  where
    merge = Map.toAscList . Map.fromListWith (flip (+))
    layer (TF.Pure x) = Right [(Left x, 1)]
    layer (TF.Free terms) = branches terms >>= fmap concat . traverse follow
    follow (Pure seed, mass) = Right [(Right seed, mass)]
    follow (Free inner, mass) = map (\(leaf, more) -> (leaf, mass * more)) <$> layer inner

-- | Enumerates layer by layer, with the decided outcomes and the open states.
enumerate
  :: Ord a
  => Limit
  -> ([(s, Double)] -> [(s, Double)])
  -> (s -> Either String [(Either a s, Double)])
  -> [(s, Double)]
  -> Either String (Law a)
enumerate limit merge expand = go 0 Map.empty
  where
    go !terms !decided states
      | null states || lost <= limitLost limit || terms >= limitTerms limit = Right (Law (Map.toAscList decided) lost)
      | otherwise = do
          (decided', _, open) <- foldM follow (decided, 0, []) states
          (_, merged) <- few open
          go (terms + 1) decided' (reverse merged)
      where
        lost = List.foldl' (+) 0 (map snd states)
    -- Open states are listed newest first. They are merged before there are twice as many as allowed, which bounds
    -- memory.
    follow (decided, !count, open) state = do
      leaves <- spread state
      let ends = [(x, mass) | (Left x, mass) <- leaves, mass > 0]
          more = [(next, mass) | (Right next, mass) <- leaves, mass > 0]
          (!decided', !count') = (List.foldl' insert decided ends, count + length more)
          open' = List.foldl' (flip (:)) open more
      when (Map.size decided' > limitStates limit) (tooMany "outcomes")
      (count'', open'') <- if count' > 2 * limitStates limit then few open' else Right (count', open')
      Right (decided', count'', open'')
    insert m (x, mass) = Map.insertWith (flip (+)) x mass m
    few open
      | count > limitStates limit = tooMany "states"
      | otherwise = Right (count, reverse merged)
      where
        merged = merge (reverse open)
        count = length merged
    tooMany what = Left ("there are more than " ++ show (limitStates limit) ++ " " ++ what)
    spread (state, mass) = map (\(leaf, share) -> (leaf, mass * share)) <$> expand state

-- | The values of a term with their probabilities.
branches :: ModelF r -> Either String [(r, Double)]
branches layer
  | Just (InvalidTerm wrong) <- complaint layer = Left wrong
  | otherwise = case layer of
      BernoulliF p next -> Right [(next True, p), (next False, 1 - p)]
      CategoricalF weights next ->
        let total = List.foldl' (+) 0 weights in Right [(next i, w / total) | (i, w) <- zip [0 ..] weights, w > 0]
      BelowF n next
        | n <= 65536 -> Right [(next x, 1 / fromInteger n) | x <- [0 .. n - 1]]
        | otherwise -> Left "a term 'below' with n above 65536 has too many values to list"
      ObserveF weight next -> Right [(next, weight)]
      _ -> Left "the values of a term with a density can't be listed"
