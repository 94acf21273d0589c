{-# LANGUAGE OverloadedStrings #-}

-- |
-- Known answers of the pure packages through every way to them: strict, lazy, in pieces, with a prepared key; and of
-- HMAC-DRBG over them. The
-- argument names the file that cases.py has written.
module Main (main) where

import Control.Monad (unless, when)
import Control.Monad.Primitive (PrimMonad, PrimState)
import Control.Monad.ST (runST)
import qualified Crypto.DRBG.HMAC as DRBG
import qualified Crypto.Hash.SHA224 as SHA224
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA384 as SHA384
import qualified Crypto.Hash.SHA512 as SHA512
import qualified Crypto.Hash.SHA512_224 as SHA512_224
import qualified Crypto.Hash.SHA512_256 as SHA512_256
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Base16 as B16
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as BL
import Data.List (foldl')
import System.Environment (getArgs)
import System.Exit (exitFailure)

-- | A hash function: its digest and tag by each way, and the check of a tag.
data Function = Function
  { digests :: ByteString -> [ByteString]
  , tags :: ByteString -> ByteString -> [ByteString]
  , verifies :: ByteString -> ByteString -> ByteString -> Bool
  }

functions :: [(ByteString, Function)]
functions =
  [ ("sha224", Function
      (\m -> SHA224.hash m : [f p | p <- pieces m, f <- [SHA224.hash_lazy, SHA224.finish . foldChunks SHA224.feed SHA224.start]])
      (\k m -> SHA224.hmac k m : [f p | p <- pieces m, f <- [SHA224.hmac_lazy k, SHA224.tag_lazy (SHA224.prepare k)]])
      (SHA224.verify . SHA224.prepare))
  , ("sha256", Function
      (\m -> SHA256.hash m : [f p | p <- pieces m, f <- [SHA256.hash_lazy, SHA256.finish . foldChunks SHA256.feed SHA256.start]])
      (\k m -> SHA256.hmac k m : [f p | p <- pieces m, f <- [SHA256.hmac_lazy k, SHA256.tag_lazy (SHA256.prepare k)]])
      (SHA256.verify . SHA256.prepare))
  , ("sha384", Function
      (\m -> SHA384.hash m : [f p | p <- pieces m, f <- [SHA384.hash_lazy, SHA384.finish . foldChunks SHA384.feed SHA384.start]])
      (\k m -> SHA384.hmac k m : [f p | p <- pieces m, f <- [SHA384.hmac_lazy k, SHA384.tag_lazy (SHA384.prepare k)]])
      (SHA384.verify . SHA384.prepare))
  , ("sha512", Function
      (\m -> SHA512.hash m : [f p | p <- pieces m, f <- [SHA512.hash_lazy, SHA512.finish . foldChunks SHA512.feed SHA512.start]])
      (\k m -> SHA512.hmac k m : [f p | p <- pieces m, f <- [SHA512.hmac_lazy k, SHA512.tag_lazy (SHA512.prepare k)]])
      (SHA512.verify . SHA512.prepare))
  , ("sha512-224", Function
      (\m -> SHA512_224.hash m : map SHA512_224.hash_lazy (pieces m))
      (\k m -> SHA512_224.hmac k m : map (SHA512_224.hmac_lazy k) (pieces m))
      (SHA512_224.verify . SHA512_224.prepare))
  , ("sha512-256", Function
      (\m -> SHA512_256.hash m : map SHA512_256.hash_lazy (pieces m))
      (\k m -> SHA512_256.hmac k m : map (SHA512_256.hmac_lazy k) (pieces m))
      (SHA512_256.verify . SHA512_256.prepare))
  ]

-- | The message in chunks of several lengths.
pieces :: ByteString -> [BL.ByteString]
pieces m = [BL.fromChunks (cut n m) | n <- [1 + B.length m `div` 40, 63, 64, 1000]]
  where
    cut n b = if B.null b then [] else B.take n b : cut n (B.drop n b)

right :: [ByteString] -> Bool
right ["hash", name, m, d]
  | Just f <- lookup name functions = all (== unhex d) (digests f (unhex m))
right ["hmac", name, k, m, t, valid]
  | Just f <- lookup name functions =
      let found = tags f (unhex k) (unhex m)
          whole = head found
          given = unhex t
          shortened = B.take (B.length given) whole
       in all (== whole) found && (shortened == given) == (valid == "true")
            && verifies f (unhex k) (unhex m) given == (whole == given)
right ("drbg" : name : entropy : nonce : personalization : steps)
  | Just f <- lookup name functions = runST $ do
      drbg <- DRBG.new (\k m -> head (tags f k m)) (unhex entropy) (unhex nonce) (unhex personalization)
      requests drbg steps
right _ = False

-- | The requests of a generator; false if an output is wrong, or if there is none that is known.
requests :: PrimMonad m => DRBG.DRBG (PrimState m) -> [ByteString] -> m Bool
requests drbg = go False
  where
    go known [] = pure known
    go known ("reseed" : entropy : additional : rest) = DRBG.reseed (unhex entropy) (unhex additional) drbg >> go known rest
    go known ("generate" : n : additional : expected : rest) = do
      found <- DRBG.gen (unhex additional) (read (C.unpack n)) drbg
      if expected == "?" then go known rest else if found == unhex expected then go True rest else pure False
    go _ _ = pure False

unhex :: ByteString -> ByteString
unhex "-" = B.empty
unhex h = either error id (B16.decode h)

main :: IO ()
main = do
  [path] <- getArgs
  cases <- C.lines <$> B.readFile path
  let wrong = filter (not . right . C.words) cases
  when (null cases) (putStrLn "no cases" >> exitFailure)
  unless (null wrong) (mapM_ (C.putStrLn . B.take 200) wrong >> exitFailure)
  putStrLn (show (length cases) ++ " known answers of the pure packages")

-- | A fold over the chunks of a lazy byte string.
foldChunks :: (a -> ByteString -> a) -> a -> BL.ByteString -> a
foldChunks f start = foldl' f start . BL.toChunks
