{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE RankNTypes #-}

-- | Tests of samples: all sets are equally frequent if all inputs can be enumerated; otherwise statistical tests of the
-- distribution; and the picks of hwdraw.
module SamplingTests (tests) where

import Control.Exception (evaluate, try)
import qualified Control.Foldl as Fold
import Control.Monad (forM, forM_, replicateM)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Control.Monad.ST (runST)
import qualified Data.ByteString.Char8 as C
import Data.Either (isLeft)
import Data.List (sort)
import qualified Data.Map.Strict as Map
import qualified Data.Vector as V
import Data.Word (Word64)
import Hashwell.Draw
import Hashwell.Random.Words (Tape, newTape, tapeRest)
import Hashwell.Sampling
import Hashwell.Sampling.Gap (gapOf, longestGap)
import Numeric.Sampling (create, presample, psample, resample, sample)
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding (sample)

tests :: TestTree
tests =
  testGroup
    "samples"
    [ testCase "Algorithm R: every set as often" everySet
    , testCase "a row that comes late is picked as often as one that comes early" positionsAlike
    , testCase "successive sampling" successive
    , testCase "gap is hwdraw's" ofDraw
    , testProperty "a gap is the longest" longest
    , testProperty "gaps of machine integers are those of whole numbers" machine
    , testProperty "short streams, and no slots" short
    , testCase "weights that are none" badWeights
    , testCase "the package sampling's functions" package
    ]

-- | A sampling fold, for any monad and tape.
newtype Sampler = Sampler (forall m. PrimMonad m => Int -> Tape (PrimState m) -> Fold.FoldM m Int (V.Vector Int))

samplers :: [(String, Sampler)]
samplers = [("R", Sampler algorithmR), ("L", Sampler algorithmL), ("gap", Sampler gap)]

-- | Draws a sample of 0 to n - 1 with the random numbers of a list, and returns the unused numbers.
from :: Sampler -> Int -> Int -> [Word64] -> ([Int], [Word64])
from (Sampler sampler) k n ws = runST $ do
  tape <- newTape ws
  picks <- Fold.foldM (sampler k tape) [0 .. n - 1]
  (,) (V.toList picks) <$> tapeRest tape

-- | The biased listing of the document: for each row it draws one of as many numbers as there were rows /before/ it.
shifted :: Int -> Int -> [Word64] -> ([Int], [Word64])
shifted k n = go (Map.fromList [(i, i) | i <- [0 .. k - 1]]) k
  where
    go slots i ws
      | i >= n = (Map.elems slots, ws)
      | otherwise = case ws of
          w : rest ->
            let j = fromInteger (toInteger w * toInteger i `div` 2 ^ (64 :: Int))
             in go (if j < k then Map.insert j i slots else slots) (i + 1) rest
          [] -> error "no words"

-- | Random numbers of a named stream.
named :: String -> [Word64]
named name = either error id (stream (C.pack "blake3") (Key (C.pack name)))

-- | One word for each number below i, each standing for 1 in i of all words: all tapes together are all that can
-- happen.
everySet :: Assertion
everySet = do
  let -- The second of those that give j; the first is sometimes refused.
      wordOf i j = fromInteger ((j * 2 ^ (64 :: Int) + i - 1) `div` i + 1) :: Word64
      wordsOf i = map (wordOf i) [0 .. i - 1]
      counts sampled tapes = Map.fromListWith (+) [(sort (fst (sampled tape)), 1 :: Int) | tape <- tapes]
      fair = counts (from (Sampler algorithmR) 3 6) (mapM wordsOf [4 .. 6])
  Map.size fair @?= 20
  Map.elems fair @?= replicate 20 6
  -- The biased listing never excludes row 4 of 4.
  Map.keys (counts (shifted 3 4) (mapM wordsOf [3])) @?= [[0, 1, 3], [0, 2, 3], [1, 2, 3]]

-- | 20,000 samples of 4 of 20 rows. Each row is expected in 4,000 of them, with a standard deviation of 57; 342 is six
-- standard deviations.
positionsAlike :: Assertion
positionsAlike = do
  forM_ samplers $ \(name, sampler) -> assertBool name (farthest (from sampler 4 20) (named name) <= 342)
  assertBool "the control passes" (farthest (shifted 4 20) (named "R") > 342)
  where
    farthest :: ([Word64] -> ([Int], [Word64])) -> [Word64] -> Int
    farthest sampled ws = maximum (map (\c -> abs (c - 4000)) (Map.elems (go sampled (20000 :: Int) ws none)))
    none = Map.fromList [(i, 0) | i <- [0 .. 19]]
    go _ 0 _ counts = counts
    go sampled times ws counts =
      let (picks, rest) = sampled ws
          more = foldr (Map.adjust (+ 1)) counts picks
       in more `seq` go sampled (times - 1) rest more

weighted :: Int -> [(Double, Int)] -> [Word64] -> ([Int], [Word64])
weighted k rows ws = runST $ do
  tape <- newTape ws
  picks <- Fold.foldM (jumps k tape) rows
  (,) (V.toList picks) <$> tapeRest tape

-- | Samples of two rows with weights 1 to 4. The probability of a row is that of being drawn first, plus that of being
-- drawn second after another row. There are 20,000 samples, and 426 is more than six standard deviations. Probabilities
-- proportional to the weights would give a different distribution.
successive :: Assertion
successive = do
  let weights = [(1, 0), (2, 1), (0, 9), (3, 2), (4, 3)]
      counts = go (20000 :: Int) (named "jumps") (Map.fromList [(i, 0) | i <- [0 .. 3]])
      go 0 _ tally = tally
      go times ws tally =
        let (picks, rest) = weighted 2 weights ws
            more = foldr (Map.insertWith (+) `flip` (1 :: Int)) tally picks
         in more `seq` go (times - 1) rest more
      exactly w = w / 10 + sum [v / 10 * w / (10 - v) | v <- [1 .. 4], v /= w] :: Double
      off law = maximum [abs (fromIntegral (counts Map.! i) - 20000 * law w) | (i, w) <- zip [0 ..] [1 .. 4]]
  Map.keys counts @?= [0 .. 3]
  assertBool (show counts) (off exactly < 426)
  assertBool "the control passes" (off (/ (5 :: Double)) > 426)
  -- The smallest and the largest allowed weights.
  forM_ [[(1.0e-300, 0), (1.0e300, 1), (5, 2)], [(1.0e300, 1), (5, 2), (5.0e-324, 0)]] $ \rows ->
    sort (fst (weighted 2 rows (named "ends"))) @?= [1, 2]

ofDraw :: Assertion
ofDraw = forM_ [(1, 100), (5, 100), (7, 7), (3, 5000), (100, 1000)] $ \(k, n) -> do
  let rows = [Row (C.pack (show i)) Nothing Nothing | i <- [0 .. n - 1]]
      list = either error id (fromRows Open (Columns False False) rows)
      plan = either error id (planFor (design Gap (toInteger k)) list)
      picks = either error transcriptPicks (draw plan (Dice (C.pack "0877")) list)
      ws = either error id (stream (C.pack "counter") (derive (C.pack "0877") C.empty openList))
  fst (from (Sampler gap) k n ws) @?= map (read . C.unpack . pickId) picks

longest :: Property
longest = forAll (choose (1, 60)) $ \k -> forAll (choose (0, 300)) $ \more -> forAll extreme $ \r ->
  let t = k + more
      binomial n = product [n - k + 1 .. n] `div` product [1 .. k]
      reached s = binomial t * 2 ^ (64 :: Int) >= (toInteger r + 1) * binomial (t + s)
      s0 = longestGap k t (2 ^ (80 :: Int)) r
   in conjoin [counterexample (show s0) (reached s0), counterexample (show s0) (not (reached (s0 + 1)))]

-- | Random numbers among which the minimum and the maximum are frequent.
extreme :: Gen Word64
extreme =
  oneof
    [arbitraryBoundedIntegral, elements [0, 1, maxBound, maxBound - 1], (maxBound -) <$> choose (0, 2 ^ (40 :: Int))]

machine :: Property
machine = forAll (choose (1, 2000)) $ \k -> forAll (choose (0, 10 ^ (9 :: Int))) $ \more -> forAll extreme $ \r ->
  let t = k + more
      whole = longestGap (toInteger k) (toInteger t) (2 ^ (70 :: Int)) r
   in toInteger (gapOf k t r) === min (2 ^ (52 :: Int) - 1 - toInteger t) whole

short :: Property
short = forAll (choose (0, 6)) $ \n -> forAll (choose (-1, 9)) $ \k ->
  let heavy = weighted k (zip (repeat 1) [0 .. n - 1]) (named "short")
      drawn = heavy : [from s k n (named "short") | (_, s) <- samplers]
   in conjoin
        [ conjoin [length picks === max 0 (min k n), if n <= k then sort picks === [0 .. n - 1] else property True]
        | (picks, _) <- drawn
        ]

badWeights :: Assertion
badWeights = forM_ [-1, 0 / 0, 1 / 0, -1 / 0] $ \bad -> forM_ [0, 1, 5] $ \place -> do
  let rows = take place (zip (repeat 1) [0 ..]) ++ [(bad, 7)]
  result <- try (evaluate (length (fst (weighted 2 rows (named "bad"))))) :: IO (Either InvalidWeight Int)
  assertBool (show (bad, place)) (isLeft result)
  gen <- create
  other <- try (presample 1 rows gen >>= evaluate . length) :: IO (Either InvalidWeight Int)
  assertBool (show (bad, place)) (isLeft other)

package :: Assertion
package = do
  gen <- create
  let letters = zip [0.1, 0.2, 0, 0.7] "abcd"
  sample 5 "abcd" gen >>= (@?= Nothing)
  fmap sort <$> sample 4 "abcd" gen >>= (@?= Just "abcd")
  psample 4 letters gen >>= (@?= Nothing)
  fmap sort <$> psample 3 letters gen >>= (@?= Just "abd")
  resample 3 "" gen >>= (@?= "")
  presample 3 [(0, 'a')] gen >>= (@?= "")
  -- 10,000 draws each; six standard deviations are at most 300.
  let heavy = [(w * 1.0e300, c) | (w, c) <- letters]
  counted <- forM [resample 10000 "abcd" gen, presample 10000 letters gen, presample 10000 heavy gen] $ \draws ->
    (\drawn -> [length (filter (== c) drawn) | c <- "abcd"]) <$> draws
  forM_ (zip counted [[2500, 2500, 2500, 2500], [1000, 2000, 0, 7000], [1000, 2000, 0, 7000]]) $ \(counts, must) -> do
    sum counts @?= 10000
    assertBool (show counts) (and (zipWith (\a b -> abs (a - b) <= (if b == 0 then 0 else 300)) counts must))
  pairs <- replicateM 2000 (sample 1 [1 .. 2 :: Int] gen)
  let ones = length (filter (== Just [1]) pairs)
  assertBool (show ones) (abs (ones - 1000) < 135)
