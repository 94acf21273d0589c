{-# LANGUAGE RankNTypes #-}

-- | Every set is equally frequent if all random numbers can be listed; the functions of the package sampling; errors.
module Main (main) where

import Control.Exception (evaluate, try)
import Control.Monad (forM, forM_, replicateM, unless)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Control.Monad.ST (runST)
import Data.List (nub, sort)
import qualified Data.Vector as V
import Data.Word (Word64)
import Hashwell.Random.Words (Tape, newTape, tapeRest)
import Hashwell.Sampling.Gap (longestGap)
import Hashwell.Sampling.Reservoir
import Numeric.Sampling (create, presample, psample, resample, sample, uniform)
import System.Exit (exitFailure)

check :: (Eq a, Show a) => String -> a -> a -> IO ()
check name found expected = unless (found == expected) $ do
  putStrLn (name ++ ": got " ++ show found ++ ", expected " ++ show expected)
  exitFailure

-- | The sample of 0 to n - 1 for a list of random numbers, and the unused ones.
from :: (forall m. PrimMonad m => Tape (PrimState m) -> Sampler m row Int) -> [row] -> [Word64] -> ([Int], [Word64])
from sampler rows ws = runST $ do
  tape <- newTape ws
  picks <- sampleFrom (sampler tape) rows
  (,) (sort (V.toList picks)) <$> tapeRest tape

-- | Every tape with one number for each of the i results at row i, for samples of 3 of 6 rows.
everySet :: IO ()
everySet = do
  let number i j = fromInteger ((j * 2 ^ (64 :: Int) + i - 1) `div` i + 1) :: Word64
      picks = [fst (from (algorithmR 3) [0 .. 5] tape) | tape <- mapM (\i -> map (number i) [0 .. i - 1]) [4 .. 6]]
  check "sets" (length (nub picks)) 20
  forM_ (nub picks) $ \set -> check "frequency" (length (filter (== set) picks)) 6

-- | The frequencies in 20,000 samples are within six standard deviations (342) of 4,000.
positions :: [Word64] -> IO ()
positions ws = do
  frequencies "R" (from (algorithmR 4) [0 .. 19])
  frequencies "L" (from (algorithmL 4) [0 .. 19])
  frequencies "gap" (from (gap 4) [0 .. 19])
  frequencies "jumps" (from (jumps 4) (zip (repeat 0.3) [0 .. 19]))
  where
    frequencies :: String -> ([Word64] -> ([Int], [Word64])) -> IO ()
    frequencies name sampled = do
      let samples = take 20000 (go ws)
          go rest = let (picks, left) = sampled rest in picks : go left
          counts = V.accum (+) (V.replicate 20 0) [(i, 1 :: Int) | picks <- samples, i <- picks]
      check name (filter (> 342) (map (\c -> abs (c - 4000)) (V.toList counts))) []

package :: IO ()
package = do
  gen <- create
  let letters = zip [0.1, 0.2, 0, 0.7] "abcd"
  sample 5 "abcd" gen >>= \found -> check "too few" found Nothing
  fmap sort <$> sample 4 "abcd" gen >>= \found -> check "all" found (Just "abcd")
  psample 4 letters gen >>= \found -> check "too few weights" found Nothing
  fmap sort <$> psample 3 letters gen >>= \found -> check "all weights" found (Just "abd")
  resample 3 "" gen >>= \found -> check "resample nothing" found ""
  presample 3 [(0, 'a')] gen >>= \found -> check "presample nothing" found ""
  counted <- forM [resample 10000 "abcd" gen, presample 10000 letters gen] $ \draws ->
    (\drawn -> [length (filter (== c) drawn) | c <- "abcd"]) <$> draws
  forM_ (zip counted [[2500, 2500, 2500, 2500], [1000, 2000, 0, 7000]]) $ \(counts, expected) ->
    check (show counts) (zipWith (\a b -> abs (a - b) <= (if b == 0 then 0 else 300)) counts expected) (replicate 4 True)

main :: IO ()
main = do
  everySet
  gen <- create
  replicateM 2000000 (uniform gen) >>= positions
  package
  check "numbers consumed" (snd (from (gap 2) [0, 1] [0, 7, 7])) [7, 7]
  check "gap" (longestGap 1 1 100 (2 ^ (63 :: Int) - 1)) 1
  check "successive" (fst (from (jumps 2) [(1.0e-300, 0), (1.0e300, 1), (5, 2)] (map (2 ^ (60 :: Int) *) [3, 5, 7, 9, 11]))) [1, 2]
  forM_ [-1, 0 / 0, 1 / 0] $ \bad -> do
    found <- try (evaluate (length (fst (from (jumps 2) [(1, 0), (bad, 1)] [1 ..]))))
    case found of
      Left (InvalidWeight _) -> pure ()
      Right n -> check "an invalid weight" n (-1)
