{-# LANGUAGE OverloadedStrings #-}

-- | Known answers, the agreement of IO and ST, and the limits.
module Main (main) where

import Control.Exception (try)
import Control.Monad (unless)
import Control.Monad.ST (runST)
import qualified Crypto.DRBG.HMAC as DRBG
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA512 as SHA512
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import System.Exit (exitFailure)

-- | The SHA-256 of three requests, one of them after a reseed with additional input.
session :: DRBG.HMAC -> [ByteString]
session hmac = runST $ do
  drbg <- DRBG.new hmac "very random" "very unused" "very personal"
  first <- DRBG.gen "" 32 drbg
  second <- DRBG.gen "" 16 drbg
  DRBG.reseed "more entropy" "why" drbg
  third <- DRBG.gen "additional" 1000 drbg
  pure [first, second, SHA256.hash third]

inIO :: IO [ByteString]
inIO = do
  drbg <- DRBG.new SHA256.hmac "very random" "very unused" "very personal"
  first <- DRBG.gen "" 32 drbg
  second <- DRBG.gen "" 16 drbg
  DRBG.reseed "more entropy" "why" drbg
  third <- DRBG.gen "additional" 1000 drbg
  pure [first, second, SHA256.hash third]

hex :: ByteString -> String
hex = concatMap (\byte -> [digits !! fromIntegral (byte `div` 16), digits !! fromIntegral (byte `mod` 16)]) . B.unpack
  where
    digits = "0123456789abcdef"

main :: IO ()
main = do
  -- The first two are in the README of ppad-hmac-drbg; reference/drbg.py computes the others.
  check "SHA-256" (map hex (session SHA256.hmac))
    [ "e4d17210810c4b343f6eae2c19e3d82395b555294b1b16a85f91dbea67e5f277"
    , "5d867730d99eb5335f16b1d622f03023"
    , "3974b963fbf296a47029dfa622579c9c84a0695ace3b49d508e6134ec81e1307"
    ]
  check "SHA-512" (map hex (session SHA512.hmac))
    [ "cd7dadada20f7e43cd5ff9339d7f9336f8974ab39c66150ab333f85ec0bdcf1f"
    , "dce183bbc692d11d0b1d266397c28c7b"
    , "402416d8a689d56780125c10e93429f893b7ceaeeea418fda6d4cdcc4a55d704"
    ]
  inIO >>= check "IO and ST" (session SHA256.hmac)
  drbg <- DRBG.new SHA256.hmac "" "" ""
  check "show" (show drbg) "<drbg>"
  most <- DRBG.gen "" 65536 drbg
  check "the largest request" (B.length most) 65536
  before <- try (DRBG.gen "" 65537 drbg)
  check "a larger request" before (Left DRBG.MaxBytesExceeded)
  far <- try (DRBG.gen "" maxBound drbg)
  check "the largest number" far (Left DRBG.MaxBytesExceeded)
  where
    check :: (Eq a, Show a) => String -> a -> a -> IO ()
    check name found expected = unless (found == expected) $ do
      putStrLn (name ++ ": got " ++ show found ++ ", expected " ++ show expected)
      exitFailure
