{-# LANGUAGE OverloadedStrings #-}

-- | The modules that replace those over the C library: known answers, agreement, and errors.
module PureTests (tests) where

import Control.Exception (displayException, try)
import Control.Monad (forM, forM_, when)
import Control.Monad.ST (runST)
import qualified Crypto.DRBG.HMAC as Given
import qualified Crypto.DRBG.HMAC.SHA256 as Sha256
import qualified Crypto.DRBG.HMAC.SHA512 as Sha512
import qualified Crypto.Hash.SHA224 as SHA224
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA384 as SHA384
import qualified Crypto.Hash.SHA512 as SHA512
import qualified Crypto.Hash.SHA512_224 as SHA512_224
import qualified Crypto.Hash.SHA512_256 as SHA512_256
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import Data.Word (Word8)
import qualified Hashwell.DRBG as D
import Hashwell.Error (Error (..), must)
import qualified Hashwell.Hash as H
import qualified Hashwell.KDF as K
import qualified Hashwell.MAC as M
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck
import Vectors

tests :: TestTree
tests = testGroup "pure modules"
  [ testCase "digests" digests
  , testCase "HMAC" tags
  , testCase "HMAC-DRBG" drbgs
  , testCase "errors" errors
  , testCase "algorithms by name" names
  , testCase "a message in pieces" hasher
  , testProperty "ways of HMAC agree" taggers
  , testCase "whole tags" comparing
  , testCase "HKDF" hkdf
  , testCase "HMAC-DRBG with an algorithm" generators
  ]

type Functions = (ByteString -> ByteString, BL.ByteString -> ByteString, ByteString -> ByteString -> ByteString, ByteString -> BL.ByteString -> ByteString)

functions :: [(String, Functions)]
functions =
  [ ("sha224", (SHA224.hash, SHA224.hash_lazy, SHA224.hmac, SHA224.hmac_lazy))
  , ("sha256", (SHA256.hash, SHA256.hash_lazy, SHA256.hmac, SHA256.hmac_lazy))
  , ("sha384", (SHA384.hash, SHA384.hash_lazy, SHA384.hmac, SHA384.hmac_lazy))
  , ("sha512", (SHA512.hash, SHA512.hash_lazy, SHA512.hmac, SHA512.hmac_lazy))
  , ("sha512-224", (SHA512_224.hash, SHA512_224.hash_lazy, SHA512_224.hmac, SHA512_224.hmac_lazy))
  , ("sha512-256", (SHA512_256.hash, SHA512_256.hash_lazy, SHA512_256.hmac, SHA512_256.hmac_lazy))
  ]

pieces :: ByteString -> BL.ByteString
pieces m = BL.fromChunks [B.take 50 m, B.drop 50 m]

digests :: Assertion
digests = forM_ functions $ \(name, (hash, hashLazy, _, _)) -> do
  given <- filter (\c -> has "input" c && B.length (input "input" c) < 100000) <$> cases name
  assertBool name (length given >= 5)
  forM_ given $ \c -> do
    showHex (hash (input "input" c)) @?= showHex (hex "expected" c)
    showHex (hashLazy (pieces (input "input" c))) @?= showHex (hex "expected" c)

tags :: Assertion
tags = forM_ functions $ \(name, (_, _, hmac, hmacLazy)) -> do
  given <- filter (\c -> text "algorithm" c == name) <$> cases "hmac"
  assertBool name (not (null given))
  forM_ given $ \c -> do
    let expected = hex "expected" c
    B.take (B.length expected) (hmac (hex "key" c) (input "input" c)) @?= expected
    B.take (B.length expected) (hmacLazy (hex "key" c) (pieces (input "input" c))) @?= expected

drbgs :: Assertion
drbgs = do
  a <- Sha256.new "e" "n" "p"
  b <- Given.new SHA256.hmac "e" "n" "p"
  forM_ [32, 0, 1000, 65536] $ \n -> do
    found <- Sha256.gen a "more" n
    expected <- Given.gen "more" n b
    found @?= Right expected
  Sha256.reseed a "again" "x"
  Given.reseed "again" "x" b
  found <- Sha256.gen a "" 64
  expected <- Given.gen "" 64 b
  found @?= Right expected
  let inST = runST (Sha512.new "very random" "very unused" "very personal" >>= \g -> Sha512.gen g "" 32)
  fmap showHex inST @?= Right "cd7dadada20f7e43cd5ff9339d7f9336f8974ab39c66150ab333f85ec0bdcf1f"
  Sha256.gen a "" 65537 >>= (@?= Left OutOfRange)
  Sha256.wipe a
  Sha256.gen a "" 1 >>= (@?= Left Wiped)
  try (Sha256.reseed a "e" "") >>= (@?= Left Wiped)
  show a @?= "<drbg>"

errors :: Assertion
errors = do
  displayException Wiped @?= "the state is not initialized, was wiped, or is of a different kind"
  displayException (Other 1) @?= "unknown code"
  try (must (Left Mismatch)) >>= (@?= (Left Mismatch :: Either Error ()))
  drbg <- Given.new SHA256.hmac "" "" ""
  try (Given.gen "" 65537 drbg) >>= (@?= Left OutOfRange)

names :: Assertion
names = do
  map show H.algorithms @?= map fst functions
  forM_ ["SHA-512/256", "sha2_512_256", "sha512-256", "Sha512/256"] $ \given -> H.find given @?= Just H.sha512_256
  forM_ ["blake3", "", "sha-3"] $ \given -> H.find given @?= Nothing
  (H.title H.sha224, H.blockLen H.sha224, H.outputLen H.sha224, H.kind H.sha224, H.status H.sha224, H.hasHmac H.sha224)
    @?= ("SHA-224", 64, 28, H.Fixed, H.Sound, True)
  forM_ (zip H.algorithms functions) $ \(a, (_, (hash, hashLazy, hmac, hmacLazy))) -> do
    H.hash a "message" @?= hash "message"
    H.hashLazy a (pieces "message") @?= hashLazy "message"
    B.length (H.hash a "") @?= H.outputLen a
    M.hmac a "key" "message" @?= Right (M.MAC (hmac "key" "message"))
    M.hmacLazy a "key" "message" @?= Right (M.MAC (hmacLazy "key" "message"))
    M.hmacMany a "key" ["a", "", "b"] @?= mapM (M.hmac a "key") ["a", "", "b"]
    H.hashMany a ["a", "", "b"] @?= map hash ["a", "", "b"]
    H.hashWith a H.plain "a" @?= Right (hash "a")
    H.hashLazyWith a H.plain "a" @?= Right (hash "a")
    H.hashManyWith a H.plain ["a"] @?= Right [hash "a"]
    H.hashWith a H.plain {H.key = Just "k"} "a" @?= Left Unsupported
    H.hashManyWith a H.plain {H.context = Just ""} [] @?= Left Unsupported

hasher :: Assertion
hasher = forM_ H.algorithms $ \a -> do
  so <- H.newHasher a
  H.update so (B.replicate 100 1)
  other <- H.clone so
  H.updateLazy so (pieces (B.replicate 200 2))
  H.finalize so >>= (@?= H.hash a (B.replicate 100 1 <> B.replicate 200 2))
  H.finalize other >>= (@?= H.hash a (B.replicate 100 1))
  (,) <$> H.algorithm so <*> H.messageLen so >>= (@?= (a, 300))
  H.wipe so
  try (H.finalize so) >>= (@?= Left Wiped)
  try (H.update so "more") >>= (@?= Left Wiped)
  refused <- H.newHasherWith a H.plain {H.salt = Just "s"}
  either (@?= Unsupported) (const (assertFailure "made")) refused

taggers :: [[Word8]] -> [Word8] -> Property
taggers given key' = conjoin [once' a === (M.hmac a key whole, M.hmac a key whole, M.hmac a key (whole <> "!")) | a <- H.algorithms]
  where
    -- Some keys are longer than a block.
    (messages, key) = (map B.pack given, B.concat (replicate 9 (B.pack key')))
    whole = B.concat messages
    once' a = runST $ M.newHmac a key >>= either (error . show) (\tagger -> do
      mapM_ (M.update tagger) messages
      copy <- M.clone tagger
      M.update copy "!"
      first <- M.finalize tagger
      M.reset tagger
      M.updateLazy tagger (BL.fromChunks messages)
      second <- M.finalize tagger
      longer <- M.finalize copy
      pure (Right first, Right second, Right longer))

comparing :: Assertion
comparing = do
  M.MAC raw <- either (fail . show) pure (M.hmac M.sha256 "key" "message")
  tagger <- M.newHmac M.sha256 "key" >>= either (fail . show) pure
  M.update tagger "message"
  forM_ [B.init raw, B.tail raw, "", B.snoc raw 0, B.map (+ 1) raw] $ \other -> do
    assertBool (showHex other) (M.MAC raw /= M.MAC other)
    M.verify tagger other >>= (@?= False)
  M.verify tagger raw >>= (@?= True)
  assertBool "empty tags are never equal" (M.MAC "" /= M.MAC "")
  M.wipe tagger
  try (M.finalize tagger) >>= (@?= Left Wiped)

hkdf :: Assertion
hkdf = do
  given <- filter (\c -> text "algorithm" c `elem` map fst functions) <$> cases "hkdf"
  assertBool "cases" (length given >= 3)
  forM_ given $ \c -> do
    let (ikm, salt, info, len) = (hex "ikm" c, hex "salt" c, hex "info" c, number "length" c)
    forM_ (K.find (text "algorithm" c)) $ \a -> do
      K.hkdfExtract a ikm salt @?= Right (hex "prk" c)
      K.hkdfExpand a (hex "prk" c) info len @?= Right (hex "okm" c)
      K.hkdf a ikm salt info len @?= Right (hex "okm" c)
  fmap B.length (K.hkdf K.sha256 "" "" "" (255 * 32)) @?= Right (255 * 32)
  K.hkdf K.sha256 "" "" "" 0 @?= Right ""
  forM_ [-1, 255 * 32 + 1, maxBound] $ \n -> K.hkdf K.sha256 "" "" "" n @?= Left OutOfRange
  K.hkdfExpand K.sha256 "short" "" 32 @?= Left OutOfRange

generators :: Assertion
generators = do
  given <- filter (\c -> text "algorithm" c `elem` map fst functions) <$> cases "hmac-drbg"
  assertBool "cases" (length given >= 30)
  forM_ given $ \c -> forM_ (D.find (text "algorithm" c)) $ \a -> do
    drbg <- D.newUnchecked a (hex "entropy" c) (hex "nonce" c) (hexOr "personalization" c) >>= either (fail . show) pure
    pairs <- forM (field "steps" c :: [Case]) $ \s ->
      if has "reseed" s
        then [] <$ (D.reseed drbg (hex "reseed" s) (hexOr "additional" s) >>= (@?= Right ()))
        else do
          when (has "entropy" s) (D.reseed drbg (hex "entropy" s) (hexOr "additional" s) >>= (@?= Right ()))
          out <- D.gen drbg (if has "entropy" s then "" else hexOr "additional" s) (fromIntegral (number "generate" s))
          pure [(out, Right (hex "expected" s)) | has "expected" s]
    assertBool "outputs" (not (null (concat pairs)))
    forM_ (concat pairs) (uncurry (@?=))
  D.new D.sha256 (B.replicate 31 0) (B.replicate 16 0) "" >>= refused
  D.new D.sha256 (B.replicate 32 0) (B.replicate 15 0) "" >>= refused
  D.new D.sha224 (B.replicate 23 0) (B.replicate 12 0) "" >>= refused
  drbg <- D.new D.sha256 (B.replicate 32 0) (B.replicate 16 0) "" >>= either (fail . show) pure
  D.reseed drbg (B.replicate 31 0) "" >>= (@?= Left OutOfRange)
  D.gen drbg "" 65537 >>= (@?= Left OutOfRange)
  fmap (fmap B.length) (D.gen drbg "" 65536) >>= (@?= Right 65536)
  D.requestsLeft drbg >>= (@?= 2 ^ (48 :: Int) - 1)
  D.reseed drbg (B.replicate 32 0) "" >>= (@?= Right ())
  D.requestsLeft drbg >>= (@?= 2 ^ (48 :: Int))
  D.wipe drbg
  D.gen drbg "" 1 >>= (@?= Left Wiped)
  D.reseed drbg (B.replicate 32 0) "" >>= (@?= Left Wiped)
  D.requestsLeft drbg >>= (@?= 0)
  where
    refused = either (@?= OutOfRange) (const (assertFailure "made"))
