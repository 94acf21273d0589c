{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE OverloadedStrings #-}

-- | Tests of processes: pinned samples and distributions, known answers of terms, equivalence of recursion schemes, and
-- closed formulas.
module ProcessTests (tests) where

import Control.Exception (evaluate, try)
import Control.Monad (forM, forM_, replicateM)
import Control.Monad.Free.Church (toF)
import Control.Monad.ST (runST)
import Data.Aeson (Value, object, toJSON, (.=))
import qualified Data.ByteString as B
import qualified Data.Functor.Foldable as RS
import Data.List (isInfixOf, isPrefixOf, tails)
import qualified Data.Map.Strict as Map
import Data.Primitive.PrimArray (primArrayToList)
import qualified Data.Vector as V
import Data.Word (Word32, Word64)
import GHC.Float (castDoubleToWord64)
import Hashwell.Draw (Key (..), stream)
import Hashwell.Number (exp, expm1, ln, log1p)
import Hashwell.Probability (Mwc (..), Prob (..))
import Hashwell.Process
import qualified Hashwell.Process.Terms as Terms
import Hashwell.Random.Words (newTape)
import qualified System.Random.MWC as MWC
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding (labels, tables)
import Vectors
import Prelude hiding (exp)
import qualified Prelude

tests :: TestTree
tests =
  testGroup
    "processes"
    [ testCase "samples and replicates" samples
    , testCase "laws" laws
    , testCase "MWC256" mwc
    , testCase "terms" terms
    , testCase "partitions follow Ewens's formula" ewens
    , testCase "encodings have one law" encodings
    , testCase "traces and scores" scores
    , testCase "bad terms" refusals
    , testCase "the picture" picture
    , schemes
    , numbers
    ]

-- | A process with its result in the form of the vectors: the program, and its distribution if a coalgebra computes it.
programOf :: Case -> Model Value
programOf c = case (text "process" c, text "encoding" c) of
  ("geometric", _) -> toJSON <$> geometric (real "p")
  ("negative-binomial", _) -> toJSON <$> negativeBinomial (int "r") (real "p")
  ("crp", "urn") -> restaurant <$> crpUrn (int "n") (real "alpha")
  ("crp", "futu") -> restaurant <$> crp Futu (int "n") (real "alpha")
  ("crp", "futu-categorical") -> restaurant <$> crp FutuCategorical (int "n") (real "alpha")
  ("crp", "ana") -> restaurant <$> crp Ana (int "n") (real "alpha")
  ("pitman-yor", _) -> seats <$> pitmanYor (int "n") (real "theta") (real "discount")
  ("stick-breaking", _) -> seats <$> stickBreaking (int "n") (real "theta") (real "discount")
  ("polya-urn", _) -> toJSON <$> polyaUrn (reals "balls") (int "n") (real "add")
  ("hoppe-urn", _) -> seats <$> hoppeUrn (int "n") (real "theta")
  ("random-walk", _) -> toJSON <$> randomWalk (int "n") (real "p") (int "start")
  ("gamblers-ruin", _) -> toJSON <$> gamblersRuin (int "start") (int "target") (real "p")
  ("markov-chain", _) -> toJSON <$> markovChain (matrix "transition") (int "n") (int "start")
  ("hmm", _) -> toJSON <$> hiddenMarkov (reals "initial") (matrix "transition") (matrix "emission") (ints "observed")
  ("ar1", _) -> toJSON <$> autoregressive (int "n") (real "phi") (real "sigma") (real "c") (real "start")
  ("galton-watson", _) -> toJSON <$> galtonWatson (reals "offspring") (int "generations") (int "start")
  ("moran", _) -> toJSON <$> moran (int "n") (int "start") (real "fitness")
  other -> error (show other ++ " is a process that is not here")
  where
    given = field "parameters" c :: Value
    real name = decimal (text name given)
    int name = read (text name given) :: Int
    reals name = map decimal (splitOn ',' (text name given))
    ints name = map read (splitOn ',' (text name given)) :: [Int]
    matrix name = map (map decimal . splitOn ',') (splitOn ';' (text name given))
    restaurant tables' = object ["labels" .= labels tables', "tables" .= tables']
    seats numbers' = object ["labels" .= numbers', "tables" .= tables numbers']

-- | Parses a decimal number, also @.5@ and @5@.
decimal :: String -> Double
decimal ('-' : digits) = negate (decimal digits)
decimal digits = read (if '.' `elem` digits || 'e' `elem` digits then digits else digits ++ ".0")

splitOn :: Char -> String -> [String]
splitOn c string = case break (== c) string of
  (before, _ : rest) -> before : splitOn c rest
  (before, []) -> [before]

withProcess :: IO [Case]
withProcess = filter (has "process") <$> cases "process"

samples :: Assertion
samples = do
  given <- withProcess
  length given @?= 41
  forM_ given $ \c -> do
    let seed = hex "seed" c
        said = text "process" c ++ " " ++ text "encoding" c
    assertEqual said (field "sample" c) (seeded seed (programOf c))
    assertEqual said (field "replicates" c) (take 4 (replicates seed (programOf c)))

-- | Pinned probabilities, computed from the programs' trees. Outcomes are compared as text, because JSON objects have
-- no order.
laws :: Assertion
laws = do
  -- A program with a uniform term has no exact distribution; the equivalent categorical program has one.
  given <- filter (\c -> has "exact" c && (text "process" c, text "encoding" c) /= ("crp", "futu")) <$> withProcess
  length given @?= 17
  forM_ given $ \c -> do
    let pinned = Map.fromList [(show value, mass) | (value, mass) <- field "exact" c :: [(Value, Double)]]
        said = text "process" c ++ " " ++ text "encoding" c
    law <- either assertFailure pure (exact defaultLimit (show <$> programOf c))
    assertEqual said (Map.keys pinned) (map fst (lawOutcomes law))
    forM_ (zip (lawOutcomes law) (Map.elems pinned)) $ \((_, mass), must) -> near said 1.0e-14 mass must
    near said 1.0e-12 (lawLost law) 0

near :: String -> Double -> Double -> Double -> Assertion
near said far a b = assertBool (said ++ ": " ++ show a ++ " is not " ++ show b) (abs (a - b) <= far)

-- | MWC256 must agree with mwc-random: its numbers, its doubles, and the ten values in the document.
mwc :: Assertion
mwc = do
  given <- filter (has "mwc") <$> cases "process"
  length given @?= 4
  forM_ given $ \c -> do
    gen <- MWC.initialize (V.fromList (field "mwc" c :: [Word32]))
    let halves = do
          x <- MWC.uniform gen :: IO Word32
          y <- MWC.uniform gen
          pure (toInteger x * 4294967296 + toInteger (y :: Word32))
    ws <- replicateM 4 halves
    map show ws @?= field "words" c
    doubles <- replicateM 4 (runProb (prob uniform) (Mwc gen))
    doubles @?= field "doubles" c
    fresh <- MWC.initialize (V.fromList (field "mwc" c :: [Word32]))
    let flips = field "geometric" c :: Value
    values <- replicateM 10 (runProb (prob (geometric (decimal (text "p" flips)))) (Mwc fresh))
    values @?= field "values" flips

-- | The known answers of the specification, to the bit.
terms :: Assertion
terms = do
  ws <- either assertFailure pure (stream "counter" (Key (B.replicate 32 9)))
  normals <- newTape ws >>= \tape -> replicateM 4 (Terms.normal tape)
  map castDoubleToWord64 normals @?= [0x3ff13b102b6ddd46, 0x3fd932850ed20c78, 0x3ff89acd2c034dcd, 0x3f61bef9a482290a]
  betas <- newTape ws >>= \tape ->
    forM [(2, 3), (0.5, 0.25), (1, 1.5), (0.001, 1), (1.0e15, 5.0e14)] $ \(a, b) -> Terms.beta a b tape
  map castDoubleToWord64 betas
    @?= [0x3fe08442ba12be15, 0x3fef7d678a1cd980, 0x3f9c962fec6831ed, 0x065bba95bf5658a2, 0x3fe555554962951d]
  let on word model = runST (newTape [word :: Word64] >>= runProb (prob model))
  -- A certain event also consumes a random number. If rounding leaves no index, it is the last one of positive weight.
  (on 0 (bernoulli 0), on maxBound (bernoulli 1)) @?= (False, True)
  map (`on` categorical [0, 1, 0, 1, 0]) [0, 2 ^ (63 :: Int) - 1, 2 ^ (63 :: Int), maxBound] @?= [1, 1, 3, 3]
  on 5 (below 3) @?= 2

-- | Ewens' formula for the probability of a seating with K tables: a^K times the product of (size - 1)! for all tables,
-- divided by a (a + 1) … (a + n - 1).
ewens :: Assertion
ewens = forM_ [(6, 203), (1, 1), (0, 1)] $ \(n, partitions) -> do
  law <- either assertFailure pure (exactAna defaultLimit (arriveAna n 1.5) (seatedAt n))
  length (lawOutcomes law) @?= partitions
  forM_ (lawOutcomes law) $ \(seated, mass) ->
    near (show seated) 1.0e-15 mass $
      product [1.5 * product (map fromIntegral [1 .. length table - 1]) | table <- seated]
        / product [1.5 + fromIntegral i | i <- [0 .. n - 1]]

seatedAt :: Int -> (Int, [(Int, [Int])])
seatedAt n = if n == 0 then (0, []) else (1, [(1, [0])])

encodings :: Assertion
encodings = do
  let lawOf model = either assertFailure pure (exact defaultLimit model)
  reference' <- lawOf (crp Ana 6 0.7)
  categorical' <- lawOf (crp FutuCategorical 6 0.7)
  merged <- either assertFailure pure (exactFutu defaultLimit (arriveFutuCategorical 6 0.7) (seatedAt 6))
  forM_ [categorical', merged] $ \law -> do
    map fst (lawOutcomes law) @?= map fst (lawOutcomes reference')
    forM_ (zip (lawOutcomes law) (lawOutcomes reference')) $ \((seated, a), (_, b)) -> near (show seated) 1.0e-15 a b
  -- A continuous program has no exact distribution. Its draws are those of the other program, one by one.
  exact defaultLimit (crp Futu 3 1) @?= Left "the values of a term with a density can't be listed"
  forM_ ["a", "b", "c"] $ \seed -> do
    seeded seed (crp Futu 200 3) @?= seeded seed (crp FutuCategorical 200 3)
    -- The loop agrees with the program, and more customers don't change the tables of the first ones.
    let loop n = runST (tapeOf seed >>= crpLabels n 3)
        tapeOf s = newTape (either error id (stream "blake3" (Key s)))
        urn n = runST (tapeOf seed >>= runProb (prob (crpUrn n 3)))
        many = map fromIntegral (primArrayToList (loop 200))
    many @?= labels (urn 200)
    take 50 many @?= map fromIntegral (primArrayToList (loop 50))
    tables many @?= urn 200
  forM_ [0, 1] $ \n -> forM_ [minBound ..] $ \e -> seeded "a" (crp e n 1) @?= [[0] | n > 0]
  -- Chi-squared test of 10,000 restaurants of three customers, from two random numbers each, against the exact
  -- distribution. Values above 18.5 have probability 0.001, and values above 60 have probability below 1e-11. A
  -- distribution with a different dispersion must fail clearly.
  let restaurants = take 10000 (replicates "partitions of three" (crp Futu 3 1.5))
      chi a = do
        law <- lawOf (crp Ana 3 a)
        let counts = Map.fromListWith (+) [(r, 1) | r <- restaurants] :: Map.Map [[Int]] Double
            off (seated, mass) = (Map.findWithDefault 0 seated counts - 10000 * mass) ^ (2 :: Int) / (10000 * mass)
        pure (sum (map off (lawOutcomes law)))
  right <- chi 1.5
  wrong <- chi 1.1
  assertBool ("chi-square " ++ show right) (right < 27)
  assertBool ("the control passes: " ++ show wrong) (wrong > 60)

-- | The score of a run is the logarithm of its probability, and its trace reproduces the run.
scores :: Assertion
scores = do
  law <- either assertFailure pure (exact defaultLimit (crp Ana 5 1.5))
  let masses = Map.fromList (lawOutcomes law)
  forM_ ["a", "b", "c", "d"] $ \seed -> do
    ws <- either assertFailure pure (stream "counter" (Key seed))
    (seated, trace) <- newTape ws >>= runProb (traced (crp Ana 5 1.5))
    (again', mass) <- either assertFailure pure (score (crp Ana 5 1.5) trace)
    again' @?= seated
    near "mass" 1.0e-14 (exp mass) (masses Map.! seated)
  -- Compare densities with closed forms.
  let density model x = either error snd (score model [Real x])
  near "normal" 1.0e-14 (density (gaussian 1 2) 2) (negate (Prelude.log (2 * sqrt (2 * pi))) - 0.125)
  near "beta" 1.0e-13 (density (beta 2 3) 0.25) (Prelude.log (12 * 0.25 * 0.75 * 0.75))
  near "beta of 1/2" 1.0e-13 (density (beta 0.5 0.5) 0.5) (negate (Prelude.log (pi * 0.5)))
  score (bernoulli 0.5) [] @?= Left "there are fewer values than terms in the run"
  score (bernoulli 0.5) [Flag True, Flag True] @?= Left "there are more values than terms in the run"
  score (bernoulli 0.5) [Choice 1] @?= Left "Choice 1 is not a value of the term"
  -- One coin in ten shows heads with probability 0.9, and four heads were observed.
  let coin = do
        biased <- bernoulli 0.1
        biased <$ mapM_ (\_ -> observe (if biased then 0.9 else 0.5)) [1 .. 4 :: Int]
  (given, evidence) <- either assertFailure (pure . posterior) (exact defaultLimit coin)
  near "posterior" 1.0e-15 (snd (lawOutcomes given !! 1)) (0.1 * 0.9 ^ (4 :: Int) / evidence)
  near "evidence" 1.0e-15 evidence (0.1 * 0.9 ^ (4 :: Int) + 0.9 * 0.5 ^ (4 :: Int))

refusals :: Assertion
refusals = do
  let nan = 0 / 0
      bad = [Refused (bernoulli p) | p <- [-0.1, 1.1, nan]] ++ [Refused (gaussian 0 s) | s <- [0, -1, nan, 1 / 0]]
        ++ [Refused (categorical w) | w <- [[], [0], [1, -1], [nan], [1 / 0], [1.0e308, 1.0e308]]]
        ++ [Refused (beta a 1) | a <- [0, nan, 1.0e16]] ++ [Refused (below n) | n <- [0, -1, 2 ^ (129 :: Int)]]
        ++ [Refused (observe w) | w <- [-1, nan]] ++ [Refused (crp Futu 5 a) | a <- [-1, nan]]
  forM_ (zip [0 :: Int ..] bad) $ \(i, Refused model) -> do
    assertBool (show i) (either (const True) (const False) (exact' model))
    result <- try (evaluate (seeded "a" model `seq` ())) :: IO (Either InvalidTerm ())
    assertBool (show i ++ " is drawn") (either (const True) (const False) result)
  fmap lawLost (exact (Limit 0 5 100) (geometric 0.5)) @?= Right (1 / 32)
  -- The first two of these numbers give 2^32 states. The enumeration must stop before it creates all of them.
  exact (Limit 0 100 65536) (replicateM 3 (below 65536)) @?= Left "there are more than 65536 states"
  exact (Limit 0 100 50) (randomWalk 10 0.5 0) @?= Left "there are more than 50 states"
  -- The same number of outcomes, but from few states.
  exact (Limit 0 100 65536) (replicateM 2 (below 65536)) @?= Left "there are more than 65536 outcomes"
  where
    exact' model = score model [] >> exact (Limit 0 3 100) (() <$ model) >>= \_ -> Right ()

data Refused = forall a. Refused (Model a)

picture :: Assertion
picture = do
  let drawing = svg [[9, 8, 7, 6, 4, 2, 0], [1], [5, 3]]
      times part = length (filter (isPrefixOf part) (tails drawing))
  -- Three tables, ten customers, the next table.
  (times "<circle", times "</text>", times "stroke-dasharray") @?= (14, 13, 1)
  assertBool "it is named" ("<title>[[9,8,7,6,4,2,0],[1],[5,3]]</title>" `isInfixOf` drawing)

-- | ana and apo agree with a futu whose leaves are seeds, and our functions agree with those of the library.
schemes :: TestTree
schemes = testProperty "schemes agree with recursion-schemes" $ \(Positive n) (NonNegative a) -> do
  let size = n `mod` 30 :: Int
      start = seatedAt size
      values model = take 5 (replicates "schemes" model)
      apo' seed = fmap Right (arriveAna size (a + 0.1) seed)
      futu' seed = fmap pure (arriveAna size (a + 0.1) seed)
      ours = values (ana (arriveAna size (a + 0.1)) start)
  conjoin
    [ values (apo apo' start) === ours
    , values (futu futu' start) === ours
    , values (toF (RS.ana (arriveAna size (a + 0.1)) start)) === ours
    , values (toF (RS.futu (arriveFutu size (a + 0.1)) start)) === values (futu (arriveFutu size (a + 0.1)) start)
    ]

-- | Our functions are close to those of the C library.
numbers :: TestTree
numbers = testGroup "logarithms and exponentials"
  [ testProperty "ln" $ \(Positive x) -> close (ln x) (log x)
  , testProperty "log1p" $ \(NonNegative x) -> close (log1p x) (log (1 + x)) .||. x < 0.1
  , testProperty "exp" $ \x -> close (exp x) (Prelude.exp x)
  , testProperty "exp is the inverse" $ \(Positive x) -> abs (exp (ln x) / x - 1) < 1.0e-13
  , testProperty "expm1" $ \x -> abs x < 0.1 .||. close (expm1 x) (Prelude.exp x - 1)
  , testCase "ends" $ do
      map ln [0, 1, 1 / 0, 5.0e-324] @?= [-1 / 0, 0, 1 / 0, -744.4400719213812]
      map exp [-746, 710, 0, -745] @?= [0, 1 / 0, 1, 5.0e-324]
      map expm1 [-40, 0, 710, 1.0e-300] @?= [-1, 0, 1 / 0, 1.0e-300]
      assertBool "none" (all isNaN [ln (-1), ln (0 / 0), exp (0 / 0), expm1 (0 / 0), log1p (-2)])
  ]
  where
    close a b = counterexample (show (a, b)) (abs (a - b) <= 1.0e-14 * abs b + 1.0e-15)
