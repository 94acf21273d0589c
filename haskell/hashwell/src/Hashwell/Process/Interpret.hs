{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE RankNTypes #-}

-- | What can be asked of a program: a value, a value with its trace, the law, how likely a run was.
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
import Control.Monad.ST (runST)
import Control.Monad.Trans.Free (FreeF)
import qualified Control.Monad.Trans.Free as TF
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.List (foldl')
import qualified Data.Map.Strict as Map
import Hashwell.Draw.Key (Key, childNumber, derive, openList)
import Hashwell.Draw.Words (stream)
import Hashwell.Number (ln, log1p)
import Hashwell.Probability (Prob (..))
import Hashwell.Process.Model
import qualified Hashwell.Process.Terms as Terms
import Hashwell.Random.Words (Words (..), newTape)

-- | The sampler that a program denotes. Observations do not weigh here.
--
-- Throws 'InvalidTerm' where a term's parameters are out of their range.
prob :: Model a -> Prob m a
prob model = Prob (run model)
  where
    run :: Words g m => Model a -> g -> m a
    run (Pure x) _ = pure x
    run (Free layer) gen = drawn layer gen (\next _ -> run next gen)

-- | Draws a term, and goes on with what follows from its value, which comes along.
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

processKey :: B.ByteString -> Key
processKey seed = derive seed (C.pack "hashwell process/1") openList

fromKey :: Key -> Model a -> a
fromKey key model = runST (newTape ws >>= runProb (prob model))
  where
    ws = either error id (stream (C.pack "blake3") key)

-- | The value that a seed gives: the same in every language that has the program.
seeded :: B.ByteString -> Model a -> a
seeded seed = fromKey (processKey seed)

-- | Values with words of their own, each of which could be repeated alone: those that the engine calls replicates 0, 1,
-- …
replicates :: B.ByteString -> Model a -> [a]
replicates seed model = [fromKey (childNumber (processKey seed) j) model | j <- [0 ..]]

-- | What a term gave.
data Drawn = Flag Bool | Choice Int | Whole Integer | Real Double
  deriving (Eq, Show)

-- | The sampler that gives the values of a run's terms too, in their order.
traced :: Model a -> Prob m (a, [Drawn])
traced model = Prob (run model [])
  where
    run :: Words g m => Model a -> [Drawn] -> g -> m (a, [Drawn])
    run (Pure x) before _ = pure (x, reverse before)
    run (Free layer) before gen = drawn layer gen (\next value -> run next (maybe before (: before) value) gen)

-- | The result of the run whose terms gave these values, and the logarithm of its probability, or of its density where
-- terms are continuous. An observation counts with its weight. 'Left' says where values and program do not go together.
--
-- >>> score (bernoulli 0.25 >>= \head -> pure (if head then 1 else 0)) [Flag True]
-- Right (1,-1.3862943611198906)
score :: Model a -> [Drawn] -> Either String (a, Double)
score = go 0
  where
    go !total (Pure x) [] = Right (x, total)
    go _ (Pure _) _ = Left "the run ends before its values do"
    go !total (Free layer) values
      | Just (InvalidTerm wrong) <- complaint layer = Left wrong
      | ObserveF weight next <- layer = go (total + ln weight) next values
      | value : rest <- values = do
          (next, mass) <- weigh layer value
          go (total + mass) next rest
      | otherwise = Left "the run has more terms than values"

-- | What follows from a value, and the logarithm of its mass or density.
weigh :: ModelF r -> Drawn -> Either String (r, Double)
weigh (BernoulliF p next) (Flag x) = Right (next x, if x then ln p else log1p (negate p))
weigh (UniformF next) (Real x) | x >= 0 && x < 1 = Right (next x, 0)
weigh (CategoricalF weights next) (Choice i)
  | w : _ <- drop i weights, i >= 0 = Right (next i, ln w - ln (foldl' (+) 0 weights))
weigh (BelowF n next) (Whole x) | x >= 0 && x < n = Right (next x, negate (ln (fromInteger n)))
weigh (GaussianF mean deviation next) (Real x) = Right (next x, -0.5 * z * z - ln deviation - 0.9189385332046727)
  where
    z = (x - mean) / deviation
weigh (BetaF a b next) (Real x)
  | x > 0 && x < 1 = Right (next x, (a - 1) * ln x + (b - 1) * log1p (negate x) - logBeta a b)
weigh _ value = Left (show value ++ " is no value of the term")

-- | ln B(a, b), by Stirling's series behind as many steps of the gamma function's recurrence as it needs.
logBeta :: Double -> Double -> Double
logBeta a b = logGamma a + logGamma b - logGamma (a + b)
  where
    logGamma x
      | x < 16 = logGamma (x + 1) - ln x
      | otherwise = (x - 0.5) * ln x - x + 0.9189385332046727 + series (1 / (x * x)) / x
    series y = 1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))

-- | Where an enumeration ends: when no more than this mass is undecided, or after so many layers of terms; and how many
-- states at once, or outcomes in all, are too many.
data Limit = Limit {limitLost :: Double, limitTerms :: Int, limitStates :: Int}
  deriving (Eq, Show)

-- | A mass of 1e-12, 2^20 terms, 2^20 states or outcomes.
defaultLimit :: Limit
defaultLimit = Limit 1.0e-12 1048576 1048576

-- | Outcomes in their order with their masses, and what was not decided. Sums go in that order, so that they are the
-- same every time. With observations masses are those of outcome /and/ observation: 'posterior' divides.
data Law a = Law {lawOutcomes :: [(a, Double)], lawLost :: Double}
  deriving (Eq, Show)

-- | The law given what was observed, and the probability of that.
posterior :: Law a -> (Law a, Double)
posterior (Law outcomes lost) = (Law [(x, mass / evidence) | (x, mass) <- outcomes] (lost / evidence), evidence)
  where
    evidence = foldl' (+) 0 (map snd outcomes)

-- | The law of a program, all draws being followed at once. Programs that are functions of a state are cheaper by far
-- as coalgebras, in which equal states are merged.
--
-- 'Left' for terms that have densities, or are invalid, and where there are too many states or outcomes.
--
-- >>> lawOutcomes <$> exact defaultLimit (bernoulli 0.25)
-- Right [(False,0.75),(True,0.25)]
exact :: Ord a => Limit -> Model a -> Either String (Law a)
exact limit model = enumerate limit id expand [(model, 1)]
  where
    expand (Pure x) = Right [(Left x, 1)]
    expand (Free layer) = map (\(next, mass) -> (settle next, mass)) <$> branches layer
    settle (Pure x) = Left x
    settle next = Right next

-- | The law of an 'ana', equal seeds being merged.
exactAna :: (Ord s, Ord a) => Limit -> (s -> FreeF ModelF a s) -> s -> Either String (Law a)
exactAna limit coalgebra = exactFutu limit (fmap pure . coalgebra)

-- | The law of an 'apo'. Programs in 'Left' are followed to their end.
exactApo :: (Ord s, Ord a) => Limit -> (s -> FreeF ModelF a (Either (Model a) s)) -> s -> Either String (Law a)
exactApo limit coalgebra = exactFutu limit (fmap (either finished pure) . coalgebra)
  where
    finished (Pure x) = Free (TF.Pure x)
    finished (Free layer) = Free (TF.Free (fmap finished layer))

-- | The law of a 'futu'.
exactFutu :: (Ord s, Ord a) => Limit -> (s -> FreeF ModelF a (Free (FreeF ModelF a) s)) -> s -> Either String (Law a)
exactFutu limit coalgebra start = enumerate limit merge (layer . coalgebra) [(start, 1)]
  where
    merge = Map.toAscList . Map.fromListWith (flip (+))
    layer (TF.Pure x) = Right [(Left x, 1)]
    layer (TF.Free terms) = branches terms >>= fmap concat . traverse follow
    follow (Pure seed, mass) = Right [(Right seed, mass)]
    follow (Free inner, mass) = map (\(leaf, more) -> (leaf, mass * more)) <$> layer inner

-- | Layer by layer: what is decided, and the states that are not.
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
        lost = foldl' (+) 0 (map snd states)
    -- What is open comes newest first. It is merged before it is twice what is allowed, so that memory is bounded.
    follow (decided, !count, open) state = do
      leaves <- spread state
      let ends = [(x, mass) | (Left x, mass) <- leaves, mass > 0]
          more = [(next, mass) | (Right next, mass) <- leaves, mass > 0]
          (!decided', !count') = (foldl' insert decided ends, count + length more)
          open' = foldl' (flip (:)) open more
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

-- | The values of a term with their masses.
branches :: ModelF r -> Either String [(r, Double)]
branches layer
  | Just (InvalidTerm wrong) <- complaint layer = Left wrong
  | otherwise = case layer of
      BernoulliF p next -> Right [(next True, p), (next False, 1 - p)]
      CategoricalF weights next ->
        let total = foldl' (+) 0 weights in Right [(next i, w / total) | (i, w) <- zip [0 ..] weights, w > 0]
      BelowF n next
        | n <= 65536 -> Right [(next x, 1 / fromInteger n) | x <- [0 .. n - 1]]
        | otherwise -> Left "a number below more than 65536 has too many values to list"
      ObserveF weight next -> Right [(next, weight)]
      _ -> Left "a term with a density has no masses"
