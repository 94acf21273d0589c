{-# LANGUAGE OverloadedStrings #-}

-- | The lists that are drawn from.
module Hashwell.Draw.EntryList
  ( Kind (..)
  , Columns (..)
  , Row (..)
  , EntryList (..)
  , Ending (..)
  , fromRows
  , fromNumbers
  , readEntries
  , columnsOf
  , columnNames
  , numbersDigest
  , idOfNumber
  , weightUnits
  ) where

import qualified Crypto.Hash.SHA256 as SHA256
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.Char (isDigit)
import Data.List (find, sortOn)
import Data.Maybe (isJust, mapMaybe, maybeToList)
import qualified Data.Set as Set
import qualified Data.Text.Encoding as T
import Data.Word (Word64)
import Hashwell.Draw.Key (field, number, openList)

-- | The kind of a list, which determines the order of its rows.
data Kind
  = -- | A list that is fixed before the seed is known. Rows are sorted by the bytes of their ids.
    List
  | -- | The list of the numbers 1 to n.
    Numbers
  | -- | A stream, in the order of its rows. Its digest does not depend on the rows.
    Open
  deriving (Eq, Show)

-- | The columns of a list: whether rows have strata and weights.
data Columns = Columns {hasStratum :: Bool, hasWeight :: Bool}
  deriving (Eq, Show)

-- | A row: its id, the label of its stratum, and its weight as text. All fields are UTF-8.
data Row = Row {rowId :: B.ByteString, rowStratum :: Maybe B.ByteString, rowWeight :: Maybe B.ByteString}
  deriving (Eq, Show)

-- | A list. A list of the numbers 1 to n stores no rows.
data EntryList = EntryList
  { listKind :: Kind
  , listColumns :: Columns
  , listSize :: Integer
  , listDigest :: B.ByteString
  , listRows :: [Row]
  }
  deriving (Eq, Show)

-- | The end of a row in a file: a line ending (LF or CRLF), or a NUL byte.
data Ending = Line | Zero
  deriving (Eq, Show)

columnNames :: Columns -> [B.ByteString]
columnNames (Columns stratum weight) = ["id"] ++ ["stratum" | stratum] ++ ["weight" | weight]

-- | Parses the names of columns, which must be in the right order.
columnsOf :: [B.ByteString] -> Maybe Columns
columnsOf names = lookup names [(columnNames c, c) | c <- Columns <$> [False, True] <*> [False, True]]

-- | Creates a list from rows. Returns an error message if an id is empty or repeated, if the fields of a row don't
-- match the columns, or if a string is not UTF-8.
fromRows :: Kind -> Columns -> [Row] -> Either String EntryList
fromRows kind columns rows
  | kind == Numbers = Left "a list of numbers has no rows"
  | any (B.null . rowId) rows = Left "a row has an empty id"
  | not (all fits rows) = Left "the columns of a row differ from those of the list"
  | any (any (either (const True) (const False) . T.decodeUtf8') . cells) rows = Left "a row is not UTF-8"
  | Just weight <- find (not . isDecimal) (mapMaybe rowWeight rows) = Left (noWeight weight)
  | Just twice <- repeated = Left ("two rows have the id " ++ show twice)
  | otherwise = Right (EntryList kind columns (toInteger (length ordered)) digest ordered)
  where
    fits row = isJust (rowStratum row) == hasStratum columns && isJust (rowWeight row) == hasWeight columns
    ordered = if kind == List then sortOn rowId rows else rows
    repeated = firstRepeated Set.empty (map rowId rows)
    digest
      | kind == Open = openList
      | otherwise = SHA256.hash (B.concat (mark columns : concatMap (map field . cells) ordered))

firstRepeated :: Ord a => Set.Set a -> [a] -> Maybe a
firstRepeated _ [] = Nothing
firstRepeated seen (x : xs)
  | x `Set.member` seen = Just x
  | otherwise = firstRepeated (Set.insert x seen) xs

cells :: Row -> [B.ByteString]
cells (Row name stratum weight) = name : maybeToList stratum ++ maybeToList weight

-- | The prefix of the digest: a length that no id can have.
mark :: Columns -> B.ByteString
mark (Columns stratum weight) = case (stratum, weight) of
  (False, False) -> ""
  (False, True) -> number (maxBound - 1)
  (True, False) -> number (maxBound - 2)
  (True, True) -> number (maxBound - 3)

-- | Creates the list of the numbers 1 to n.
fromNumbers :: Word64 -> EntryList
fromNumbers n = EntryList Numbers (Columns False False) (toInteger n) (numbersDigest n) []

numbersDigest :: Word64 -> B.ByteString
numbersDigest n = SHA256.hash (number maxBound <> number n)

-- | The id of the number at a position, counted from 0.
idOfNumber :: Integer -> B.ByteString
idOfNumber position = C.pack (show (position + 1))

-- | Reads a list from the content of a file. Columns other than the id are at the end of each row, separated by TABs.
readEntries :: Ending -> Kind -> Columns -> B.ByteString -> Either String EntryList
readEntries ending kind columns bytes
  | any (`B.isPrefixOf` bytes) ["\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"] =
      Left "the file must not begin with a byte order mark"
  | ending == Line && any (B.any (`elem` [0, 13])) (rowsOf ending bytes) =
      Left "a line contains a NUL, or a CR without LF"
  | otherwise = traverse row (rowsOf ending bytes) >>= fromRows kind columns
  where
    row line = case splitLast (length (columnNames columns) - 1) line of
      Just (name, rest) -> Right (Row name (takeIf hasStratum rest) (takeIf hasWeight (reverse rest)))
      Nothing -> Left "a row has too few columns"
    takeIf has fields = if has columns then Just (head' fields) else Nothing
    head' = foldr const ""

-- | Splits fields from the end of a row, each preceded by a TAB.
splitLast :: Int -> B.ByteString -> Maybe (B.ByteString, [B.ByteString])
splitLast = go []
  where
    go fields 0 line = Just (line, fields)
    go fields count line = case C.elemIndexEnd '\t' line of
      Just at -> go (B.drop (at + 1) line : fields) (count - 1) (B.take at line)
      Nothing -> Nothing

rowsOf :: Ending -> B.ByteString -> [B.ByteString]
rowsOf ending = go
  where
    end = if ending == Line then 10 else 0
    go bytes
      | B.null bytes = []
      | otherwise = case B.elemIndex end bytes of
          Nothing -> [bytes]
          Just at -> strip (B.take at bytes) : go (B.drop (at + 1) bytes)
    strip line
      | ending == Line, Just (rest, 13) <- B.unsnoc line = rest
      | otherwise = line

-- | Parses a weight in units of 10^-scale: digits, optionally followed by a point and at most @scale@ digits. The
-- result must be below 2^64.
weightUnits :: Int -> B.ByteString -> Either String Integer
weightUnits scale text
  | not (isDecimal text) = Left (noWeight text)
  | C.any (/= '0') beyond = Left ("the weight " ++ show text ++ " has more than " ++ show scale ++ " decimals")
  | units >= 2 ^ (64 :: Int) = Left ("the weight " ++ show text ++ " is not less than 2^64 / 10^" ++ show scale)
  | otherwise = Right units
  where
    (whole, rest) = C.span isDigit text
    decimals = B.drop 1 rest
    (kept, beyond) = B.splitAt scale decimals
    units = digits (C.dropWhile (== '0') (B.concat [whole, kept, C.replicate (scale - B.length kept) '0']))
    -- Texts with more digits than 2^64 are rejected without conversion.
    digits text' = if B.length text' > 20 then 2 ^ (64 :: Int) else maybe 0 fst (C.readInteger text')

-- | Splits a decimal number: digits, optionally followed by a point and digits; at most 100 characters.
isDecimal :: B.ByteString -> Bool
isDecimal text = B.length text <= 100 && not (B.null whole) && (B.null rest || pointed)
  where
    (whole, rest) = C.span isDigit text
    decimals = B.drop 1 rest
    pointed = C.isPrefixOf (C.pack ".") rest && not (B.null decimals) && C.all isDigit decimals

noWeight :: B.ByteString -> String
noWeight text =
  show (B.take 70 text) ++ " is not a weight: expected digits, optionally with a decimal point between digits"
