-- | The built-in processes, with the names and parameters of the other languages (@docs\/guides\/processes.md@). The
-- same seed gives the same values. Most of them are simple programs in do-notation.
module Hashwell.Process.Library
  ( geometric
  , flipping
  , negativeBinomial
  , pitmanYor
  , stickBreaking
  , polyaUrn
  , hoppeUrn
  , randomWalk
  , gamblersRuin
  , markovChain
  , hiddenMarkov
  , autoregressive
  , galtonWatson
  , moran
  ) where

import Control.Exception (throw)
import Control.Monad (replicateM)
import Control.Monad.Trans.Free (FreeF)
import qualified Control.Monad.Trans.Free as TF
import Data.List (elemIndex, nub)
import qualified Data.List as List
import qualified Data.IntMap.Strict as IntMap
import Data.Maybe (mapMaybe)
import Hashwell.Process.Model

-- | The number of coin flips until the first head.
--
-- >>> import Hashwell.Process (Law (..), Limit (..), exactApo)
-- >>> lawOutcomes <$> exactApo (Limit 0.2 100 100) (flipping 0.5) 1
-- Right [(1,0.5),(2,0.25),(3,0.125)]
geometric :: Double -> Model Int
geometric p = apo (flipping p) 1

-- | The coalgebra of 'geometric'.
flipping :: Double -> Int -> FreeF ModelF Int (Either (Model Int) Int)
flipping p n = TF.Free (BernoulliF p (\accept -> if accept then Left (pure n) else Right (n + 1)))

-- | The number of tails before a given number of heads.
negativeBinomial :: Int -> Double -> Model Int
negativeBinomial r p = sum . map (subtract 1) <$> replicateM r (geometric p)

-- | The table numbers of n customers in a Pitman-Yor process with concentration theta and discount d. The time is
-- quadratic in n.
pitmanYor :: Int -> Double -> Double -> Model [Int]
pitmanYor n theta d = go 1 (IntMap.fromList [(0, 0) | n > 0]) (IntMap.singleton 0 0)
  where
    go i seats opened
      | i >= n = pure (IntMap.elems seats)
      | otherwise = do
          drawn <- categorical (replicate (i - 1) 1 ++ [1 + theta])
          let whom = (drawn + 1) `mod` i
              sits = seats IntMap.! whom
              chance = if whom == 0 then (theta + d) / (1 + theta) else d
          new <- if opened IntMap.! sits == whom then bernoulli chance else pure False
          let number = if new then IntMap.size opened else sits
          go (i + 1) (IntMap.insert i number seats) (if new then IntMap.insert number i opened else opened)

-- | Stick breaking: the pieces of a stick on which n points fall, numbered in the order in which they are first hit.
stickBreaking :: Int -> Double -> Double -> Model [Int]
stickBreaking n theta d = go n [] []
  where
    go :: Int -> [Double] -> [Int] -> Model [Int]
    go left ends hits
      | left <= 0 = pure (let order = nub (reverse hits) in mapMaybe (`elemIndex` order) (reverse hits))
      | otherwise = do
          point <- uniform
          broken <- break' point ends
          go (left - 1) broken (length (takeWhile (<= point) (reverse broken)) : hits)
    -- The ends of the pieces, the last one first.
    break' point ends
      | (end : _) <- ends, end > point = pure ends
      | otherwise = do
          let end = if null ends then 0 else head ends
          v <- beta (1 - d) (theta + fromIntegral (length ends + 1) * d)
          break' point (end + (1 - end) * v : ends)

-- | Pólya's urn: the colours of n balls. Each ball is returned together with more balls of its colour.
polyaUrn :: [Double] -> Int -> Double -> Model [Int]
polyaUrn balls n add = go n (map (const 0) balls)
  where
    go :: Int -> [Double] -> Model [Int]
    go left counts
      | left <= 0 = pure []
      | otherwise = do
          colour <- categorical (zipWith (\b k -> b + add * k) balls counts)
          (colour :) <$> go (left - 1) [if i == colour then k + 1 else k | (i, k) <- zip [0 ..] counts]

