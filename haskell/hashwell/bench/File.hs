-- |
-- Computes the SHA-256 digests of files, each read lazily while it is hashed.
module Main (main) where

import qualified Crypto.Hash.SHA256 as SHA256
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as BL
import Hashwell.Draw (toHex)
import System.Environment (getArgs)

main :: IO ()
main = getArgs >>= mapM_ (\path -> BL.readFile path >>= C.putStrLn . toHex . SHA256.hash_lazy)
