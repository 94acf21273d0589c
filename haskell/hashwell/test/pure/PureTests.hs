{-# LANGUAGE OverloadedStrings #-}

-- | The modules that replace those over the C library: known answers, agreement, and errors.
module PureTests (tests) where

import Control.Exception (displayException, try)
import Control.Monad (forM_)
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
import Hashwell.Error (Error (..), must)
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Vectors

tests :: TestTree
tests = testGroup "pure modules"
  [ testCase "digests" digests
  , testCase "HMAC" tags
  , testCase "HMAC-DRBG" drbgs
  , testCase "errors" errors
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
  displayException Wiped @?= "the state is not initialised, was wiped, or is of a different kind"
  displayException (Other 1) @?= "unknown code"
  try (must (Left Mismatch)) >>= (@?= (Left Mismatch :: Either Error ()))
  drbg <- Given.new SHA256.hmac "" "" ""
  try (Given.gen "" 65537 drbg) >>= (@?= Left OutOfRange)
