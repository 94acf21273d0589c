{-# LANGUAGE OverloadedStrings #-}

-- | Tests of random streams: the vectors of @docs/guides/random.md@, mixed reads of bytes and numbers, the end of a
-- stream, and distributions of other libraries.
module RandomTests (tests) where

import Control.Exception (try)
import Control.Monad (forM_, replicateM, when)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Control.Monad.ST (runST)
import qualified Crypto.DRBG.HMAC as Given
import qualified Crypto.Hash.SHA256 as SHA256
import Data.Bits (shiftL, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import qualified Data.ByteString.Short as BS
import Data.Word (Word64)
import Hashwell.Random
import qualified Hashwell.XOF as X
import System.Random.MWC.Distributions (normal)
import System.Random.Stateful (StatefulGen (..), uniformRM)
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding (Gen)
import Vectors

tests :: TestTree
tests = testGroup "random streams"
  [ testCase "known answers" answers
  , testCase "names" names
  , testProperty "every mix of reads reads one stream" mixes
  , testCase "the end" end
  , testCase "other libraries' distributions" distributions
  , testCase "generators over other streams" others
  , testCase "tapes" tapes
  ]

source :: String -> Source
source = either (error . show) id . findSource

answers :: Assertion
answers = do
  cs <- cases "random"
  length cs @?= 61
  forM_ cs $ \c -> do
    let from = source (text "source" c)
        root = seedKey (hex "seed" c) (hexOr "personalization" c)
        jumped = if has "jumps" c then jumpedKey (number64 "jumps" c) root else root
        key = if has "child" c then childKey (number64 "child" c) jumped else jumped
        wanted = hex "expected" c
        skipped = if has "skip" c then read (text "skip" c) else 0 :: Integer
    root @?= Key (hex "key" c)
    when (has "numbers" c) $ numberSeed (map read (field "numbers" c)) @?= hex "seed" c
    g <- if has "words" c then newGenFromKey Counter (othersKey key) else newGenFromKey from key
    if skipped > 100000 then seek g skipped >>= (@?= Right ()) else () <$ bytes g (fromInteger skipped)
    out <- bytes g (B.length wanted)
    showHex out @?= showHex wanted
  where
    number64 f c = read (text f c) :: Word64

names :: Assertion
names = do
  sourceName (source "K12") @?= "kt128"
  map findSource ["sha256", "hmac-drbg-shake128", "none", "hmac-drbg-"] @?= replicate 4 (Left Unsupported)
  forM_ ["counter", "blake3", "hmac-drbg-sha512"] (\n -> sourceName (source n) @?= n)
  [a == b | a <- keys, b <- keys] @?= [True, False, False, True]
  map show keys @?= ["<key>", "<key>"]
  made <- try (newGen (Output sha256) "" >>= word64)
  made @?= Left Unsupported
  where
    keys = [seedKey "seed" "", seedKey "" "seed"]

-- | A read of a generator.
data Request = Read8 | Read16 | Read32 | Read64 | ReadBytes Int | ReadShort Int
  deriving (Show)

instance Arbitrary Request where
  arbitrary = frequency
    [ (2, elements [Read8, Read16, Read32]), (6, pure Read64)
    , (1, ReadBytes <$> choose (0, 5000)), (1, ReadShort <$> choose (0, 20))
    ]

perform :: PrimMonad m => Gen (PrimState m) -> Request -> m ByteString
perform g r = case r of
  Read8 -> B.singleton <$> uniformWord8 g
  Read16 -> bigEndian 2 . fromIntegral <$> uniformWord16 g
  Read32 -> bigEndian 4 . fromIntegral <$> uniformWord32 g
  Read64 -> bigEndian 8 <$> uniformWord64 g
  ReadBytes n -> bytes g n
  ReadShort n -> BS.fromShort <$> uniformShortByteString n g

bigEndian :: Int -> Word64 -> ByteString
bigEndian n w = B.pack [fromIntegral (w `div` 256 ^ i) | i <- [n - 1, n - 2 .. 0]]

mixes :: [Request] -> Property
mixes some = ioProperty $ conjoin <$> mapM one ["blake3", "counter", "shake128", "hmac-drbg-sha256"]
  where
    reads' = concat (replicate 20 some)
    one n = do
      g <- newGen (source n) "seed"
      pieces <- B.concat <$> mapM (perform g) reads'
      whole <- newGen (source n) "seed" >>= (`bytes` B.length pieces)
      let inST = runST (newGen (source n) "seed" >>= \s -> B.concat <$> mapM (perform s) reads')
      pure (pieces === whole .&&. inST === whole)

end :: Assertion
end = forM_ [("counter", 2 ^ (69 :: Int)), ("blake3", 2 ^ (64 :: Int) - 1)] $ \(n, len) -> do
  g <- newGen (source n) "seed"
  seek g (len - 12) >>= (@?= Right ())
  _ <- word64 g
  (try (word64 g)) >>= (@?= Left Exhausted)
  -- The remaining bytes can still be read, and no byte is read twice.
  rest <- bytes g 4
  seek g (len - 4) >>= (@?= Right ())
  bytes g 4 >>= (@?= rest)
  (try (bytes g 1)) >>= (@?= Left Exhausted)
  seek g (len + 1) >>= (@?= Left Exhausted)
  seek g (-1) >>= (@?= Left Exhausted)
  seek g 0 >>= (@?= Right ())
  beginning <- newGen (source n) "seed"
  (,) <$> word64 g <*> word64 beginning >>= uncurry (@?=)

distributions :: Assertion
distributions = do
  g <- newGen (Output blake3) "distributions"
  rolls <- replicateM 60000 (uniformRM (1, 6 :: Int) g)
  -- With 5 degrees of freedom, 38 means p = 4e-7. The control is a die that shows one side 2 % more often.
  let count side = fromIntegral . length . filter (== side)
      chi xs = sum [(count side xs - 10000) ^ (2 :: Int) / 10000 | side <- [1 .. 6]] :: Double
  assertBool (show (chi rolls)) (chi rolls < 38)
  assertBool "control" (chi (map (\(i, x) -> if i `mod` 10 == 0 then 1 else x) (zip [1 :: Int ..] rolls)) > 38)
  xs <- replicateM 40000 (normal 3 2 g)
  let mean = sum xs / 40000
      var = sum [(x - mean) * (x - mean) | x <- xs] / 40000
  assertBool (show mean) (abs (mean - 3) < 0.05)
  assertBool (show var) (abs (var - 4) < 0.2)
  us <- replicateM 1000 (unitDouble g)
  assertBool "unit" (all (\u -> u >= 0 && u < 1) us)

others :: Assertion
others = do
  g <- newGen (HmacDrbg sha256) "seed"
  let Key k = seedKey "seed" ""
  given <- Given.new SHA256.hmac k "" "" >>= fromHmac
  (,) <$> bytes g 9000 <*> bytes given 9000 >>= uncurry (@?=)
  seek g 0 >>= (@?= Left Unsupported)
  -- A lazy stream ends at the same byte as reads.
  far <- X.newReader blake3 X.plain "message" >>= either (fail . show) pure
  X.seek far (2 ^ (64 :: Int) - 100) >>= (@?= Right ())
  tail' <- BL.toStrict <$> X.rest far
  X.readBytes far 99 >>= (@?= tail')
  reader <- X.newReader shake256 X.plain "message" >>= either (fail . show) pure
  _ <- X.readBytes reader 10
  there <- fromReader reader >>= (`bytes` 5000)
  Right there @?= fmap (BL.toStrict . BL.take 5000 . BL.drop 10) (X.output shake256 X.plain "message")
  (a, b) <- (,) <$> (newGenOS Counter >>= word64) <*> (newGenOS Counter >>= word64)
  assertBool "the operating system's streams differ" (a /= b)

tapes :: Assertion
tapes = do
  tape <- newTape [1, 2, 3]
  (,) <$> word64 tape <*> word64 tape >>= (@?= (1, 2))
  tapeRest tape >>= (@?= [3])
  g <- newGen Counter "seed"
  h <- newGen Counter "seed"
  (,) <$> word64 (FromStateful g) <*> word64 h >>= uncurry (@?=)
  (high, low) <- newGen Counter "seed" >>= \w -> (,) <$> word32 w <*> word32 w
  whole <- newGen Counter "seed" >>= word64
  (fromIntegral high `shiftL` 32) .|. fromIntegral low @?= whole
