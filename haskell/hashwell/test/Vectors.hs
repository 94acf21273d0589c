{-# LANGUAGE OverloadedStrings #-}

-- |
-- Reads @vectors/*.json@, which the README of that folder describes.
module Vectors
  ( Case
  , cases
  , top
  , has
  , hex
  , hexOr
  , number
  , text
  , field
  , input
  , mod251
  , long
  , showHex
  ) where

import Data.Aeson (FromJSON, Value (..), eitherDecodeFileStrict, withObject, (.:))
import Data.Aeson.Key (fromText)
import Data.Aeson.Types (Parser, parseEither, parseMaybe)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Base16 as B16
import qualified Data.ByteString.Char8 as BC
import Data.Maybe (fromMaybe, isJust)
import qualified Data.Text as T
import qualified Data.Text.Encoding as T
import System.Environment (lookupEnv)

-- | One known answer.
type Case = Value

-- | Reads a file, by its name without @.json@.
cases :: String -> IO [Case]
cases = top "cases"

-- | Reads a field of a file.
top :: FromJSON a => T.Text -> String -> IO a
top name file = do
  folder <- fromMaybe "../../vectors" <$> lookupEnv "HASHWELL_VECTORS"
  read' <- eitherDecodeFileStrict (folder ++ "/" ++ file ++ ".json")
  either fail pure (read' >>= parseEither (get name))

-- | Reads a field, which must exist.
field :: FromJSON a => T.Text -> Case -> a
field name c = either error id (parseEither (get name) c)

get :: FromJSON a => T.Text -> Value -> Parser a
get name = withObject (T.unpack name) (.: fromText name)

-- | Returns 'True' if the field exists.
has :: T.Text -> Case -> Bool
has name c = isJust (parseMaybe (get name :: Value -> Parser Value) c)

text :: T.Text -> Case -> String
text = field

number :: T.Text -> Case -> Int
number = field

-- | Bytes in hexadecimal.
hex :: T.Text -> Case -> ByteString
hex name c = unhex (field name c)

-- | Bytes in hexadecimal; empty if the field is missing.
hexOr :: T.Text -> Case -> ByteString
hexOr name c = if has name c then hex name c else B.empty

unhex :: T.Text -> ByteString
unhex = either error id . B16.decode . T.encodeUtf8

-- | The message of a case: of its field @input@, or of another.
input :: T.Text -> Case -> ByteString
input name c = bytesOf (field name c)
  where
    bytesOf (String s) = unhex s
    bytesOf v
      | has "hex" v = hex "hex" v
      | has "ascii" v = T.encodeUtf8 (field "ascii" v)
      | otherwise = pattern (text "pattern" v) (number "len" v)
    pattern "mod251" n = mod251 n
    pattern "zeros" n = B.replicate n 0
    pattern "ff" n = B.replicate n 255
    pattern p n = B.replicate n (B.head (unhex (T.pack (drop 5 p))))

-- | The pattern @mod251@ of this length.
mod251 :: Int -> ByteString
mod251 n = fst (B.unfoldrN n (\i -> Just (fromIntegral (i `mod` 251 :: Int), i + 1)) 0)

-- | Returns 'True' for a case that runs only in slow tests.
long :: Case -> Bool
long c = has "input" c && B.length (input "input" c) > 2000000

-- | The name of a case, for messages about failures.
showHex :: ByteString -> String
showHex = BC.unpack . B16.encode
