{-# LANGUAGE OverloadedStrings #-}

-- | Values of seeds that every language of hashwell gives, exact distributions, scores, and errors.
module Main (main) where

import Control.Exception (evaluate, try)
import Control.Monad (foldM, forM, forM_, replicateM, unless)
import Hashwell.Process
import qualified Hashwell.Probability as MWC
import System.Exit (exitFailure)
import System.Timeout (timeout)

check :: (Eq a, Show a) => String -> a -> a -> IO ()
check name found expected = unless (found == expected) $ do
  putStrLn (name ++ ": got " ++ show found ++ ", expected " ++ show expected)
  exitFailure

main :: IO ()
main = do
  -- From vectors/process.json.
  check "geometric" (seeded seed (geometric 0.1)) 20
  check "replicates" (take 4 (replicates seed (geometric 0.1))) [32, 22, 1, 2]
  check "urn" (labels (head (replicates seed (crpUrn 30 1.5))))
    [0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 2, 1, 0, 1, 1, 1, 0, 3, 1, 1]
  check "futu" (labels (head (replicates seed (crp Futu 30 1.5))))
    [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 2, 1, 1, 0, 0, 3, 0, 0, 0, 4, 0, 1, 1]
  check "ana" (labels (head (replicates seed (crp Ana 30 1.5))))
    [0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1]
  check "autoregressive" (take 3 (head (replicates seed (autoregressive 20 0.8 0.5 1 (-2)))))
    [-2.0, -0.30980619303777107, 0.5543524017175742]
  -- 400 numbers, which are 50 blocks of output; the number is from reference/process.py.
  check "many blocks" (length (filter id (seeded seed (replicateM 400 (bernoulli 0.5))))) 209
  -- The document's numbers.
  gen <- MWC.create
  replicateM 10 (MWC.sample (prob (geometric 0.1)) gen) >>= \found -> check "MWC" found [1, 9, 13, 3, 4, 3, 13, 1, 4, 17]
  check "law" (lawOutcomes <$> exactApo (Limit 0.2 100 100) (flipping 0.5) 1) (Right [(1, 0.5), (2, 0.25), (3, 0.125)])
  check "one law" (shape (exactFutu defaultLimit (arriveFutuCategorical 4 1) start)) (shape (exactAna defaultLimit (arriveAna 4 1) start))
  check "score" (fst <$> score (geometric 0.25) [Flag False, Flag True]) (Right 2)
  check "a short trace" (score (geometric 0.25) [Flag False]) (Left "there are fewer values than terms in the run")
  refused <- try (evaluate (seeded seed (bernoulli 1.5)))
  check "an invalid term" refused (Left (InvalidTerm "the probability 1.5 is not between 0 and 1"))
  -- Programs of 100,000 terms, which take less than 0.1 s each. If the time were quadratic, as it was when programs were
  -- built with 'Free', each would take minutes. The number of heads is from reference/process.py.
  forM_ (long 100000) $ \(name, program) ->
    timeout 60000000 (evaluate (seeded seed program)) >>= \found -> check (name ++ " in linear time") found (Just 50163)
  where
    seed = "hashwell vectors of processes"
    flips n = replicate n (bernoulli 0.5)
    count before flip' = (\x -> if x then before + 1 else before) <$> flip'
    heads = length . filter id
    long :: Int -> [(String, Model Int)]
    long n =
      [ ("replicateM", heads <$> replicateM n (bernoulli 0.5))
      , ("forM", heads <$> forM [1 .. n] (const (bernoulli 0.5)))
      , ("sequence", heads <$> sequence (flips n))
      , ("traverse", heads <$> traverse id (flips n))
      , ("foldM", foldM count 0 (flips n))
      , ("left-nested binds", foldl (\program flip' -> program >>= \x -> count x flip') (pure 0) (flips n))
      , ("a path", (\path -> (last path + n) `div` 2) <$> randomWalk n 0.5 0)
      ]
    start = (1, [(1, [0])])
    shape = fmap (\(Law outcomes lost) -> ([(x, round (mass * 1.0e12) :: Int) | (x, mass) <- outcomes], lost))
