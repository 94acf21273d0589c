{-# LANGUAGE OverloadedStrings #-}

-- |
-- Tests of HMAC, KMAC, keyed hashes, HKDF and BLAKE3's key derivation.
module KeyTests (tests) where

import Control.Concurrent (forkOn, killThread, newEmptyMVar, putMVar, takeMVar, threadDelay)
import Control.Exception (evaluate, try)
import Control.Monad (forM_, forever)
import Control.Monad.ST (runST)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import Data.Bits (xor)
import Data.IORef (modifyIORef', newIORef, readIORef)
import Data.Maybe (fromMaybe)
import Digests (Digest (..), digests)
import qualified Hashwell.DRBG as D
import qualified Hashwell.Hash as H
import qualified Hashwell.KDF as K
import qualified Hashwell.MAC as M
import qualified Hashwell.XOF as X
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck
import Vectors

tests :: TestTree
tests = testGroup "keys"
  [ testCase "HMAC's known answers" hmacAnswers
  , testCase "KMAC's known answers" kmacAnswers
  , testCase "HKDF's known answers" hkdfAnswers
  , testCase "BLAKE3's derivation" derivation
  , testCase "tags are compared whole" comparing
  , testCase "refusals" refusals
  , testCase "a long key keeps nobody waiting" letsOthersRun
  , testProperty "ways of HMAC agree" agreement
  , testProperty "ways of KMAC agree" kmacAgreement
  ]

algorithm :: Case -> H.Algorithm
algorithm c = fromMaybe (error "algorithm") (H.find (text "algorithm" c))

hmacAnswers :: Assertion
hmacAnswers = do
  cs <- cases "hmac"
  length cs @?= 90
  forM_ cs $ \c -> do
    let cut (M.MAC t) = B.take (if has "truncate" c then number "truncate" c else B.length t) t
        wanted = hex "expected" c
        (key, message) = (hex "key" c, input "input" c)
    fmap cut (M.hmac (algorithm c) key message) @?= Right wanted
    forM_ [f | Digest { digestAlgorithm = n, digestHmac = Just (f, _) } <- digests, n == show (algorithm c)] $ \f ->
      cut (M.MAC (f key message)) @?= wanted
    fmap (map cut) (M.hmacMany (algorithm c) key [message, "", message])
      @?= fmap (map cut) (sequence [M.hmac (algorithm c) key m | m <- [message, "", message]])

kmacAnswers :: Assertion
kmacAnswers = do
  cs <- cases "kmac"
  length cs @?= 42
  forM_ cs $ \c -> do
    let which = if text "algorithm" c == "kmac128" then M.Kmac128 else M.Kmac256
        len = number "output_len" c
        (key, custom, message, wanted) = (hex "key" c, hex "customization" c, input "input" c, hex "expected" c)
    if field "xof" c
      then do
        tagger <- M.newKmac which 0 key custom
        M.update tagger message
        out <- M.kmacReader tagger >>= mapM (`X.readBytes` len)
        out @?= Right wanted
      else M.kmac which len key custom message @?= M.MAC wanted

hkdfAnswers :: Assertion
hkdfAnswers = do
  cs <- cases "hkdf"
  length cs @?= 7
  forM_ cs $ \c -> do
    let (a, ikm, salt, info, len) = (algorithm c, hex "ikm" c, hex "salt" c, hex "info" c, number "length" c)
    K.hkdfExtract a ikm salt @?= Right (hex "prk" c)
    K.hkdfExpand a (hex "prk" c) info len @?= Right (hex "okm" c)
    K.hkdf a ikm salt info len @?= Right (hex "okm" c)

derivation :: Assertion
derivation = do
  cs <- filter (has "context") <$> cases "blake3"
  assertBool "cases" (length cs > 20)
  forM_ cs $ \c -> do
    let context = B.pack (map (fromIntegral . fromEnum) (text "context" c))
        skipped = if has "skip" c then number "skip" c else 0
    fmap (B.drop skipped) (K.deriveKey context (input "input" c) (number "output_len" c)) @?= Right (hex "expected" c)

comparing :: Assertion
comparing = do
  let t = either (error . show) id (M.hmac M.sha256 "key" "message")
      M.MAC raw = t
  assertBool "itself" (t == M.MAC raw)
  forM_ [B.init raw, B.tail raw, "", B.snoc raw 0, B.map (+ 1) raw, B.cons (B.head raw + 1) (B.tail raw)] $ \other -> do
    assertBool (showHex other) (t /= M.MAC other)
    verified <- verifying other
    verified @?= Right False
  verifying raw >>= (@?= Right True)
  assertBool "empty tags are never equal" (M.MAC "" /= M.MAC "")
  M.equal "" "" @?= True
  let big = B.replicate 70000 1
  (M.equal big (B.copy big), M.equal big (B.snoc (B.init big) 2)) @?= (True, False)
  where
    verifying tag = M.newHmac M.sha256 "key" >>= mapM (\g -> M.update g "message" >> M.verify g tag)

refusals :: Assertion
refusals = do
  M.hmac H.shake128 "k" "m" @?= Left M.Unsupported
  M.hmacMany H.shake128 "k" ["m"] @?= Left M.Unsupported
  M.keyed H.sha256 "k" "m" @?= Left M.Unsupported
  M.keyed H.blake3 "k" "m" @?= Left M.OutOfRange
  forM_ [-1, 255 * 32 + 1, maxBound] $ \n -> K.hkdf K.sha256 "" "" "" n @?= Left K.OutOfRange
  K.hkdf K.shake128 "" "" "" 32 @?= Left K.Unsupported
  K.hkdfExpand K.sha256 "short" "" 32 @?= Left K.OutOfRange
  K.deriveKey "context" "" (-1) @?= Left K.OutOfRange
  made <- M.newHmac M.sha256 "k"
  forM_ made $ \g -> do
    M.wipe g
    (try (M.finalize g) :: IO (Either M.Error M.MAC)) >>= (@?= Left M.Wiped)

agreement :: [Piece] -> Piece -> Property
agreement pieces (Piece key) = conjoin
  [ conjoin
      [ M.hmac a key whole === Right (M.MAC oneShot)
      , lazily key (BL.fromChunks ms) === oneShot
      , M.hmacLazy a key (BL.fromChunks ms) === Right (M.MAC oneShot)
      , M.hmacMany a key ms === mapM (M.hmac a key) ms
      , runST (M.newHmac a key >>= mapM (\g -> do
          mapM_ (M.update g) ms
          copy <- M.clone g
          M.update copy "!"
          first <- M.finalize g
          M.reset g
          M.updateLazy g (BL.fromChunks ms)
          (,,) first <$> M.finalize g <*> M.finalize copy))
          === (do
            longer <- M.hmac a key (whole <> "!")
            pure (M.MAC oneShot, M.MAC oneShot, longer))
      , hmacByHand a key whole === oneShot
      ]
  | Digest { digestAlgorithm = n, digestHmac = Just (strictly, lazily) } <- digests
  , let oneShot = strictly key whole
  , a <- [x | Just x <- [H.find n]]
  ]
  where
    ms = [m | Piece m <- pieces]
    whole = B.concat ms

-- | HMAC computed from the digest, as RFC 2104 defines it.
hmacByHand :: H.Algorithm -> ByteString -> ByteString -> ByteString
hmacByHand a key message = H.hash a (B.map (xor 0x5c) padded <> H.hash a (B.map (xor 0x36) padded <> message))
  where
    short = if B.length key > H.blockLen a then H.hash a key else key
    padded = short <> B.replicate (H.blockLen a - B.length short) 0

-- | While a key or seed of 200 MB is hashed, another thread of the same capability must continue. If it had to wait, it
-- could tick only once or twice.
letsOthersRun :: Assertion
letsOthersRun = forM_ [() <$ M.newHmac M.sha256 big, () <$ D.newUnchecked D.sha256 big "" "", lazily] $ \act -> do
  (ticks, done) <- (,) <$> newIORef (0 :: Int) <*> newEmptyMVar
  ticker <- forkOn 0 (forever (threadDelay 1000 >> modifyIORef' ticks (+ 1)))
  _ <- forkOn 0 $ do
    before <- readIORef ticks
    act
    after <- readIORef ticks
    putMVar done (after - before)
  others <- takeMVar done
  killThread ticker
  assertBool (show others) (others > 4)
  where
    big = B.replicate 200000000 1
    lazily = forM_ [f | Digest { digestAlgorithm = "sha256", digestHmac = Just (_, f) } <- digests] $ \f ->
      evaluate (f big (BL.fromChunks ["a", "b"]))

kmacAgreement :: [Piece] -> Piece -> Piece -> Property
kmacAgreement pieces (Piece key) (Piece custom) = conjoin
  [ runST (do
      g <- M.newKmac which 40 key custom
      mapM_ (M.update g) ms
      M.finalize g) === M.kmac which 40 key custom (B.concat ms)
  | which <- [minBound ..]
  ]
  where
    ms = [m | Piece m <- pieces]

-- | Up to two blocks of arbitrary bytes.
newtype Piece = Piece ByteString
  deriving (Show)

instance Arbitrary Piece where
  arbitrary = do
    n <- choose (0, 300)
    Piece . B.pack <$> vectorOf n arbitrary