-- | Hoppe's urn: the colours of n balls, with a ball of weight theta that introduces a new colour. The time is
-- quadratic in n.
hoppeUrn :: Int -> Double -> Model [Int]
hoppeUrn n theta = go 0 IntMap.empty 0
  where
    go i seats new
      | i >= n = pure (IntMap.elems seats)
      | otherwise = do
          fresh <- bernoulli (theta / (fromIntegral i + theta))
          if fresh
            then go (i + 1) (IntMap.insert i new seats) (new + 1 :: Int)
            else do
              whom <- categorical (replicate i 1)
              go (i + 1) (IntMap.insert i (seats IntMap.! whom) seats) new

-- | A path from its start, step by step, until the condition is true.
pathFrom :: (Int -> a -> Bool) -> (a -> Model a) -> a -> Model [a]
pathFrom ends step = go 0
  where
    go taken at
      | ends taken at = pure [at]
      | otherwise = (at :) <$> (step at >>= go (taken + 1))

upOrDown :: Double -> Int -> Model Int
upOrDown p at = (\up -> if up then at + 1 else at - 1) <$> bernoulli p

-- | A random walk of n steps: up with probability p, otherwise down.
randomWalk :: Int -> Double -> Int -> Model [Int]
randomWalk n p = pathFrom (\taken _ -> taken >= n) (upOrDown p)

-- | The gambler's ruin: steps until 0 or the target is reached.
gamblersRuin :: Int -> Int -> Double -> Model [Int]
gamblersRuin start target p = pathFrom (\_ at -> at == 0 || at == target) (upOrDown p) start

-- | A Markov chain of n steps with these rows of transition probabilities.
markovChain :: [[Double]] -> Int -> Int -> Model [Int]
markovChain rows n = pathFrom (\taken _ -> taken >= n) (\at -> categorical (map shares rows !! at))

-- | The states of a hidden Markov model, from initial probabilities, rows of transition probabilities, rows of emission
-- probabilities, and observed symbols.
hiddenMarkov :: [Double] -> [[Double]] -> [[Double]] -> [Int] -> Model [Int]
hiddenMarkov initial transition emission observed = go initial observed
  where
    go _ [] = pure []
    go row (symbol : rest) = do
      state <- categorical (shares row)
      observe (shares (emission !! state) !! symbol)
      (state :) <$> go (transition !! state) rest

-- | An autoregressive process of n steps: x becomes c + phi · x plus a normal number with standard deviation sigma. The
-- arguments are n, phi, sigma, c and the start.
autoregressive :: Int -> Double -> Double -> Double -> Double -> Model [Double]
autoregressive n phi sigma c = pathFrom (\taken _ -> taken >= n) (\x -> gaussian (c + phi * x) sigma)

-- | A branching process: the sizes of generations, from the probabilities of 0, 1, 2, … children, the number of
-- generations, and the size of the first one.
galtonWatson :: [Double] -> Int -> Int -> Model [Int]
galtonWatson offspring generations = pathFrom (\taken _ -> taken >= generations) children
  where
    children size = List.foldl' (+) 0 <$> replicateM size (categorical (shares offspring))

-- | The Moran process: the number of carriers among n individuals, until there are 0 or n. The arguments are n, the
-- start and the fitness.
moran :: Int -> Int -> Double -> Model [Int]
moran n start r = pathFrom (\_ at -> at == 0 || at == n) step start
  where
    step at =
      let a = fromIntegral at
          b = fromIntegral (n - at)
       in (\i -> at + i - 1) <$> categorical [b * a, r * a * a + b * b, r * a * b]

-- | Normalizes probabilities whose sum differs from 1 by more than rounding. If it differs by more than 1e-9, they are
-- invalid.
shares :: [Double] -> [Double]
shares given
  | not (abs (total - 1) <= 1.0e-9) = throw (InvalidTerm ("probabilities must sum to 1, not " ++ show total))
  | abs (total - 1) > 1.0e-12 = map (/ total) given
  | otherwise = given
  where
    total = List.foldl' (+) 0 given
