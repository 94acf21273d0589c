{-# LANGUAGE OverloadedStrings #-}

-- | Verifiable random draws in the format hwdraw\/1. This is an independent implementation, written from the
-- specification (@docs\/spec\/draw.md@), which also defines what is guaranteed. Anyone who has the list, the seed and
-- a SHA-256 implementation can compute the same picks.
--
-- >>> :set -XOverloadedStrings
-- >>> let names = ["fig", "apple", "pear", "quince", "plum", "cherry"]
-- >>> let Right list = fromRows List (Columns False False) [Row name Nothing Nothing | name <- names]
-- >>> let Right plan = planFor (design Index 3) {designContext = "worked example"} list
-- >>> toHex (commitment plan)
-- "08156a181cd19bab00f8cc9be1883928f11c123cc033b7c939a7f847ec1c10aa"
-- >>> let Right transcript = draw plan (Dice "08773518267254361087") list
-- >>> map pickId (transcriptPicks transcript)
-- ["fig","pear","apple"]
-- >>> let known = noEvidence {publishedCommitment = Just (commitment plan), knownList = Just list}
-- >>> map uncheckedCode (verificationUnchecked (verify known (transcriptText transcript)))
-- ["seed-origin"]
-- >>> outcome (verify known {seedAttested = True} (transcriptText transcript))
-- Verified
module Hashwell.Draw
  ( -- * Lists
    EntryList (..)
  , Kind (..)
  , Columns (..)
  , Row (..)
  , Ending (..)
  , fromRows
  , fromNumbers
  , readEntries
    -- * Plans
  , Design (..)
  , design
  , Method (..)
  , Chance
  , chance
  , Allocation (..)
  , Plan (..)
  , ListSummary (..)
  , Stratum (..)
  , SeedSource (..)
  , Origin (..)
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
  , Evidence (..)
  , noEvidence
  , DrandChain (..)
  , readDrandChain
  , Verification (..)
  , Mismatch (..)
  , mismatchCode
  , Outcome (..)
  , outcome
  , Unchecked (..)
  , uncheckedCode
  , readTranscript
    -- * Parts
  , Value (..)
  , Key (..)
  , derive
  , openList
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
import Hashwell.Draw.EntryList
import Hashwell.Draw.JSON (Value (..), encode, parse)
import Hashwell.Draw.Key
import Hashwell.Draw.Method
import Hashwell.Draw.Plan
import Hashwell.Draw.Seed
import Hashwell.Draw.Shape (toHex)
import Hashwell.Draw.Source
import Hashwell.Draw.Transcript
import Hashwell.Draw.Words

-- | The whole list, or one of its strata: its key, label, number of rows and number of picks, and the maximum number of
-- picks over all seeds.
data Part = Part
  { partKey :: Key
  , partLabel :: Maybe B.ByteString
  , partRows :: Integer
  , partPicks :: Integer
  , partMost :: Integer
  }

partsOf :: Plan -> Seed -> Either String [Part]
partsOf plan seed = case planStrata plan of
  Nothing -> Right [Part key Nothing (planRows plan) k k]
  Just (_, strata) -> do
    random <- stream (planRandomSource plan) (child OfAllocation key "")
    let shares = run (allocate k (map stratumRows strata)) random
        roundedUp n = (k * n + planRows plan - 1) `div` planRows plan
    Right
      [ Part (child OfStratum key label) (Just label) n (fromMaybe share picks) (fromMaybe (roundedUp n) picks)
      | (Stratum label n picks, share) <- zip strata shares
      ]
  where
    k = planPicks plan
    key = derive (seedBytes seed) (planContext plan) (summaryDigest (planList plan))

-- | Makes the draw of a plan. Returns an error message if the list or the origin of the seed is not that of the plan,
-- or if the seed is invalid: dice that are not digits, text that is not UTF-8, or the output of a beacon that does
-- not match its signature.
draw :: Plan -> Seed -> EntryList -> Either String Transcript
draw plan seed entries = do
  _ <- parse (encode (seedValue seed)) >>= seedReader
  checkOrigin (planSeedSource plan) seed
  sameList plan entries
  withinLimits plan
  parts <- partsOf plan seed
  Transcript plan seed . concat <$> traverse (drawPart plan entries rows) parts
  where
    rows = Map.map (V.fromList . reverse) (Map.fromListWith (++) [(rowStratum row, [row]) | row <- listRows entries])

-- | Rejects plans that exceed the limits of this implementation.
withinLimits :: Plan -> Either String ()
withinLimits plan = when (slow && planRows plan > mostUnlisted) (Left "n must be at most 10^8")
  where
    slow = summaryKind (planList plan) == Numbers && hasTickets (planMethod plan) || planMethod plan == Gap

mostUnlisted :: Integer
mostUnlisted = 10 ^ (8 :: Int)

sameList :: Plan -> EntryList -> Either String ()
sameList plan entries = do
  planned <- planFor wanted entries
  unless (planned == plan) (Left "the list is not the one in the plan: its rows, order or columns differ")
  where
    wanted =
      (design (planMethod plan) (planPicks plan))
        { designContext = planContext plan
        , designSeedSource = planSeedSource plan
        , designAllocation = fst <$> planStrata plan
        , designRandomSource = planRandomSource plan
        }

-- The map contains the rows of each stratum, or all rows if there are no strata.
drawPart :: Plan -> EntryList -> Map.Map (Maybe B.ByteString) (V.Vector Row) -> Part -> Either String [Pick]
drawPart plan entries rows part = map pick <$> choosing plan part cells
  where
    numbers = listKind entries == Numbers
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
choosing plan part = choose (planMethod plan) (planRandomSource plan) (partKey part) (partRows part) (partPicks part) (partMost part)

-- | A check that was not made. The comments give the reasons.
data Unchecked
  = -- | You gave no commitment that was published before the seed was known.
    Commitment
  | -- | Checks that need the list: that no smaller ticket exists, and which row is at a position.
    TheList
  | -- | The origin of a seed that is not from a beacon. Only a person can attest it.
    SeedOrigin
  | -- | The signature of a beacon. This package does not verify signatures.
    BeaconSignature
  | -- | The key of a beacon that is neither published nor given.
    BeaconKey
  | -- | The positions that 'Gap' selects from more than 10^8 rows.
    Positions
  deriving (Eq, Show)

-- | The code of an unchecked item. It is the same in all implementations.
uncheckedCode :: Unchecked -> String
uncheckedCode item = case item of
  Commitment -> "commitment"
  TheList -> "list"
  SeedOrigin -> "seed-origin"
  BeaconSignature -> "beacon-signature"
  BeaconKey -> "beacon-key"
  Positions -> "positions"

-- | The evidence that you have in addition to the transcript. The more you give, the more is checked.
data Evidence = Evidence
  { publishedCommitment :: Maybe B.ByteString
  -- ^ The commitment that was published before the seed was known, 32 bytes.
  , knownList :: Maybe EntryList
  -- ^ The list that was drawn from.
  , seedAttested :: Bool
  -- ^ You witnessed that the seed came from the announced origin. It has no effect on seeds from beacons.
  , knownChain :: Maybe DrandChain
  -- ^ The drand chain, if it is not a published chain of the League of Entropy.
  , knownCertificate :: Maybe B.ByteString
  -- ^ The certificate of NIST's beacon as DER, if it is not a published one.
  }

-- | No evidence except the transcript.
noEvidence :: Evidence
noEvidence = Evidence Nothing Nothing False Nothing Nothing

-- | A part of the transcript that is wrong.
data Mismatch
  = -- | The text is not a valid transcript.
    NoTranscript
  | -- | The stated commitment is not that of the plan.
    OtherCommitment
  | -- | The published commitment is not that of the plan.
    OtherPublishedCommitment
  | -- | The stated digest of the picks is wrong.
    OtherOutput
  | -- | The origin of the seed differs from the plan.
    OtherSeedOrigin
  | -- | The round or the pulse is invalid, or gives a different seed.
    NoBeacon
  | -- | The key of the beacon differs from the one you gave.
    OtherBeaconKey
  | -- | The list is not that of the plan.
    OtherList
  | -- | The picks are not those of the plan, the seed and the list.
    OtherPicks
  deriving (Eq, Show)

-- | The code of a mismatch. It is the same in all implementations.
mismatchCode :: Mismatch -> String
mismatchCode item = case item of
  NoTranscript -> "transcript"
  OtherCommitment -> "commitment"
  OtherPublishedCommitment -> "published-commitment"
  OtherOutput -> "output"
  OtherSeedOrigin -> "seed-origin"
  NoBeacon -> "beacon"
  OtherBeaconKey -> "beacon-key"
  OtherList -> "list"
  OtherPicks -> "picks"

-- | The result of a verification.
data Verification = Verification
  { verificationMismatch :: Maybe (Mismatch, String)
  -- ^ The first mismatch, with a sentence for readers.
  , verificationUnchecked :: [Unchecked]
  -- ^ The checks that were not made; empty if there is a mismatch.
  , verificationSeed :: Maybe (SeedSource, Seed)
  -- ^ The origin that the plan announces and the actual seed. Show them to users next to each other.
  }
  deriving (Eq, Show)

-- | The outcomes of a verification.
data Outcome
  = -- | All checks were made and passed.
    Verified
  | -- | Some checks were not made; the others passed.
    Partial
  | -- | At least one check failed, or the text is not a transcript.
    Mismatch
  deriving (Eq, Show)

-- | Returns the outcome of a verification.
outcome :: Verification -> Outcome
outcome found = case found of
  Verification (Just _) _ _ -> Mismatch
  Verification Nothing [] _ -> Verified
  _ -> Partial

-- | Repeats the draw of a transcript and compares it with the transcript and the evidence.
verify :: Evidence -> B.ByteString -> Verification
verify evidence text = case readStated text of
  Left why -> Verification (Just (NoTranscript, why)) [] Nothing
  Right stated ->
    let Transcript plan seed _ = statedTranscript stated
     in either (\why -> Verification (Just why) []) (Verification Nothing) (compared evidence stated) $
          Just (planSeedSource plan, seed)

-- | Makes the checks in the order of the specification.
compared :: Evidence -> Stated -> Either (Mismatch, String) [Unchecked]
compared evidence (Stated (Transcript plan seed picks) committed output) = do
  let kind = summaryKind (planList plan)
      published = publishedCommitment evidence
      isGap part = planMethod plan == Gap && partRows part > mostUnlisted
      coded code = either (\why -> Left (code, why)) Right
      rule code right why = unless right (Left (code, why))
  rule OtherCommitment (committed == toHex (commitment plan)) "the commitment does not match the plan"
  rule OtherPublishedCommitment (maybe True (== commitment plan) published) "the commitment is not the one that was published"
  rule OtherOutput (output == toHex (outputDigest picks)) "the digest of the output does not match the picks"
  coded OtherSeedOrigin (checkOrigin (planSeedSource plan) seed)
  coded NoBeacon (checkPublishedKey seed)
  keyIsKnown <- coded OtherBeaconKey (checkBeaconKey (knownChain evidence) (knownCertificate evidence) seed)
  parts <- coded OtherPicks (partsOf plan seed)
  rule OtherPicks (isBernoulli (planMethod plan) || sum (map partPicks parts) == toInteger (length picks)) $
    "the number of picks differs from the plan"
  case (kind, knownList evidence) of
    (Numbers, Just _) -> Left (OtherList, "a list was given, but the draw is from integers")
    (Numbers, Nothing) -> coded OtherPicks (again plan seed picks (fromNumbers (fromInteger (planRows plan))))
    (_, Just list) -> do
      let strata = Map.fromListWith (+) [(label, 1) | row <- listRows list, Just label <- [rowStratum row]]
          planned = Map.fromList [(label, n) | Just (_, all') <- [planStrata plan], Stratum label n _ <- all']
          sameRows = (listDigest list, listSize list) == (summaryDigest (planList plan), planRows plan)
      rule OtherList (sameRows && strata == planned) $
        "the list is not the one in the plan: its rows, order or columns differ"
      coded OtherPicks (again plan seed picks list)
    (_, Nothing) -> coded OtherPicks (withoutList plan parts picks)
  let listless = kind /= Numbers && isNothing (knownList evidence)
  Right $
    [Commitment | isNothing published]
      ++ [SeedOrigin | not (isBeacon seed), not (seedAttested evidence)]
      ++ [BeaconKey | not keyIsKnown]
      ++ [BeaconSignature | isBeacon seed]
      ++ [TheList | listless]
      ++ [Positions | listless, any isGap parts]

again :: Plan -> Seed -> [Pick] -> EntryList -> Either String ()
again plan seed picks entries = do
  transcript <- draw plan seed entries
  unless (transcriptPicks transcript == picks) (Left "the seed gives different picks")

-- | Makes the checks that need only the picks.
withoutList :: Plan -> [Part] -> [Pick] -> Either String ()
withoutList plan parts picks = do
  unless (planMethod plan == Replace || distinct (map pickId picks)) (Left "an id occurs twice")
  let byId = Map.fromListWith Set.union [(pickId pick, Set.singleton (position pick)) | pick <- picks]
  when (any ((> 1) . Set.size) byId) (Left "an id has two positions")
  rest <- go picks parts
  unless (null rest) (Left "a pick belongs to no planned stratum, or there are too many picks")
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
  rule planned "the number of picks differs from the plan"
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
      isOpen = summaryKind (planList plan) == Open
  times <- traverse (timeOf method (planRandomSource plan) (partKey part) . pickId . snd) mine
  unless (map TicketOf times == map (pickMark . snd) mine) $
    Left "the ticket of a pick is not the one computed for its row"
  let ids = map (pickId . snd) mine
      races = zip (zipWith Race times (map fst mine)) ids
  case method of
    Bernoulli p -> do
      unless (all (lowTicket p) times) (Left "a ticket is too large for the probability")
      unless (isOpen || ids == sort ids) (Left "the picks are not in the order of the list")
    _ -> unless (races == sort races) (Left "the picks are not in the order of their tickets")

checkPositions :: Plan -> Part -> [Pick] -> Either String ()
checkPositions plan part mine = do
  let method = planMethod plan
      positions = [i | Position i <- map pickMark mine]
      byPosition = Set.fromList (zip positions (map pickId mine))
      ids = map snd (Set.toAscList byPosition)
      isOpen = summaryKind (planList plan) == Open
  case method of
    PpsSystematic _ -> do
      unless (and (zipWith (<) positions (drop 1 positions))) (Left "the picks are not in the order of the list")
      unless (all (< partRows part) positions) (Left "a position is after the end of the list")
    Gap | partRows part > mostUnlisted ->
      -- The positions are unknown, but the picks must be rows of the list.
      unless (all (< partRows part) positions) (Left "a position is after the end of the list")
    _ -> do
      chosen <- choosing plan part (Cells (const "") (const ""))
      unless (map chosenAt chosen == positions) (Left "the seed gives different positions")
  unless (Set.size byPosition == Set.size (Set.fromList positions)) (Left "two ids have the same position")
  unless (isOpen || ids == sortOn id ids) (Left "the picks are not in the order of the list")
