{-# LANGUAGE OverloadedStrings #-}

-- | HMAC-DRBG: NIST's vectors with the native generator and with the one over any HMAC. Both must give the same
-- output, in IO and in ST.
module DrbgTests (tests) where

import Control.Concurrent (forkIO, killThread, newEmptyMVar, putMVar, takeMVar, threadDelay)
import Control.Exception (AsyncException (..), catch, mask, try)
import Control.Monad (forM_, forever, when)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Control.Monad.ST (runST)
import qualified Crypto.DRBG.HMAC as Given
import qualified Crypto.DRBG.HMAC.SHA512 as Sha512
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA512 as SHA512
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.IORef (modifyIORef', newIORef, readIORef)
import Data.Maybe (fromMaybe)
import Digests (Digest (..), digests)
import qualified Hashwell.DRBG as D
import Test.Tasty (TestTree, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck
import Vectors

tests :: TestTree
tests = testGroup "HMAC-DRBG"
  [ testCase "known answers" answers
  , testCase "limits" limits
  , testCase "the operating system's bytes differ" $ do
      a <- D.osBytes 32
      b <- D.osBytes 32
      (B.length a, B.length b, a == b) @?= (32, 32, False)
  , testProperty "native is given, IO is ST" same
  , testCase "SHA-512 by its module" sha512
  , testCase "an exception comes before a request or after it" interrupted
  ]

-- | The steps of a case, through a generator's operations.
steps ::
  Monad m =>
  (ByteString -> ByteString -> m ()) -> (ByteString -> Int -> m ByteString) -> Case -> m [(ByteString, ByteString)]
steps reseed gen c = concat <$> mapM step (field "steps" c :: [Case])
  where
    step s
      | has "reseed" s = [] <$ reseed (hex "reseed" s) additional
      | otherwise = do
          -- Prediction resistance is a reseed with the additional input, and a request without it.
          when (has "entropy" s) (reseed (hex "entropy" s) additional)
          out <- gen (if has "entropy" s then "" else additional) (number "generate" s)
          pure [(out, hex "expected" s) | has "expected" s]
      where
        additional = hexOr "additional" s

answers :: Assertion
answers = do
  cs <- cases "hmac-drbg"
  length cs @?= 82
  forM_ cs $ \c -> do
    let a = fromMaybe (error "algorithm") (D.find (text "algorithm" c))
        (entropy, nonce, personal) = (hex "entropy" c, hex "nonce" c, hexOr "personalization" c)
    native <- right =<< D.newUnchecked a entropy nonce personal
    agree =<< steps (\e x -> D.reseed native e x >>= right) (\x n -> D.gen native x (fromIntegral n) >>= right) c
    forM_ [f | Digest { digestAlgorithm = n, digestHmac = Just (f, _) } <- digests, n == show a] $ \hmac -> do
      given <- Given.new hmac entropy nonce personal
      agree =<< steps (\e x -> Given.reseed e x given) (\x n -> Given.gen x (fromIntegral n) given) c
  where
    agree pairs = do
      assertBool "outputs" (not (null pairs))
      forM_ pairs $ \(out, wanted) -> showHex out @?= showHex wanted

right :: Either D.Error a -> IO a
right = either (fail . show) pure

limits :: Assertion
limits = do
  D.new D.sha256 (B.replicate 31 0) (B.replicate 16 0) "" >>= refused
  D.new D.sha256 (B.replicate 32 0) (B.replicate 15 0) "" >>= refused
  D.new D.shake128 "" "" "" >>= either (@?= D.Unsupported) (const (assertFailure "made"))
  drbg <- D.new D.sha256 (B.replicate 32 0) (B.replicate 16 0) "" >>= right
  D.reseed drbg (B.replicate 31 0) "" >>= (@?= Left D.OutOfRange)
  fmap (fmap B.length) (D.gen drbg "" 65536) >>= (@?= Right 65536)
  D.gen drbg "" 65537 >>= (@?= Left D.OutOfRange)
  D.gen drbg "" maxBound >>= (@?= Left D.OutOfRange)
  given <- Given.new SHA256.hmac "" "" ""
  (try (Given.gen "" 65537 given) :: IO (Either D.Error ByteString)) >>= (@?= Left D.OutOfRange)
  D.wipe drbg
  D.gen drbg "" 1 >>= (@?= Left D.Wiped)
  show given @?= "<drbg>"
  where
    refused = either (@?= D.OutOfRange) (const (assertFailure "made"))

-- | An operation on a generator.
data Request = Bytes ByteString Int | Reseed ByteString ByteString
  deriving (Show)

instance Arbitrary Request where
  arbitrary = oneof
    [ Bytes <$> some <*> frequency [(5, choose (0, 100)), (1, choose (5000, 20000))]
    , Reseed <$> some <*> some
    ]
    where
      some = B.pack <$> (choose (0, 80) >>= vector)

natively, asGiven ::
  PrimMonad m => (ByteString, ByteString, ByteString) -> [Request] -> m [ByteString]
natively (e, n, p) requests = D.newUnchecked D.sha256 e n p >>= either (error . show) (\g -> mapM (ask g) requests)
  where
    ask :: PrimMonad m => D.DRBG (PrimState m) -> Request -> m ByteString
    ask g (Bytes x len) = either (error . show) id <$> D.gen g x (fromIntegral len)
    ask g (Reseed entropy x) = either (error . show) (const "") <$> D.reseed g entropy x
asGiven (e, n, p) requests = Given.new SHA256.hmac e n p >>= \g -> mapM (ask g) requests
  where
    ask :: PrimMonad m => Given.DRBG (PrimState m) -> Request -> m ByteString
    ask g (Bytes x len) = Given.gen x (fromIntegral len) g
    ask g (Reseed entropy x) = "" <$ Given.reseed entropy x g

same :: [Request] -> Property
same requests = ioProperty $ do
  inIO <- natively seed requests
  givenInIO <- asGiven seed requests
  pure $ conjoin
    [ inIO === givenInIO
    , inIO === runST (natively seed requests)
    , inIO === runST (asGiven seed requests)
    ]
  where
    seed = ("entropy", "nonce", "personal")

sha512 :: Assertion
sha512 = do
  native <- Sha512.new "very random" "very unused" "very personal"
  given <- Given.new SHA512.hmac "very random" "very unused" "very personal"
  forM_ [32, 16, 0, 1000] $ \n -> do
    a <- Sha512.gen native "more" n
    b <- Given.gen "more" n given
    a @?= Right b
  Sha512.reseed native "e" "a"
  Given.reseed "e" "a" given
  a <- Sha512.gen native "" 40
  b <- Given.gen "" 40 given
  a @?= Right b
  Sha512.wipe native
  Sha512.gen native "" 1 >>= (@?= Left Sha512.Wiped)
  try (Sha512.reseed native "e" "") >>= (@?= Left Sha512.Wiped)

-- | Kills a thread that generates in a loop at a random moment. The next output must be a complete request of the
-- undisturbed sequence.
interrupted :: Assertion
interrupted = forM_ [1 .. 40] $ \i -> do
  drbg <- fresh
  done <- disturbed i (D.gen drbg "" 64)
  D.gen drbg "" 64 >>= right >>= follows done
  given <- Given.new SHA256.hmac "e" "n" ""
  doneGiven <- disturbed i (Given.gen "" 64 given)
  Given.gen "" 64 given >>= follows doneGiven
  where
    fresh = D.newUnchecked D.sha256 "e" "n" "" >>= right
    -- The number of started requests. On a busy machine, the thread may run for a long time before it is killed.
    disturbed :: Int -> IO a -> IO Int
    disturbed i act = do
      begun <- newIORef 0
      done <- newEmptyMVar
      let requests = forever (modifyIORef' begun (+ 1) >> act)
      thread <- mask $ \restore -> forkIO (restore requests `catch` (putMVar done :: AsyncException -> IO ()))
      threadDelay (50 * i)
      killThread thread
      takeMVar done >>= (@?= ThreadKilled)
      readIORef begun
    follows begun next = do
      undisturbed <- fresh
      let search :: Int -> Assertion
          search 0 = assertFailure "no request of the undisturbed sequence"
          search n = do
            b <- D.gen undisturbed "" 64 >>= right
            when (b /= next) (search (n - 1))
      search (begun + 1)
