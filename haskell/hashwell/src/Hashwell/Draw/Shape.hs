{-# LANGUAGE OverloadedStrings #-}

-- | Readers of JSON values that return an error message for an invalid value.
module Hashwell.Draw.Shape
  ( Reader
  , keys
  , get
  , text
  , integer
  , list
  , hex
  , hexOf
  , oneOf
  , toHex
  ) where

import Control.Monad (when)
import qualified Data.ByteString as B
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import Data.Bits (shiftL, (.|.))
import qualified Data.Map.Strict as Map
import Hashwell.Draw.JSON (Value (..))

-- | A reader: returns the decoded value or an error message.
type Reader a = Value -> Either String a

-- | Reads an object with exactly these keys.
keys :: [B.ByteString] -> Reader (Map.Map B.ByteString Value)
keys names (Object fields)
  | unknown : _ <- filter (`notElem` names) (Map.keys fields) = Left ("unknown key " ++ show unknown)
  | missing : _ <- filter (`Map.notMember` fields) names = Left ("the key " ++ show missing ++ " is missing")
  | otherwise = Right fields
keys _ _ = Left "this is not a JSON object"

-- | Reads the value of a key, which 'keys' has checked to exist.
get :: B.ByteString -> Reader a -> Map.Map B.ByteString Value -> Either String a
get key reader fields = case Map.lookup key fields of
  Just value -> either (Left . ((C.unpack key ++ ": ") ++)) Right (reader value)
  Nothing -> Left ("the key " ++ show key ++ " is missing")

text :: Reader B.ByteString
text (Text bytes) = Right bytes
text _ = Left "this is not a string"

-- | Reads an integer in this range.
integer :: Integer -> Integer -> Reader Integer
integer low high (Number n)
  | n >= low && n <= high = Right n
  | otherwise = Left (show n ++ " is not between " ++ show low ++ " and " ++ show high)
integer _ _ _ = Left "this is not an integer"

list :: Reader a -> Reader [a]
list reader (Array items) = traverse reader items
list _ _ = Left "this is not a list"

-- | Reads bytes in lower-case hexadecimal.
hex :: Reader B.ByteString
hex value = do
  digits <- text value
  let nibble byte = B.elemIndex byte "0123456789abcdef"
  nibbles <- maybe (Left "this is not lower-case hexadecimal") Right (traverse nibble (B.unpack digits))
  when (odd (length nibbles)) (Left "the number of hexadecimal digits is odd")
  Right (B.pack (pairs nibbles))
  where
    pairs (a : b : rest) = fromIntegral (a `shiftL` 4 .|. b) : pairs rest
    pairs _ = []

-- | Reads a fixed number of bytes in lower-case hexadecimal.
hexOf :: Int -> Reader B.ByteString
hexOf size value = do
  bytes <- hex value
  if B.length bytes == size then Right bytes else Left ("expected " ++ show (2 * size) ++ " hexadecimal digits")

-- | Reads one of these texts.
oneOf :: [(B.ByteString, a)] -> Reader a
oneOf choices value = do
  name <- text value
  maybe (Left (show name ++ " is not one of " ++ show (map fst choices))) Right (lookup name choices)

-- | Encodes bytes as lower-case hexadecimal.
toHex :: B.ByteString -> B.ByteString
toHex = L.toStrict . Builder.toLazyByteString . Builder.byteStringHex
