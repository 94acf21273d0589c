{-# LANGUAGE OverloadedStrings #-}

-- | Transcripts: a plan, the seed and the picks, as JSON.
module Hashwell.Draw.Transcript
  ( Transcript (..)
  , Pick (..)
  , Mark (..)
  , transcriptText
  , readTranscript
  , outputDigest
  ) where

import qualified Crypto.Hash.SHA256 as SHA256
import Control.Monad (unless, when)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import qualified Data.Map.Strict as Map
import Hashwell.Draw.Frame (hasStratum, hasWeight, weightUnits)
import Hashwell.Draw.JSON (Value (..), encode, parse)
import Hashwell.Draw.Key (field, natural, number)
import Hashwell.Draw.Method
import Hashwell.Draw.Plan
import Hashwell.Draw.Seed
import Hashwell.Draw.Shape

-- | A pick, with the fields that its row has.
data Pick = Pick
  { pickId :: B.ByteString
  , pickMark :: Mark
  , pickStratum :: Maybe B.ByteString
  , pickWeight :: Maybe B.ByteString
  }
  deriving (Eq, Show)

-- | What picked a row: its position in the frame or stratum, or its ticket or time.
data Mark = Position Integer | TicketOf Integer
  deriving (Eq, Show)

-- | What is published after a draw.
data Transcript = Transcript {transcriptPlan :: Plan, transcriptSeed :: Seed, transcriptPicks :: [Pick]}
  deriving (Eq, Show)

-- | SHA-256 of all picks' ids, in their order.
outputDigest :: [Pick] -> B.ByteString
outputDigest = SHA256.hash . B.concat . map (field . pickId)

-- | The transcript as JSON in one line, its keys sorted.
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

-- | The bytes that a ticket is written as.
ticketSize :: Method -> Int
ticketSize (WeightedTicket _) = 20
ticketSize _ = 16

-- | A number in so many bytes.
fixed :: Int -> Integer -> B.ByteString
fixed size n = B.drop (32 - size) (B.concat (map (number . fromInteger . digit) [3, 2, 1, 0]))
  where
    digit i = n `div` 2 ^ (64 * i :: Int) `mod` 2 ^ (64 :: Int)

-- | A transcript whose plan and seed keep to the specification, and whose digests are those of what it says.
readTranscript :: B.ByteString -> Either String Transcript
readTranscript text' = do
  value <- parse text'
  fields <- keys ["commitment", "output", "picks", "plan", "program", "seed"] value
  plan <- get "plan" planReader fields
  seed <- get "seed" seedReader fields
  picks <- get "picks" (list (pickReader plan)) fields
  _ <- get "program" text fields
  committed <- get "commitment" (hexOf 32) fields
  output <- get "output" (hexOf 32) fields
  unless (committed == commitment plan) (Left ("the commitment is " ++ C.unpack (toHex (commitment plan))))
  unless (output == outputDigest picks) (Left "the output's digest is not that of the picks")
  Right (Transcript plan seed picks)

pickReader :: Plan -> Reader Pick
pickReader plan value = do
  let method = planMethod plan
      columns = noteColumns (planFrame plan)
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
