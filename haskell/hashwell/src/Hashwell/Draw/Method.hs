{-# LANGUAGE OverloadedStrings #-}

-- | The methods of hwdraw\/1: they compute positions and tickets from random numbers.
module Hashwell.Draw.Method
  ( Method (..)
  , Chance
  , chance
  , chanceText
  , isBernoulli
  , isWeighted
  , hasTickets
  , scaleOf
  , Cells (..)
  , Chosen (..)
  , choose
  , timeOf
  , lowTicket
  , Race (..)
  ) where

import Control.Monad (replicateM, when)
import Data.Char (isDigit)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.List (foldl')
import qualified Data.Map.Strict as Map
import qualified Data.Set as Set
import Hashwell.Draw.EntryList (weightUnits)
import Hashwell.Draw.Key (Key, Purpose (..), child, ticketOf)
import Hashwell.Draw.Words (Stream, below, exponentialTime, run, stream, word)
import Hashwell.Sampling.Gap (longestGap)

-- | A method to draw. Weighted methods have a scale: the maximum number of decimals of the weights.
data Method
  = -- | The Fisher-Yates shuffle.
    Index
  | -- | The rows with the smallest tickets.
    Ticket
  | -- | Each row independently with this probability.
    Bernoulli Chance
  | -- | Successive sampling: rows are drawn one after the other, each with probability proportional to its weight among the
    -- remaining rows.
    WeightedTicket Int
  | -- | Systematic sampling with inclusion probability proportional to weight.
    PpsSystematic Int
  | -- | A reservoir with exact skips, for streams.
    Gap
  | -- | Draws with replacement.
    Replace
  deriving (Eq, Show)

-- | A probability as text in a plan: digits, optionally followed by a point and up to 38 digits, from 0 to 1.
data Chance = Chance B.ByteString Rational

instance Eq Chance where
  Chance a _ == Chance b _ = a == b

instance Show Chance where
  showsPrec d (Chance text _) = showParen (d > 10) (showString "chance " . shows text)

-- | Parses a probability.
chance :: B.ByteString -> Either String Chance
chance text
  | B.length text <= 100 && shaped && value <= 1 = Right (Chance text value)
  | otherwise = Left (show text ++ " is not a probability from 0 to 1 with at most 38 decimals")
  where
    (whole, rest) = C.span isDigit text
    decimals = B.drop 1 rest
    shaped =
      not (B.null whole)
        && B.length (C.dropWhile (== '0') whole) <= 1
        && (B.null rest || C.head rest == '.' && C.all isDigit decimals && B.length decimals `elem` [1 .. 38])
    value = fromInteger (digits (whole <> decimals)) / 10 ^ B.length decimals
    digits = C.foldl' (\n c -> 10 * n + toInteger (fromEnum c - 48)) 0

chanceText :: Chance -> B.ByteString
chanceText (Chance text _) = text

-- | Returns 'True' if a ticket is low enough to be picked with this probability.
lowTicket :: Chance -> Integer -> Bool
lowTicket (Chance _ p) ticket = fromInteger ticket < p * 2 ^ (128 :: Int)

-- | Returns 'True' if the number of picks is random.
isBernoulli :: Method -> Bool
isBernoulli (Bernoulli _) = True
isBernoulli _ = False

isWeighted :: Method -> Bool
isWeighted = (/= Nothing) . scaleOf

scaleOf :: Method -> Maybe Int
scaleOf (WeightedTicket scale) = Just scale
scaleOf (PpsSystematic scale) = Just scale
scaleOf _ = Nothing

-- | Returns 'True' if each row is picked by its own number, independent of other rows.
hasTickets :: Method -> Bool
hasTickets Ticket = True
hasTickets (Bernoulli _) = True
hasTickets (WeightedTicket _) = True
hasTickets _ = False

-- | The rows of a list or a stratum, by position.
data Cells = Cells {cellId :: Integer -> B.ByteString, cellWeight :: Integer -> B.ByteString}

-- | A pick: the position of the row, and its ticket if the method uses tickets.
data Chosen = Chosen {chosenAt :: Integer, chosenTicket :: Maybe Integer}
  deriving (Eq, Show)

-- | A time and a weight, ordered by time \/ weight.
data Race = Race Integer Integer

instance Eq Race where
  a == b = compare a b == EQ

instance Ord Race where
  compare (Race ea wa) (Race eb wb) = compare (ea * wb) (eb * wa)

-- | The number of a row: its ticket, or its exponentially distributed time.
timeOf :: Method -> B.ByteString -> Key -> B.ByteString -> Either String Integer
timeOf (WeightedTicket _) source key name = run exponentialTime <$> stream source (child OfRow key name)
timeOf _ _ key name = Right (ticketOf key name)

-- | Picks k of n rows, in the order of the draw. The method's requirements for k are checked for @most@, the maximum
-- number of picks over all seeds.
choose :: Method -> B.ByteString -> Key -> Integer -> Integer -> Integer -> Cells -> Either String [Chosen]
choose method source key n k most cells
  | k > n, method /= Replace = Left (show k ++ " picks were requested from " ++ show n ++ " rows")
  | otherwise = do
      ws <- stream source key
      let plain draw = map (`Chosen` Nothing) (run draw ws)
      case method of
        Index -> Right (plain (shuffled n k))
        Replace -> Right (plain (replicateM (fromInteger k) (below n)))
        Gap -> Right (plain (gaps n k))
        PpsSystematic _ | most == 0 -> Right []
        PpsSystematic scale ->
          map (`Chosen` Nothing) <$> systematic scale n k most cells (\total -> run (below total) ws)
        -- Lazy, so that millions of numbers are not in memory at once.
        Bernoulli p -> Right [Chosen i (Just t) | i <- positions, let t = ticketOf key (cellId cells i), lowTicket p t]
        _ -> enough >> smallest method source key k cells positions
  where
    positions = takeWhile (< n) [0 ..]
    enough = case scaleOf method of
      Nothing -> Right ()
      Just scale -> do
        weights <- traverse (weightUnits scale . cellWeight cells) positions
        let positive = toInteger (length (filter (> 0) weights))
        when (positive < most) $
          Left (show most ++ " picks were requested from " ++ show positive ++ " rows with a positive weight")

-- | A shuffle that stores only the positions that have moved. All other positions contain their own number.
shuffled :: Integer -> Integer -> Stream [Integer]
shuffled n k = go 0 Map.empty
  where
    go i moved
      | i == k = pure []
      | otherwise = do
          j <- (i +) <$> below (n - i)
          let at place = Map.findWithDefault place place moved
          (at j :) <$> go (i + 1) (Map.insert j (at i) moved)

gaps :: Integer -> Integer -> Stream [Integer]
gaps n k = Map.elems <$> go k (Map.fromDistinctAscList [(slot, slot) | slot <- takeWhile (< k) [0 ..]])
  where
    go t slots
      | t == 0 || t >= n = pure slots
      | otherwise = do
          skipped <- longestGap k t (n - t) <$> word
          if t + skipped >= n
            then pure slots
            else do
              slot <- below k
              go (t + skipped + 1) (Map.insert slot (t + skipped) slots)

-- | Systematic sampling: rows are intervals of length k · w on a line, and points have distance T. The argument draws
-- the first point.
systematic :: Int -> Integer -> Integer -> Integer -> Cells -> (Integer -> Integer) -> Either String [Integer]
systematic scale n k most cells first = do
  weights <- traverse (weightUnits scale . cellWeight cells) (takeWhile (< n) [0 ..])
  let total = sum weights
      start = first total
      ends = scanl (\end w -> end + k * w) 0 weights
      -- The number of points before x.
      points x = (x - start + total - 1) `div` total
  if total == 0 || any ((> total) . (most *)) weights
    then Left "the inclusion probability of a row would be more than 1, or all weights are 0"
    else Right [i | (i, begin, end) <- zip3 [0 ..] ends (drop 1 ends), points end > points begin]

-- | Picks the k rows with the smallest ticket or time \/ weight. Ties are resolved by id. Rows of weight 0 are never
-- picked.
smallest :: Method -> B.ByteString -> Key -> Integer -> Cells -> [Integer] -> Either String [Chosen]
smallest method source key k cells positions
  | k == 0 = Right []
  | otherwise = do
      best <- foldl' offer (Right Set.empty) positions
      Right [Chosen i (Just time) | (Race time _, _, i) <- Set.toAscList best]
  where
    offer kept i = do
      best <- kept
      weight <- maybe (Right 1) (\scale -> weightUnits scale (cellWeight cells i)) (scaleOf method)
      if weight == 0
        then Right best
        else do
          time <- timeOf method source key (cellId cells i)
          let more = Set.insert (Race time weight, cellId cells i, i) best
          Right $! if toInteger (Set.size more) > k then Set.deleteMax more else more
