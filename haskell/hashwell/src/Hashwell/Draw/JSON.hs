{-# LANGUAGE OverloadedStrings #-}

-- | The subset of JSON in transcripts: integers only, and no repeated keys. A general JSON library would read @2.0@
-- as @2@ and accept repeated keys, which hwdraw\/1 doesn't allow.
module Hashwell.Draw.JSON
  ( Value (..)
  , parse
  , encode
  , member
  ) where

import qualified Data.ByteString as B
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import Data.Bits (shiftL, (.|.))
import Data.Char (chr, isDigit, isHexDigit, digitToInt, ord)
import Data.List (foldl', intersperse)
import qualified Data.Map.Strict as Map
import qualified Data.Text as T
import qualified Data.Text.Encoding as T

-- | A JSON value. Texts are UTF-8.
data Value
  = Object (Map.Map B.ByteString Value)
  | Array [Value]
  | Text B.ByteString
  | Number Integer
  deriving (Eq, Show)

-- | Looks up a key, if the value is an object.
member :: B.ByteString -> Value -> Maybe Value
member key (Object fields) = Map.lookup key fields
member _ _ = Nothing

-- | The canonical text: sorted keys, no spaces, and only the necessary escapes.
encode :: Value -> B.ByteString
encode = L.toStrict . Builder.toLazyByteString . value
  where
    value (Object fields) = list '{' '}' [text key <> Builder.char7 ':' <> value v | (key, v) <- Map.toAscList fields]
    value (Array inner) = list '[' ']' (map value inner)
    value (Text bytes) = text bytes
    value (Number n) = Builder.integerDec n
    list open close parts =
      Builder.char7 open <> mconcat (intersperse (Builder.char7 ',') parts) <> Builder.char7 close
    text bytes = Builder.char7 '"' <> B.foldr (\byte rest -> escape byte <> rest) mempty bytes <> Builder.char7 '"'
    escape byte = case byte of
      0x22 -> "\\\""
      0x5c -> "\\\\"
      0x08 -> "\\b"
      0x0c -> "\\f"
      0x0a -> "\\n"
      0x0d -> "\\r"
      0x09 -> "\\t"
      _ | byte < 0x20 -> "\\u00" <> Builder.word8HexFixed byte
        | otherwise -> Builder.word8 byte

type Parser a = B.ByteString -> Either String (a, B.ByteString)

-- | Parses a text. Apart from invalid JSON, it rejects text that is not UTF-8, numbers that are negative, have a
-- point or an exponent or more than 40 digits, @null@, booleans, repeated keys, and more than 8 levels of nesting.
parse :: B.ByteString -> Either String Value
parse input = do
  _ <- either (const (Left "this is not UTF-8")) Right (T.decodeUtf8' input)
  (result, rest) <- valueAt 8 (blanks input)
  if B.null (blanks rest) then Right result else Left "unexpected text after the JSON"

blanks :: B.ByteString -> B.ByteString
blanks = C.dropWhile (`elem` (" \t\r\n" :: String))

valueAt :: Int -> Parser Value
valueAt depth input = case C.uncons input of
  Nothing -> Left "the JSON ends too early"
  Just (c, rest)
    | depth == 0 -> Left "the JSON has more than 8 levels"
    | c == '{' -> do
        (fields, after) <- items '}' (field (depth - 1)) (blanks rest)
        let object = Map.fromList fields
        if Map.size object == length fields then Right (Object object, after) else Left "a key occurs twice"
    | c == '[' -> do
        (values, after) <- items ']' (valueAt (depth - 1)) (blanks rest)
        Right (Array values, after)
    | c == '"' -> do
        (text, after) <- string rest
        Right (Text text, after)
    | isDigit c -> number input
    | otherwise -> Left "expected an object, a list, a string or an integer"

field :: Int -> Parser (B.ByteString, Value)
field depth input = do
  rest <- expect '"' input
  (key, after) <- string rest
  inner <- expect ':' (blanks after)
  (value, end) <- valueAt depth (blanks inner)
  Right ((key, value), end)

expect :: Char -> B.ByteString -> Either String B.ByteString
expect c input = case C.uncons input of
  Just (d, rest) | c == d -> Right rest
  _ -> Left ("expected a " ++ [c])

items :: Char -> Parser a -> Parser [a]
items close item input
  | Just (c, rest) <- C.uncons input, c == close = Right ([], rest)
  | otherwise = go [] input
  where
    go before here = do
      (one, after) <- item here
      case C.uncons (blanks after) of
        Just (',', rest) -> go (one : before) (blanks rest)
        Just (c, rest) | c == close -> Right (reverse (one : before), rest)
        _ -> Left ("expected a comma or a " ++ [close])

number :: Parser Value
number input
  | B.length digits > 40 = Left "a number must have 1 to 40 digits"
  | C.head digits == '0' && B.length digits > 1 = Left "a number must not begin with 0"
  | Just (c, _) <- C.uncons rest, c `elem` (".eE" :: String) = Left "a number is not an integer"
  | otherwise = Right (Number size, rest)
  where
    (digits, rest) = C.span isDigit input
    size = foldl' (\n c -> 10 * n + toInteger (digitToInt c)) 0 (C.unpack digits)

-- | Parses the rest of a string after its opening quote.
string :: Parser B.ByteString
string = go []
  where
    go parts input = do
      let (plain, rest) = C.span (\c -> c /= '"' && c /= '\\' && c >= ' ') input
      case C.uncons rest of
        Just ('"', after) -> Right (B.concat (reverse (plain : parts)), after)
        Just ('\\', after) -> do
          (char, end) <- escaped after
          go (char : plain : parts) end
        Just _ -> Left "a string contains a control character"
        Nothing -> Left "a string is not terminated"

escaped :: Parser B.ByteString
escaped input = case C.uncons input of
  Just ('u', rest) -> do
    (high, after) <- unitOf rest
    if high < 0xd800 || high > 0xdfff
      then Right (utf8 high, after)
      else do
        (low, end) <- expect '\\' after >>= expect 'u' >>= unitOf
        if high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
          then Right (utf8 (0x10000 + ((high - 0xd800) `shiftL` 10 .|. (low - 0xdc00))), end)
          else Left "an unpaired surrogate"
  Just (c, rest) | Just char <- lookup c simple -> Right (B.singleton (fromIntegral (ord char)), rest)
  _ -> Left "an invalid escape sequence"
  where
    simple = zip "\"\\/bfnrt" "\"\\/\b\f\n\r\t"
    utf8 = T.encodeUtf8 . T.singleton . chr

unitOf :: Parser Int
unitOf input
  | B.length digits == 4 && C.all isHexDigit digits = Right (C.foldl' (\n c -> 16 * n + digitToInt c) 0 digits, rest)
  | otherwise = Left "an invalid escape sequence"
  where
    (digits, rest) = B.splitAt 4 input
