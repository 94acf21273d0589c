{-# LANGUAGE OverloadedStrings #-}

-- |
-- Timing tests of the pure packages, with the method and the thresholds of @hashwell timing-test@ (@dev\/timing.md@):
-- hashwell-pure-timing [MEASUREMENTS]. Compares the times of a fixed secret with those of random secrets by Welch's
-- t-test. It also tests that the number of allocated bytes doesn't depend on the secret, because the garbage collector
-- runs when enough bytes were allocated.
--
-- The exit code is 0 if no difference was found, 1 if a difference was found, and 3 if a control has the wrong result,
-- so that the run says nothing.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (forM, forM_, unless, when)
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA512 as SHA512
import Data.Bits (complement, shiftR, testBit, xor)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import Data.Int (Int64)
import Data.List (foldl', maximumBy)
import qualified Data.Map.Strict as Map
import Data.Ord (comparing)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Stats (gcs, getRTSStats)
import System.Environment (getArgs)
import System.Exit (ExitCode (..), exitWith)
import System.Mem (getAllocationCounter, performMinorGC)
import Text.Printf (printf)

-- | An operation that reads a secret, with the fixed secret. Random secrets have the same length.
data Target = Target {name :: String, fixedSecret :: ByteString, run :: ByteString -> ()}

targets :: [Target]
targets =
  [ Target "SHA-256, secret message of 32 bytes" (zeros 32) (forced . SHA256.hash)
  , Target "SHA-256, secret message of 200 bytes" (zeros 200) (forced . SHA256.hash)
  , Target "HMAC-SHA256, secret key" (zeros 32) (\key -> forced (SHA256.hmac key message))
  , Target "HMAC-SHA256, secret key of 100 bytes" (zeros 100) (\key -> forced (SHA256.hmac key message))
  , Target "HMAC-SHA256, secret message" (zeros 32) (forced . SHA256.tag key256)
  , Target "HMAC-SHA256, comparison with a wrong tag" (lastBitFlipped tag256) (forced . SHA256.verify key256 message)
  , Target "SHA-512, secret message of 32 bytes" (zeros 32) (forced . SHA512.hash)
  , Target "HMAC-SHA512, secret key" (zeros 32) (\key -> forced (SHA512.hmac key message))
  , Target "HMAC-SHA512, comparison with a wrong tag" (lastBitFlipped tag512) (forced . SHA512.verify key512 message)
  ]
  where
    zeros len = B.replicate len 0
    forced x = x `seq` ()
    message = "a message of thirty-two bytes..."
    key256 = SHA256.prepare "a public key"
    key512 = SHA512.prepare "a public key"
    tag256 = SHA256.tag key256 message
    tag512 = SHA512.tag key512 message
    lastBitFlipped tag = B.snoc (B.init tag) (B.last tag `xor` 1)

-- | A comparison that stops at the first difference. Its fixed secret is the expected value, so the classes differ.
plantedComparison :: Target
plantedComparison = Target "planted leak: comparison that stops early" expected compareEarly
  where
    expected = B.replicate 32 0x5a
    compareEarly secret = and (B.zipWith (==) secret expected) `seq` ()

-- | A branch on one bit: 64 multiplications, or none.
plantedBranch :: Target
plantedBranch = Target "planted leak: branch on one bit" (B.replicate 32 0xff) branch
  where
    branch secret = if testBit (B.head secret) 0 then power 64 (fromIntegral (B.last secret)) `seq` () else ()
    power :: Int -> Word64 -> Word64
    power 0 x = x
    power n x = power (n - 1) (x * x)

data Class = Fixed | Random
  deriving (Eq)

-- | The pseudo-random generator SplitMix64. It selects classes, delays and secrets.
type Generator = IORef Word64

number :: Generator -> IO Word64
number generator = mixed <$> atomicModifyIORef' generator (\s -> let s' = s + 0x9e3779b97f4a7c15 in (s', s'))
  where
    mixed z0 = z2 `xor` (z2 `shiftR` 31)
      where
        z1 = (z0 `xor` (z0 `shiftR` 30)) * 0xbf58476d1ce4e5b9
        z2 = (z1 `xor` (z1 `shiftR` 27)) * 0x94d049bb133111eb

-- | Makes a secret of a class, and a number for its delay. The steps are the same for both classes: a random secret is
-- always computed, because otherwise the secrets of the two classes would have different places in memory.
prepared :: Generator -> Bool -> Target -> IO (Class, ByteString, Word64)
prepared generator oneClass target = do
  coin <- number generator
  delay <- number generator
  random <- evaluate . B.pack
    =<< forM [1 .. B.length (fixedSecret target)] (\_ -> fromIntegral . (`shiftR` 40) <$> number generator)
  let kind = if testBit coin 33 then Fixed else Random
  secret <- evaluate (B.copy (if kind == Fixed && not oneClass then fixedSecret target else random))
  pure (kind, secret, delay `shiftR` 58)

-- | The times of an operation in nanoseconds, each with its class, and the number of garbage collections during the
-- measurements.
measure :: Generator -> Bool -> Int -> Target -> IO ([(Class, Word64)], Int)
measure generator oneClass count target = unzipped <$> forM [1 .. count `div` batch] (\_ -> do
  secrets <- forM [1 .. batch] (\_ -> prepared generator oneClass target)
  -- No collection is necessary until the end of the batch, because its allocations fit into the nursery.
  performMinorGC
  before <- collections
  times <- forM secrets $ \(kind, secret, delay) -> do
    waited delay
    start <- getMonotonicTimeNSec
    _ <- evaluate (run target secret)
    end <- getMonotonicTimeNSec
    pure (kind, end - start)
  after <- collections
  pure (times, after - before))
  where
    batch = 256
    unzipped batches = (concatMap fst batches, sum (map snd batches))
    collections = fromIntegral . gcs <$> getRTSStats :: IO Int
{-# NOINLINE measure #-}

-- | Waits for a random time, because some clocks advance in large steps.
waited :: Word64 -> IO ()
waited n = unless (n == 0) (evaluate (complement n) >> waited (n - 1))
{-# NOINLINE waited #-}

-- | The largest difference between the numbers of bytes that an operation allocates with different secrets.
allocationSpread :: Generator -> Target -> IO Int64
allocationSpread generator target = fmap (\found -> maximum found - minimum found) . forM [1 .. 512 :: Int] $ \_ -> do
  (_, secret, _) <- prepared generator False target
  before <- getAllocationCounter
  _ <- evaluate (run target secret)
  after <- getAllocationCounter
  pure (before - after)

-- | The number of values, their sum, and the sum of their squares.
data Moments = Moments !Double !Double !Double

add :: Moments -> Double -> Double -> Moments
add (Moments n s q) count x = Moments (n + count) (s + count * x) (q + count * x * x)

-- | The difference of the means, first minus second, and its standard error. The error includes that of a clock with
-- this step.
difference :: Double -> Moments -> Moments -> (Double, Double)
difference step (Moments n s q) (Moments n' s' q') =
  (s / n - s' / n', sqrt (max floor' (variance n s q) / n + max floor' (variance n' s' q') / n'))
  where
    variance m t u = (u - t * t / m) / (m - 1)
    floor' = step * step / 12

-- | The largest |t| of all tests, its test, the difference of the means there, if it is one of times, and the detection
-- limit.
data Result = Result {largestT :: Double, ofTest :: String, nanoseconds :: Maybe Double, limit :: Double}

-- | Welch's t-test on all measurements, on those below each of 100 percentiles, and on the squared distances from the
-- means. The detection limit is the difference that would exceed 'suspicious' in nine of ten runs, in the most sensitive
-- test.
analysis :: [(Class, Word64)] -> Result
analysis samples = Result (t strongest) (fst strongest) (lookup (fst strongest) differences) smallest
  where
    bins = Map.toAscList (Map.fromListWith plus [(time, if kind == Fixed then (1, 0) else (0, 1)) | (kind, time) <- samples])
    plus (a, b) (c, d) = (a + c, b + d) :: (Double, Double)
    total = fromIntegral (length samples) :: Double
    origin = fst (bins !! (length bins `div` 2))
    common = [time | (time, (a, b)) <- bins, a + b >= 0.0005 * total]
    step = fromIntegral (max 1 (foldl' gcd 0 (zipWith (-) (drop 1 common) common))) :: Double
    centered time = fromIntegral time - fromIntegral origin :: Double
    -- The sums over the times up to each bin.
    sums = drop 1 (scanl grown (Moments 0 0 0, Moments 0 0 0) bins)
    grown (f, r) (time, (a, b)) = (add f a (centered time), add r b (centered time))
    (allFixed, allRandom) = last sums
    kept (Moments n _ _, Moments m _ _) = (n + m) / total
    crops = crossing [1 - 0.5 ** (fromIntegral k / 10) | k <- [1 .. 100 :: Int]] (init sums)
    crossing marks (s : rest)
      | (_ : _) <- passed = [s | enough s] ++ crossing marks' rest
      | otherwise = crossing marks rest
      where
        (passed, marks') = span (<= kept s) marks
    crossing _ [] = []
    enough (Moments n _ _, Moments m _ _) = n >= 100 && m >= 100
    squares = difference (step * step) (squared allFixed fst) (squared allRandom snd)
    squared (Moments n s _) side =
      foldl' (\m (time, counts) -> add m (side counts) ((centered time - s / n) ** 2)) (Moments 0 0 0) bins
    means = ("all", difference step allFixed allRandom)
      : [(printf "fastest %.1f %%" (100 * kept s), difference step f r) | s@(f, r) <- crops]
    differences = [(test, d) | (test, (d, _)) <- means]
    strongest = maximumBy (comparing (abs . t)) (("squares", squares) : means)
    t (_, (d, e)) = if d == 0 then 0 else d / e
    smallest = (suspicious + 1.282) * minimum (map (snd . snd) means)

-- | A difference in allocated bytes that doesn't depend on secrets: byte strings are aligned to 16 bytes, other values to
-- 8 bytes.
alignment :: Int64
alignment = 8

-- | The thresholds of @hashwell timing-test@.
suspicious, leak :: Double
suspicious = 4.5
leak = 10

verdict :: Result -> String
verdict result
  | abs (largestT result) > leak = "LEAK"
  | abs (largestT result) > suspicious = "SUSPICIOUS"
  | otherwise = printf "none above %.1f ns" (limit result)

main :: IO ()
main = do
  arguments <- getArgs
  let count = case arguments of
        [n] -> read n
        _ -> 100000
  generator <- getMonotonicTimeNSec >>= newIORef
  let report oneClass target = do
        (samples, collected) <- measure generator oneClass count target
        let result = analysis samples
        _ <- printf "%-43s t %7.2f  %-13s %s  %s\n" (name target) (largestT result) (ofTest result)
          (maybe (replicate 11 ' ') (printf "%8.1f ns") (nanoseconds result)) (verdict result)
        when (collected > 0) (putStrLn ("  " ++ show collected ++ " garbage collections during the measurements"))
        pure result
  printf "%d measurements each. Differences are fixed minus random secret, in the test with the largest |t|.\n\n" count
  planted <- forM [plantedComparison, plantedBranch] (report False)
  same <- report True (head targets) {name = "control: random secrets in both classes"}
  results <- forM targets (report False)
  plantedSpread <- allocationSpread generator plantedComparison
  spreads <- forM targets (allocationSpread generator)
  putStrLn ""
  forM_ (zip (plantedComparison : targets) (plantedSpread : spreads)) $ \(target, spread) -> when (spread > alignment) $
    printf "%-43s allocates up to %d bytes more, depending on the secret\n" (name target) spread
  if any ((<= leak) . abs . largestT) planted || abs (largestT same) > leak || plantedSpread <= alignment
    then putStrLn "INCONCLUSIVE: a control has the wrong result." >> exitWith (ExitFailure 3)
    else unless (all ((<= suspicious) . abs . largestT) results && all (<= alignment) spreads) $
      putStrLn "A difference was found." >> exitWith (ExitFailure 1)
