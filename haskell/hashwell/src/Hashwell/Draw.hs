{-# LANGUAGE OverloadedStrings #-}

-- |
-- Draws that anyone can recheck: hwdraw\/1, in Haskell and written from the specification (@docs\/spec\/draw.md@),
-- which says what is promised and what is not. Whoever has the list, the seed and a SHA-256 gets the same picks.
--
-- >>> :set -XOverloadedStrings
-- >>> let names = ["fig", "apple", "pear", "quince", "plum", "cherry"]
-- >>> let Right list = fromRows List (Columns False False) [Row name Nothing Nothing | name <- names]
-- >>> let Right plan = planFor (design Index 3) {designContext = "worked example"} list
-- >>> toHex (commitment plan)
-- "130ec82e58009e8ea1bb10cf09d6a9c4e8dcb88c9b5ea5e19ad342d36973637b"
-- >>> let Right transcript = draw plan (Dice "08773518267254361087") list
-- >>> map pickId (transcriptPicks transcript)
-- ["fig","pear","apple"]
-- >>> verify (Just (commitment plan)) (Just list) (transcriptText transcript)
-- Right []
module Hashwell.Draw
  ( -- * Frames
    Frame (..)
  , Kind (..)
  , Columns (..)
  , Row (..)
  , Ending (..)
  , fromRows
  , fromNumbers
  , readFrame
    -- * Plans
  , Design (..)
  , design
  , Method (..)
  , Chance
  , chance
  , Allocation (..)
  , Plan (..)
  , FrameNote (..)
  , Stratum (..)
  , planFor
  , planText
  , commitment
    -- * Drawing
  , Seed (..)
  , Beacon (..)
  , seedBytes
  , draw
  , Transcript (..)
  , Pick (..)
  , Mark (..)
  , transcriptText
    -- * Verifying
  , verify
  , Unchecked (..)
  , readTranscript
    -- * Parts
  , Value (..)
  , Key (..)
  , derive
  , openFrame
  , Stream
  , stream
  , run
  , word
  , below
  , toHex
  ) where

import Control.Monad (unless, when)
import qualified Data.ByteString as B
import Data.List (sort, sortOn)
import qualified Data.Map.Strict as Map
import Data.Maybe (fromMaybe, isNothing)
import qualified Data.Set as Set
import qualified Data.Vector as V
import Hashwell.Draw.Frame
import Hashwell.Draw.JSON (Value (..), encode, parse)
import Hashwell.Draw.Key
import Hashwell.Draw.Method
import Hashwell.Draw.Plan
import Hashwell.Draw.Seed
import Hashwell.Draw.Shape (toHex)
import Hashwell.Draw.Transcript
import Hashwell.Draw.Words

-- | The whole frame, or one of its strata: key, label, number of rows, number of picks.
data Part = Part {partKey :: Key, partLabel :: Maybe B.ByteString, partRows :: Integer, partPicks :: Integer}

partsOf :: Plan -> Seed -> [Part]
partsOf plan seed = case planStrata plan of
  Nothing -> [Part key Nothing (planRows plan) (planPicks plan)]
  Just (_, strata) -> [Part (child OfStratum key label) (Just label) n k | Stratum label n k <- strata]
  where
    key = derive (seedBytes seed) (planContext plan) (noteDigest (planFrame plan))

-- | The picks of a plan from its frame. Refused are a frame or a seed that is not the plan's, and a seed that is not
-- what it says: other than digits of dice, text that is no UTF-8, a beacon's output that is not its signature's.
draw :: Plan -> Seed -> Frame -> Either String Transcript
draw plan seed frame = do
  _ <- parse (encode (seedValue seed)) >>= seedReader
  checkSeed (planSeedSource plan) seed
  sameFrame plan frame
  Transcript plan seed . concat <$> traverse (drawPart plan frame rows) (partsOf plan seed)
  where
    rows = Map.map (V.fromList . reverse) (Map.fromListWith (++) [(rowStratum row, [row]) | row <- frameRows frame])

sameFrame :: Plan -> Frame -> Either String ()
sameFrame plan frame = do
  planned <- planFor wanted frame
  unless (planned == plan) (Left "the frame is not the plan's: its rows, its order or its columns differ")
  where
    wanted =
      (design (planMethod plan) (planPicks plan))
        { designContext = planContext plan
        , designSeedSource = planSeedSource plan
        , designAllocation = fst <$> planStrata plan
        , designWords = planWords plan
        }

-- Rows are those of each stratum, or all of them where there are none.
drawPart :: Plan -> Frame -> Map.Map (Maybe B.ByteString) (V.Vector Row) -> Part -> Either String [Pick]
drawPart plan frame rows part = map pick <$> choosing plan part cells
  where
    numbers = frameKind frame == Numbers
    mine = Map.findWithDefault V.empty (partLabel part) rows
    row i = mine V.! fromInteger i
    name i = if numbers then idOfNumber i else rowId (row i)
    cells = Cells name (fromMaybe "" . rowWeight . row)
    pick (Chosen i ticket) =
      Pick
        (name i)
        (maybe (Position i) TicketOf ticket)
        (partLabel part)
        (if numbers then Nothing else rowWeight (row i))

choosing :: Plan -> Part -> Cells -> Either String [Chosen]
choosing plan part = choose (planMethod plan) (planWords plan) (partKey part) (partRows part) (partPicks part)

-- | What was not checked.
data Unchecked
  = -- | Whether the commitment was published before the seed was known.
    Publication
  | -- | That there are no smaller tickets, and what stands at a position: both need the list.
    TheList
  | -- | The signature of a beacon.
    Signature
  deriving (Eq, Show)

-- | Computes a transcript's draw again: with the commitment that was published, if it is known, and the frame, if it is
-- at hand. Says what does not agree, or what could not be checked.
verify :: Maybe B.ByteString -> Maybe Frame -> B.ByteString -> Either String [Unchecked]
verify published frame text = do
  Transcript plan seed picks <- readTranscript text
  let kind = noteKind (planFrame plan)
      parts = partsOf plan seed
  checkSeed (planSeedSource plan) seed
  unless (maybe True (== commitment plan) published) (Left "the commitment is not the one that was published")
  unless (isBernoulli (planMethod plan) || sum (map partPicks parts) == toInteger (length picks)) $
    Left "there are other picks than planned"
  case (kind, frame) of
    (Numbers, Just _) -> Left "a draw from numbers has no list"
    (Numbers, Nothing) -> again plan seed picks (fromNumbers (fromInteger (planRows plan)))
    (_, Just list) -> again plan seed picks list
    (_, Nothing) -> withoutList plan parts picks
  Right $
    [Publication | isNothing published]
      ++ [TheList | kind /= Numbers, isNothing frame]
      ++ [Signature | isBeacon seed]

again :: Plan -> Seed -> [Pick] -> Frame -> Either String ()
again plan seed picks frame = do
  transcript <- draw plan seed frame
  unless (transcriptPicks transcript == picks) (Left "the picks differ")

-- | What follows from the picks alone.
withoutList :: Plan -> [Part] -> [Pick] -> Either String ()
withoutList plan parts picks = do
  unless (planMethod plan == Replace || distinct (map pickId picks)) (Left "an id is there twice")
  let byId = Map.fromListWith Set.union [(pickId pick, Set.singleton (position pick)) | pick <- picks]
  when (any ((> 1) . Set.size) byId) (Left "an id stands at two positions")
  rest <- go picks parts
  unless (null rest) (Left "a pick is of a stratum that was not planned, or there are too many")
  where
    position pick = (show (pickMark pick), pickStratum pick)
    go left [] = Right left
    go left (part : others) = do
      let (here, _) = span ((== partLabel part) . pickStratum) left
          mine = if isBernoulli (planMethod plan) then here else takeInteger (partPicks part) here
      checkPart plan part mine
      go (drop (length mine) left) others

takeInteger :: Integer -> [a] -> [a]
takeInteger k = map snd . takeWhile ((< k) . fst) . zip [0 ..]

distinct :: Ord a => [a] -> Bool
distinct items = Set.size (Set.fromList items) == length items

checkPart :: Plan -> Part -> [Pick] -> Either String ()
checkPart plan part mine = do
  let method = planMethod plan
      count = toInteger (length mine)
      rule right what = unless right (Left what)
      planned = if isBernoulli (planMethod plan) then count <= partRows part else count == partPicks part
  rule planned "there are other picks than planned"
  weights <- traverse (maybe (Right 1) weigh . pickWeight) mine
  rule (all (> 0) weights) "a row of weight 0 was picked"
  if hasTickets method
    then checkTickets plan part (zip weights mine)
    else checkPositions plan part mine
  where
    weigh = weightUnits (fromMaybe 0 (scaleOf (planMethod plan)))

checkTickets :: Plan -> Part -> [(Integer, Pick)] -> Either String ()
checkTickets plan part mine = do
  let method = planMethod plan
      isOpen = noteKind (planFrame plan) == Open
  times <- traverse (timeOf method (planWords plan) (partKey part) . pickId . snd) mine
  unless (map TicketOf times == map (pickMark . snd) mine) (Left "a ticket is not its row's")
  let ids = map (pickId . snd) mine
      races = zip (zipWith Race times (map fst mine)) ids
  case method of
    Bernoulli p -> do
      unless (all (lowTicket p) times) (Left "a ticket is not low enough")
      unless (isOpen || ids == sort ids) (Left "the picks are not in the frame's order")
    _ -> unless (races == sort races) (Left "the picks are not in the order of their tickets")

checkPositions :: Plan -> Part -> [Pick] -> Either String ()
checkPositions plan part mine = do
  let method = planMethod plan
      positions = [i | Position i <- map pickMark mine]
      byPosition = Set.fromList (zip positions (map pickId mine))
      ids = map snd (Set.toAscList byPosition)
      isOpen = noteKind (planFrame plan) == Open
  case method of
    PpsSystematic _ -> do
      unless (and (zipWith (<) positions (drop 1 positions))) (Left "the picks are not in the frame's order")
      unless (all (< partRows part) positions) (Left "a position is beyond the frame")
    _ -> do
      chosen <- choosing plan part (Cells (const "") (const ""))
      unless (map chosenAt chosen == positions) (Left "the positions differ")
  unless (Set.size byPosition == Set.size (Set.fromList positions)) (Left "two ids stand at one position")
  unless (isOpen || ids == sortOn id ids) (Left "ids are not in the order of the list")
