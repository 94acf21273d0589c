{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE PackageImports #-}

-- |
-- The cost of one call of the pure packages, compared with cryptohash-sha256, which is C, and with SHA, which is
-- Haskell. The answers are compared first.
module Main (main) where

import Control.Monad (replicateM, unless)
import Criterion.Main
import qualified Crypto.DRBG.HMAC as DRBG
import qualified "cryptohash-sha256" Crypto.Hash.SHA256 as Cryptohash
import qualified "hashwell-sha256" Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA512 as SHA512
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import qualified Data.Digest.Pure.SHA as SHA
import Hashwell.Process (bernoulli, geometric, replicates, seeded)

main :: IO ()
main = do
  same [SHA256.hash short, Cryptohash.hash short, sha SHA.sha256 short]
  same [SHA256.hash long, Cryptohash.hash long]
  same [SHA256.hmac key short, Cryptohash.hmac key short, shaHmac key short]
  same [SHA512.hash short, sha SHA.sha512 short]
  ours <- DRBG.new SHA256.hmac key "nonce" "personal"
  theirs <- DRBG.new Cryptohash.hmac key "nonce" "personal"
  (\a b -> same [a, b]) <$> DRBG.gen "" 100 ours <*> DRBG.gen "" 100 theirs >>= id
  defaultMain
    [ bgroup "SHA-256, 32 B"
        [ bench "hashwell-sha256" (whnf SHA256.hash short)
        , bench "cryptohash-sha256" (whnf Cryptohash.hash short)
        , bench "SHA" (whnf (sha SHA.sha256) short)
        ]
    , bgroup "HMAC-SHA256, 32 B"
        [ bench "hashwell-sha256" (whnf (`SHA256.hmac` short) key)
        , bench "hashwell-sha256, prepared key" (whnf (SHA256.tag (SHA256.prepare key)) short)
        , bench "cryptohash-sha256" (whnf (`Cryptohash.hmac` short) key)
        , bench "SHA" (whnf (`shaHmac` short) key)
        ]
    , bgroup "SHA-256, 1 MiB"
        [ bench "hashwell-sha256" (whnf SHA256.hash long)
        , bench "hashwell-sha256, chunks of 32 KiB" (whnf SHA256.hash_lazy (chunks long))
        , bench "cryptohash-sha256" (whnf Cryptohash.hash long)
        , bench "SHA" (whnf (sha SHA.sha256) long)
        ]
    , bgroup "SHA-512, 32 B"
        [ bench "hashwell-sha512" (whnf SHA512.hash short)
        , bench "SHA" (whnf (sha SHA.sha512) short)
        ]
    , bgroup "HMAC-SHA512, 32 B" [bench "hashwell-sha512" (whnf (`SHA512.hmac` short) key)]
    , bgroup "HMAC-DRBG, 32 B"
        [ bench "hashwell-sha256" (whnfIO (DRBG.gen "" 32 ours))
        , bench "cryptohash-sha256" (whnfIO (DRBG.gen "" 32 theirs))
        ]
    , bgroup "geometric, a replicate of a seed"
        [bench "hashwell-process" (whnf (\seed -> head (replicates seed (geometric 0.1))) "seed")]
    , bgroup "replicateM of bernoulli"
        [ bench (show n ++ " terms") (whnf (\seed -> length (filter id (seeded seed (replicateM n (bernoulli 0.5))))) "seed")
        | n <- [1000, 10000, 100000]
        ]
    , bgroup "SHA-512, 1 MiB" [bench "hashwell-sha512" (whnf SHA512.hash long)]
    ]
  where
    short = B.replicate 32 97
    long = B.replicate 1048576 97
    key = "strict secret" :: ByteString
    sha f = BL.toStrict . SHA.bytestringDigest . f . BL.fromStrict
    shaHmac k m = BL.toStrict (SHA.bytestringDigest (SHA.hmacSha256 (BL.fromStrict k) (BL.fromStrict m)))
    chunks b = BL.fromChunks [B.take 32768 (B.drop i b) | i <- [0, 32768 .. B.length b - 1]]

-- | Stops if answers differ.
same :: [ByteString] -> IO ()
same answers = unless (all (== head answers) answers) (fail "answers differ")
