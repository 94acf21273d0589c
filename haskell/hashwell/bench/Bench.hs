{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE PackageImports #-}

-- | The cost of one call, compared with the C functions, which write to existing memory, and with other Debian
-- packages. The results are compared first. Compare only times of the same run on the same machine.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (unless)
import qualified Control.Foldl as L
import Criterion.Main
import qualified Crypto.DRBG.HMAC as Given
import qualified "hashwell" Crypto.Hash.SHA256 as SHA256
import qualified "cryptohash-sha256" Crypto.Hash.SHA256 as Cryptohash
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import qualified Data.ByteString.Unsafe as BU
import qualified Data.Digest.Pure.SHA as SHA
import Data.Word (Word32, Word8)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.ForeignPtr (mallocForeignPtrBytes, withForeignPtr)
import Foreign.Ptr (Ptr, castPtr)
import qualified Hashwell.DRBG as D
import qualified Hashwell.Hash as H
import Hashwell.Random
import qualified Hashwell.Sampling as S
import Reservoir (algo_r, algo_r_optim)
import qualified System.Random.MWC as MWC

foreign import ccall unsafe "hw_hash" c_hash :: Word32 -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> IO CInt
foreign import ccall unsafe "hw_hmac" c_hmac
  :: Word32 -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> Ptr Word8 -> CSize -> IO CInt

main :: IO ()
main = do
  let message = B.replicate 32 97
      mebibyte = B.replicate 1048576 97
      key = "strict secret" :: ByteString
      lazily = BL.fromStrict
      sha f = BL.toStrict . SHA.bytestringDigest . f
      shaHash = sha SHA.sha256 . lazily
      shaHmac m = sha (SHA.hmacSha256 (lazily key)) (lazily m)
  same "hash" [f m | m <- [message, mebibyte], f <- [SHA256.hash, Cryptohash.hash, shaHash]] 3
  same "hmac" [f message | f <- [SHA256.hmac key, Cryptohash.hmac key, shaHmac]] 3
  out <- mallocForeignPtrBytes 32
  let into act = withForeignPtr out (\to -> act to 32 >>= \code -> unless (code == 0) (fail "the C function"))
      inC m = into (\to n -> addressed m (\p len -> c_hash 3 p len to n))
      hmacInC m = into (\to n -> addressed key (\k kn -> addressed m (\p len -> c_hmac 3 k kn p len to n)))
      written act = act >> evaluate (B.copy (BI.fromForeignPtr out 0 32))
  byC <- mapM written [inC message, inC mebibyte, hmacInC message]
  let byUs = [SHA256.hash message, SHA256.hash mebibyte, SHA256.hmac key message]
  same "in C" (concat (zipWith (\a b -> [a, b]) byC byUs)) 2
  native <- D.newUnchecked D.sha256 "very random" "very unused" "" >>= either (fail . show) pure
  given <- Given.new SHA256.hmac "very random" "very unused" ""
  peer <- Given.new Cryptohash.hmac "very random" "very unused" ""
  blake <- newGen (Output blake3) "bench"
  mwc <- MWC.create
  defaultMain
    [ bgroup "hash 32 B"
        [ bench "hashwell" (whnf SHA256.hash message)
        , bench "in C" (whnfIO (inC message))
        , bench "hashwell, by name" (whnf (H.hash H.sha256) message)
        , bench "hashwell, lazy" (whnf SHA256.hash_lazy (lazily message))
        , bench "cryptohash-sha256" (whnf Cryptohash.hash message)
        , bench "SHA" (whnf shaHash message)
        ]
    , bgroup "hmac 32 B"
        [ bench "hashwell" (whnf (SHA256.hmac key) message)
        , bench "in C" (whnfIO (hmacInC message))
        , bench "cryptohash-sha256" (whnf (Cryptohash.hmac key) message)
        , bench "SHA" (whnf shaHmac message)
        ]
    , bgroup "hash 1 MiB"
        [ bench "hashwell" (whnf SHA256.hash mebibyte)
        , bench "in C" (whnfIO (inC mebibyte))
        , bench "hashwell, chunks of 32 KiB" (whnf SHA256.hash_lazy (BL.fromChunks (pieces 32768 mebibyte)))
        , bench "cryptohash-sha256" (whnf Cryptohash.hash mebibyte)
        , bench "SHA" (whnf shaHash mebibyte)
        , bench "hashwell, BLAKE3" (whnf (H.hash H.blake3) mebibyte)
        ]
    , bgroup "1024 messages of 32 B"
        [ bench "hashwell, hashMany" (nf (H.hashMany H.sha256) (replicate 1024 message))
        , bench "hashwell, map" (nf (map SHA256.hash) (replicate 1024 message))
        ]
    , bgroup "HMAC-DRBG, 32 B"
        [ bench "hashwell, native" (whnfIO (D.gen native "" 32))
        , bench "hashwell, over its hmac" (whnfIO (Given.gen "" 32 given))
        , bench "over cryptohash's hmac" (whnfIO (Given.gen "" 32 peer))
        ]
    , bench "word of BLAKE3" (whnfIO (word64 blake))
    , bgroup "100 of 10^7 elements"
        [ bench "the document's R, BLAKE3" (whnfIO (algo_r 100 [1 .. elements] blake))
        , bench "the document's R, MWC256" (whnfIO (algo_r 100 [1 .. elements] mwc))
        , bench "the document's skips, BLAKE3" (whnfIO (algo_r_optim 100 [1 .. elements] blake))
        , bench "the document's skips, MWC256" (whnfIO (algo_r_optim 100 [1 .. elements] mwc))
        , bench "fold R, BLAKE3" (whnfIO (L.foldM (S.algorithmR 100 blake) [1 .. elements]))
        , bench "fold L, BLAKE3" (whnfIO (L.foldM (S.algorithmL 100 blake) [1 .. elements]))
        , bench "fold gap, BLAKE3" (whnfIO (L.foldM (S.gap 100 blake) [1 .. elements]))
        ]
    ]
  where
    elements = 10000000 :: Int

same :: String -> [ByteString] -> Int -> IO ()
same what answers each = unless (all equal (groups answers)) (fail (what ++ ": answers differ"))
  where
    equal g = all (== head g) g
    groups [] = []
    groups as = case splitAt each as of (g, rest) -> g : groups rest

addressed :: ByteString -> (Ptr Word8 -> CSize -> IO a) -> IO a
addressed b act = BU.unsafeUseAsCStringLen b (\(p, n) -> act (castPtr p) (fromIntegral n))

pieces :: Int -> ByteString -> [ByteString]
pieces n b = if B.null b then [] else B.take n b : pieces n (B.drop n b)
