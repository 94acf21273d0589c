{-# LANGUAGE OverloadedStrings #-}

-- | Transcripts: a plan, the seed and the picks, as JSON.
module Hashwell.Draw.Transcript
  ( Transcript (..)
  , Pick (..)
  , Mark (..)
  , transcriptText
  , readTranscript
  , Stated (..)
  , readStated
  , outputDigest
  ) where

import qualified Crypto.Hash.SHA256 as SHA256
import Control.Monad (unless, when)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import qualified Data.Map.Strict as Map
import Hashwell.Draw.EntryList (hasStratum, hasWeight, weightUnits)
import Hashwell.Draw.JSON (Value (..), encode, parse)
import Hashwell.Draw.Key (field, natural, number)
import Hashwell.Draw.Method
import Hashwell.Draw.Plan
import Hashwell.Draw.Seed
import Hashwell.Draw.Shape

-- | A pick, with the fields of its row.
data Pick = Pick
  { pickId :: B.ByteString
  , pickMark :: Mark
  , pickStratum :: Maybe B.ByteString
  , pickWeight :: Maybe B.ByteString
  }
  deriving (Eq, Show)

-- | The reason why a row was picked: its position in the list or stratum, or its ticket or time.
data Mark = Position Integer | TicketOf Integer
  deriving (Eq, Show)

-- | The transcript, which is published after a draw.
data Transcript = Transcript {transcriptPlan :: Plan, transcriptSeed :: Seed, transcriptPicks :: [Pick]}
  deriving (Eq, Show)

-- | The SHA-256 digest of the ids of all picks, in order.
outputDigest :: [Pick] -> B.ByteString
outputDigest = SHA256.hash . B.concat . map (field . pickId)

-- | The transcript as JSON on one line, with sorted keys.
transcriptText :: Transcript -> B.ByteString
transcriptText (Transcript plan seed picks) =
  encode . Object . Map.fromList $
    [ ("commitment", Text (toHex (commitment plan)))
    , ("output", Text (toHex (outputDigest picks)))
    , ("picks", Array (map (pickValue (planMethod plan)) picks))
    , ("plan", planValue plan)
    , ("program", Text "hashwell for Haskell 0.1")
    , ("seed", seedValue seed)
    ]

pickValue :: Method -> Pick -> Value
pickValue method pick =
  Object . Map.fromList $
    [("id", Text (pickId pick)), mark]
      ++ [("stratum", Text label) | Just label <- [pickStratum pick]]
      ++ [("weight", Text weight) | Just weight <- [pickWeight pick]]
  where
    mark = case pickMark pick of
      Position i -> ("index", Number i)
      TicketOf ticket -> ("ticket", Text (toHex (fixed (ticketSize method) ticket)))

-- | The number of bytes of a ticket in a transcript.
ticketSize :: Method -> Int
ticketSize (WeightedTicket _) = 20
ticketSize _ = 16

-- | Encodes a number with a fixed number of bytes.
fixed :: Int -> Integer -> B.ByteString
fixed size n = B.drop (32 - size) (B.concat (map (number . fromInteger . digit) [3, 2, 1, 0]))
  where
    digit i = n `div` 2 ^ (64 * i :: Int) `mod` 2 ^ (64 :: Int)

-- | Reads a transcript. Returns an error message if it doesn't follow the specification, or if its digests are not
-- those of its plan and its picks.
readTranscript :: B.ByteString -> Either String Transcript
readTranscript text' = do
  Stated transcript committed output <- readStated text'
  let computed = toHex (commitment (transcriptPlan transcript))
  unless (committed == computed) (Left ("the commitment of the plan must be " ++ C.unpack computed))
  unless (output == toHex (outputDigest (transcriptPicks transcript))) $
    Left "the digest of the output does not match the picks"
  Right transcript

-- | A transcript with the commitment and the digest of the picks that it states, in hexadecimal. They are not yet
-- checked.
data Stated = Stated {statedTranscript :: Transcript, statedCommitment :: B.ByteString, statedOutput :: B.ByteString}

-- | Reads a transcript without checking its digests.
readStated :: B.ByteString -> Either String Stated
readStated text' = do
  value <- parse text'
  fields <- keys ["commitment", "output", "picks", "plan", "program", "seed"] value
  plan <- get "plan" planReader fields
  seed <- get "seed" seedReader fields
  picks <- get "picks" (list (pickReader plan)) fields
  _ <- get "program" text fields
  Stated (Transcript plan seed picks) <$> get "commitment" text fields <*> get "output" text fields

pickReader :: Plan -> Reader Pick
pickReader plan value = do
  let method = planMethod plan
      columns = summaryColumns (planList plan)
      marked = if hasTickets method then "ticket" else "index"
  fields <- keys (["id", marked] ++ ["stratum" | hasStratum columns] ++ ["weight" | hasWeight columns]) value
  name <- get "id" text fields
  when (B.null name) (Left "an id is empty")
  mark <-
    if hasTickets method
      then TicketOf . natural <$> get "ticket" (hexOf (ticketSize method)) fields
      else Position <$> get "index" (integer 0 (2 ^ (64 :: Int) - 1)) fields
  weight <- optional (hasWeight columns) "weight" fields
  mapM_ (\scale -> traverse (weightUnits scale) weight) (scaleOf method)
  stratum <- optional (hasStratum columns) "stratum" fields
  Right (Pick name mark stratum weight)
  where
    optional there key fields = if there then Just <$> get key text fields else Right Nothing
