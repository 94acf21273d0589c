{-# LANGUAGE OverloadedStrings #-}

-- | Tests of digests: all known answers of all algorithms with each function, and agreement of the functions on
-- arbitrary input.
module DigestTests (tests) where

import Control.Exception (try)
import Control.Monad (forM, forM_, when)
import Control.Monad.ST (runST)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import Data.Maybe (isJust)
import Digests (Digest (..), digests)
import qualified Hashwell.Hash as H
import qualified Hashwell.XOF as X
import System.Environment (lookupEnv)
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck
import Vectors

tests :: TestTree
tests = testGroup "digests"
  [ testGroup "known answers" [testCase (H.name a) (answers a) | a <- H.algorithms]
  , testCase "a module for each" $ map digestAlgorithm digests @?= map show H.algorithms
  , testCase "registry" registry
  , testCase "refusals" refusals
  , testGroup "ways agree" [agreement a | a <- H.algorithms]
  , testCase "long calls" longCalls
  , testCase "saved states" savedStates
  ]

-- | The parameters of a case.
params :: Case -> H.Params
params c = H.plain
  { H.key = given "key"
  , H.salt = given "salt"
  , H.personal = given "personal"
  , H.customization = case given "customization" of
      Nothing | has "customization_pattern" c -> Just (input "customization_pattern" c)
      s -> s
  , H.functionName = given "function_name"
  , H.context = if has "context" c then Just (input' "context") else Nothing
  , H.domain = if has "domain" c then Just (fromIntegral (number "domain" c)) else Nothing
  }
  where
    given name = if has name c then Just (hex name c) else Nothing
    input' name = B.pack (map (fromIntegral . fromEnum) (text name c))

answers :: H.Algorithm -> Assertion
answers a = do
  slow <- isJust <$> lookupEnv "SLOW"
  cs <- filter (\c -> slow || not (long c)) <$> cases (H.name a)
  assertBool "no cases" (not (null cs))
  forM_ cs $ \c -> do
    let message = input "input" c
        wanted = hex "expected" c
        ps = params c
        skipped = if has "skip" c then number "skip" c else 0
    if H.kind a == H.Xof
      then if maybe 0 B.length (H.customization ps) > 256
       then
        -- A state has no space for a longer customization of KangarooTwelve.
        fmap (B.drop skipped) (H.hashWith a ps { H.outputLength = Just (number "output_len" c) } message)
          @?= Right wanted
       else do
        let out = X.output a ps (BL.fromStrict message)
            len = number "output_len" c
            cut = BL.toStrict . BL.drop (fromIntegral skipped) . BL.take (fromIntegral len)
        fmap (showHex . cut) out @?= Right (showHex wanted)
        piecewise <- X.newReader a ps (BL.fromChunks [message]) >>= mapM (\r -> do
          _ <- X.readBytes r skipped
          B.append <$> X.readBytes r 1 <*> X.readBytes r (len - skipped - 1))
        piecewise @?= Right wanted
      else do
        let ps' = if B.length wanted == H.outputLen a then ps else ps { H.outputLength = Just (B.length wanted) }
        H.hashWith a ps' message @?= Right wanted
        H.hashLazyWith a ps' (chunks 1000 message) @?= Right wanted
        when (ps' == H.plain) $ do
          H.hash a message @?= wanted
          H.hashMany a [message, "", message] @?= [wanted, H.hash a "", wanted]

chunks :: Int -> ByteString -> BL.ByteString
chunks n b
  | B.null b = BL.empty
  | otherwise = BL.fromStrict (B.take n b) <> chunks n (B.drop n b)

registry :: Assertion
registry = do
  length H.algorithms @?= 33
  forM_ H.algorithms $ \a -> do
    H.find (H.name a) @?= Just a
    forM_ (H.aliases a) (\n -> H.find n @?= Just a)
    assertBool "standard" (not (null (H.standard a)))
  map H.find ["md5", "", "sha256\0", "sha\8322"] @?= replicate 4 Nothing
  [H.name a | a <- H.algorithms, H.status a == H.Broken] @?= ["sha1"]

refusals :: Assertion
refusals = do
  H.hashWith H.sha256 H.plain { H.key = Just "k" } "" @?= Left H.Unsupported
  H.hashWith H.blake3 H.plain { H.key = Just "short" } "" @?= Left H.OutOfRange
  H.hashWith H.blake3 H.plain { H.context = Just "\255" } "" @?= Left H.NotText
  H.hashWith H.turboshake128 H.plain { H.domain = Just 0 } "" @?= Left H.OutOfRange
  forM_ [0, -1, 65, maxBound, minBound] $ \n ->
    H.hashWith H.blake2b_512 H.plain { H.outputLength = Just n } "" @?= Left H.OutOfRange
  X.output H.sha256 H.plain "" @?= Left H.Unsupported
  -- Total output lengths that overflow, and no messages at all.
  let ofBytes n = H.plain { H.outputLength = Just n }
  H.hashManyWith H.shake128 (ofBytes (2 ^ (62 :: Int) + 1)) ["a", "b", "c", "d"] @?= Left H.OutOfRange
  H.hashManyWith H.shake128 (ofBytes 0) ["a", "b"] @?= Right ["", ""]
  forM_ [H.hashWith H.shake128 (ofBytes (-1)) "", H.hashLazyWith H.shake128 (ofBytes (-1)) ""] (@?= Left H.OutOfRange)
  H.hashLazyWith H.shake128 (ofBytes 10) (BL.fromChunks ["a", "b"]) @?= H.hashWith H.shake128 (ofBytes 10) "ab"
  -- An empty context is different from no context.
  assertBool "empty context" (H.hashWith H.blake3 H.plain { H.context = Just "" } "m" /= Right (H.hash H.blake3 "m"))
  hasher <- H.newHasher H.sha256
  H.wipe hasher
  assertThrows H.Wiped (H.update hasher "more")
  assertThrows H.Wiped (H.finalize hasher)

assertThrows :: H.Error -> IO a -> Assertion
assertThrows wanted act = try (() <$ act) >>= (@?= Left wanted)

agreement :: H.Algorithm -> TestTree
agreement a = testProperty (H.name a) $ \(Pieces pieces) ->
  let whole = B.concat pieces
      oneShot = H.hash a whole
      lazily = BL.fromChunks pieces
      (inPieces, longer, cloned) = runST $ do
        hasher <- H.newHasher a
        mapM_ (H.update hasher) pieces
        copy <- H.clone hasher
        d <- H.finalize hasher
        H.update hasher "!"
        l <- H.finalize hasher
        H.updateLazy copy (BL.fromChunks ["", "?"])
        (,,) d l <$> H.finalize copy
      found = filter ((== show a) . digestAlgorithm) digests
   in conjoin
        [ H.hashLazy a lazily === oneShot
        , inPieces === oneShot
        , longer === H.hash a (whole <> "!")
        , cloned === H.hash a (whole <> "?")
        , H.hashMany a pieces === map (H.hash a) pieces
        , map (`digestHash` whole) found === [oneShot]
        , map (`digestHashLazy` lazily) found === [oneShot]
        , conjoin
            [ conjoin
                [ f 1000 whole === BL.toStrict (BL.take 1000 (g lazily))
                , B.take (H.outputLen a) (f 1000 whole) === oneShot
                , f (-1) whole === ""
                ]
            | Digest { digestXof = Just (f, g) } <- found
            ]
        , map (isJust . digestXof) found === [H.kind a == H.Xof]
        ]

-- | A message in pieces, some of them long, so that both safe and unsafe calls are used.
newtype Pieces = Pieces [ByteString]

instance Show Pieces where
  show (Pieces ps) = show (map B.length ps)

instance Arbitrary Pieces where
  arbitrary = do
    n <- choose (0, 12)
    Pieces <$> forM [1 .. n :: Int] (const piece)
    where
      piece = do
        len <- frequency [(20, choose (0, 300)), (4, choose (300, 5000)), (1, choose (65000, 66000))]
        seed <- choose (0, 255 :: Int)
        pure (fst (B.unfoldrN len (\i -> Just (fromIntegral (i * i + seed), i + 1)) (0 :: Int)))

-- | Lengths on both sides of the limit for safe calls.
longCalls :: Assertion
longCalls = forM_ [65535 - 32, 65536 - 32, 65536, 65537, 1 :: Int] $ \n -> do
  let message = B.replicate n 97
  H.hash H.sha256 message @?= runST (do
    hasher <- H.newHasher H.sha256
    mapM_ (H.update hasher) (BL.toChunks (chunks 1000 message))
    H.finalize hasher)
  let short = fmap (BL.take (fromIntegral n)) (X.output H.shake256 H.plain "x")
  direct <- X.newReader H.shake256 H.plain "x" >>= mapM (`X.readBytes` n)
  fmap BL.toStrict short @?= direct

-- | The states that all languages share, and what is refused.
savedStates :: Assertion
savedStates = do
  more <- top "rest" "state"
  saved <- cases "state"
  assertBool "no cases" (not (null saved))
  forM_ saved $ \c -> do
    let state = hex "state" c
        (begun, end) = B.splitAt (number "len" c) (mod251 (number "len" c + more))
        isPlain = not (any (`has` c) ["salt", "personal", "customization", "function_name", "domain"])
    hasher <- H.fromBytes state >>= either (assertFailure . show) pure
    H.algorithm hasher >>= (@?= H.find (text "algorithm" c)) . Just
    H.messageLen hasher >>= (@?= fromIntegral (B.length begun))
    H.toBytes hasher >>= (@?= if isPlain then Right state else Left H.Unsupported)
    H.update hasher end
    H.finalize hasher >>= (@?= hex "expected" c)
    a <- H.algorithm hasher
    when (isPlain && not (has "output_len" c)) $ do
      fresh <- H.newHasher a
      H.update fresh begun
      H.toBytes fresh >>= (@?= Right state)
  bad <- top "rejected" "state" :: IO [Case]
  assertBool "no rejected states" (not (null bad))
  forM_ bad $ \c -> do
    made <- H.fromBytes (hex "state" c)
    () <$ made @?= Left H.BadState
  keyed <- H.newHasherWith H.blake3 H.plain { H.key = Just (B.replicate 32 1) }
  either (assertFailure . show) H.toBytes keyed >>= (@?= Left H.Unsupported)
