{-# LANGUAGE OverloadedStrings #-}

-- | Plans: everything about a draw except its seed.
module Hashwell.Draw.Plan
  ( Plan (..)
  , ListSummary (..)
  , Allocation (..)
  , Stratum (..)
  , Design (..)
  , design
  , planFor
  , planText
  , commitment
  , planValue
  , planReader
  , allocate
  ) where

import Control.Monad (unless, when)
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.List (mapAccumL)
import qualified Data.Map.Strict as Map
import Data.Maybe (fromMaybe, isJust)
import Hashwell.Draw.EntryList
import Hashwell.Draw.JSON (Value (..), encode, parse)
import Hashwell.Draw.Key (Key (..), openList)
import Hashwell.Draw.Method
import Hashwell.Draw.Shape
import Hashwell.Draw.Source
import Hashwell.Draw.Words (Stream, below, stream)

-- | The allocation of picks to strata.
data Allocation
  = -- | The same number for each stratum, as stated in the plan.
    Each
  | -- | In proportion to the sizes of the strata. The seed decides how shares are rounded.
    Proportional
  deriving (Eq, Show)

-- | A stratum: its label, its number of rows, and its number of picks, unless that depends on the seed.
data Stratum = Stratum {stratumLabel :: B.ByteString, stratumRows :: Integer, stratumPicks :: Maybe Integer}
  deriving (Eq, Show)

-- | The properties of the list that a plan contains.
data ListSummary = ListSummary {summaryKind :: Kind, summaryColumns :: Columns, summaryDigest :: B.ByteString}
  deriving (Eq, Show)

-- | A plan. 'planFor' creates one for a list. Texts are UTF-8.
data Plan = Plan
  { planContext :: B.ByteString
  , planList :: ListSummary
  , planMethod :: Method
  , planPicks :: Integer
  -- ^ The number of picks k; 0 for 'Bernoulli', which has none.
  , planRows :: Integer
  , planSeedSource :: SeedSource
  , planStrata :: Maybe (Allocation, [Stratum])
  , planRandomSource :: B.ByteString
  }
  deriving (Eq, Show)

-- | The options of a draw that don't depend on the list.
data Design = Design
  { designMethod :: Method
  , designPicks :: Integer
  , designContext :: B.ByteString
  , designSeedSource :: SeedSource
  , designAllocation :: Maybe Allocation
  , designRandomSource :: B.ByteString
  }
  deriving (Eq, Show)

-- | A design with this method and number of picks, without context and strata, with a seed from dice and the random
-- source @counter@.
design :: Method -> Integer -> Design
design method k = Design method k "" (SeedSource FromDice "") Nothing "counter"

-- | Creates the plan of a design for a list. Returns an error message if the specification does not allow the plan,
-- or if a string is not UTF-8.
planFor :: Design -> EntryList -> Either String Plan
planFor wanted entries = do
  let labels = Map.fromListWith (+) [(label, 1) | row <- listRows entries, Just label <- [rowStratum row]]
      picks allocation = listed allocation (designMethod wanted) (designPicks wanted)
      strata allocation = (allocation, [Stratum label n (picks allocation) | (label, n) <- Map.toAscList labels])
      plan =
        Plan
          { planContext = designContext wanted
          , planList = ListSummary (listKind entries) (listColumns entries) (listDigest entries)
          , planMethod = designMethod wanted
          , planPicks = designPicks wanted
          , planRows = listSize entries
          , planSeedSource = designSeedSource wanted
          , planStrata = strata <$> designAllocation wanted
          , planRandomSource = designRandomSource wanted
          }
  check plan
  -- Rows of strata without picks are checked too.
  sequence_ [weightUnits scale w | Just scale <- [scaleOf (designMethod wanted)], Just w <- map rowWeight (listRows entries)]
  -- Don't publish a plan that can't be read again.
  plan <$ (parse (planText plan) >>= planReader)

-- | The number of picks of each stratum. With 'Proportional' it depends on the seed. With 'Bernoulli', which has no
-- k, it is 0.
listed :: Allocation -> Method -> Integer -> Maybe Integer
listed allocation method k
  | isBernoulli method = Just 0
  | allocation == Each = Just k
  | otherwise = Nothing

-- | Divides k among strata in proportion to their sizes, in the order of their labels, by systematic rounding with a
-- random start.
allocate :: Integer -> [Integer] -> Stream [Integer]
allocate k sizes = shares <$> below n
  where
    n = sum sizes
    shares start = snd (mapAccumL share start sizes)
    -- The distance from the start of a stratum's interval to the next point.
    share ahead size
      | ahead < piece = (ahead + n - piece, whole + 1)
      | otherwise = (ahead - piece, whole)
      where
        (whole, piece) = (k * size) `divMod` n

-- | Checks the rules that every plan must satisfy.
check :: Plan -> Either String ()
check plan = do
  let ListSummary kind columns digest = planList plan
      method = planMethod plan
      n = planRows plan
      parts = maybe [(n, planPicks plan)] (map (\s -> (stratumRows s, fromMaybe 0 (stratumPicks s))) . snd) (planStrata plan)
      rule broken what = when broken (Left what)
  _ <- stream (planRandomSource plan) (Key "")
  rule (hasWeight columns /= isWeighted method) $
    "weighted methods need a column of weights, and other methods must not have one"
  rule (hasStratum columns /= isJust (planStrata plan)) $
    "an allocation requires a column of strata, and a column of strata requires an allocation"
  rule (maybe False (\scale -> scale < 0 || scale > 18) (scaleOf method)) "the scale must be 0 to 18"
  rule (kind == Numbers && (columns /= Columns False False || method == Gap)) $
    "a draw from numbers can't have strata or weights, and can't use the method gap"
  rule (kind == Open && digest /= openList) "the digest of an open list must be zeros (openList)"
  rule (kind == Numbers && digest /= numbersDigest (fromInteger n)) "the digest does not match the numbers 1 to n"
  rule (isBernoulli method && planPicks plan /= 0) "the method bernoulli must not have a k"
  rule (not (isBernoulli method) && planPicks plan < 1) "k must be at least 1"
  rule (not (isBernoulli method) && n == 0) "there are no rows"
  rule (method /= Replace && any (\(rows, picks) -> picks > rows) parts) "k must be at most the number of rows"
  rule (fmap fst (planStrata plan) == Just Proportional && planPicks plan > n) "k must be at most n"
  case planStrata plan of
    Nothing -> Right ()
    Just (allocation, strata) -> do
      let sizes = map stratumRows strata
          labels = map stratumLabel strata
          picks = listed allocation method (planPicks plan)
      rule (any (< 1) sizes) "a stratum is empty"
      rule (or (zipWith (>=) labels (drop 1 labels))) "strata must be in the order of their labels"
      rule (sum sizes /= n) "the numbers of rows of the strata don't add up to n"
      rule (any ((/= picks) . stratumPicks) strata) "the k of a stratum differs from the allocation"

-- | The canonical text of a plan, of which 'commitment' is the digest.
planText :: Plan -> B.ByteString
planText = encode . planValue

-- | The commitment to a plan: the SHA-256 digest of its text, 32 bytes.
commitment :: Plan -> B.ByteString
commitment = SHA256.hash . planText

methodNames :: [(B.ByteString, Method)]
methodNames = named methodName [Index, Ticket, bernoulli, WeightedTicket 0, PpsSystematic 0, Gap, Replace]
  where
    bernoulli = either error Bernoulli (chance "0")

named :: (a -> B.ByteString) -> [a] -> [(B.ByteString, a)]
named name = map (\one -> (name one, one))

methodName :: Method -> B.ByteString
methodName method = case method of
  Index -> "index"
  Ticket -> "ticket"
  Bernoulli _ -> "bernoulli"
  WeightedTicket _ -> "weighted-ticket"
  PpsSystematic _ -> "pps-systematic"
  Gap -> "gap"
  Replace -> "replace"

kindName :: Kind -> B.ByteString
kindName kind = case kind of
  List -> "list"
  Numbers -> "numbers"
  Open -> "open"

allocationName :: Allocation -> B.ByteString
allocationName allocation = case allocation of
  Each -> "each"
  Proportional -> "proportional"

planValue :: Plan -> Value
planValue plan =
  Object . Map.fromList $
    [ ("context", Text (planContext plan))
    , ("list", Object (Map.fromList [("columns", columns), ("digest", digest), ("kind", Text kind)]))
    , ("method", Text (methodName (planMethod plan)))
    , ("n", Number (planRows plan))
    , ("seed_source", sourceValue (planSeedSource plan))
    , ("spec", Text "hwdraw/1")
    , ("random_source", Text (planRandomSource plan))
    ]
      ++ (case planMethod plan of Bernoulli p -> [("p", Text (chanceText p))]; _ -> [("k", Number (planPicks plan))])
      ++ [("scale", Number (toInteger scale)) | Just scale <- [scaleOf (planMethod plan)]]
      ++ maybe [] stratified (planStrata plan)
  where
    columns = Array (map Text (columnNames (summaryColumns (planList plan))))
    digest = Text (toHex (summaryDigest (planList plan)))
    kind = kindName (summaryKind (planList plan))
    stratified (a, s) = [("allocation", Text (allocationName a)), ("strata", Array (map stratum s))]
    stratum (Stratum label n k) =
      Object (Map.fromList ([("k", Number picks) | Just picks <- [k]] ++ [("label", Text label), ("n", Number n)]))

-- | Reads a plan and checks it against the specification.
planReader :: Reader Plan
planReader value@(Object given) = do
  method <- get "method" (oneOf methodNames) given
  let weighted = isWeighted method
      common = ["context", "list", "method", "n", "random_source", "seed_source", "spec"]
      stratified = "allocation" `Map.member` given
  fields <-
    keys
      ( common
          ++ [if isBernoulli method then "p" else "k"]
          ++ ["scale" | weighted]
          ++ concat [["allocation", "strata"] | stratified]
      )
      value
  spec <- get "spec" text fields
  unless (spec == "hwdraw/1") (Left ("the specification must be hwdraw/1, not " ++ C.unpack spec))
  summary <- get "list" summaryReader fields
  scale <- if weighted then fromInteger <$> get "scale" (integer 0 18) fields else Right 0
  method' <- case method of
    Bernoulli _ -> Bernoulli <$> get "p" (\v -> text v >>= chance) fields
    WeightedTicket _ -> Right (WeightedTicket scale)
    PpsSystematic _ -> Right (PpsSystematic scale)
    other -> Right other
  strata <- if stratified then Just <$> strataReader method fields else Right Nothing
  plan <-
    Plan
      <$> get "context" text fields
      <*> pure summary
      <*> pure method'
      <*> (if isBernoulli method then Right 0 else get "k" (integer 1 most) fields)
      <*> get "n" (integer 0 most) fields
      <*> get "seed_source" sourceReader fields
      <*> pure strata
      <*> get "random_source" text fields
  plan <$ check plan
  where
    strataReader method fields = do
      allocation <- get "allocation" (oneOf (named allocationName [Each, Proportional])) fields
      (,) allocation <$> get "strata" (list (stratum (isJust (listed allocation method 0)))) fields
    stratum hasPicks inner = do
      fields <- keys (["k" | hasPicks] ++ ["label", "n"]) inner
      picks <- if hasPicks then Just <$> get "k" (integer 0 most) fields else Right Nothing
      Stratum <$> get "label" text fields <*> get "n" (integer 1 most) fields <*> pure picks
planReader _ = Left "the plan is not a JSON object"

-- | The largest 64-bit number.
most :: Integer
most = 2 ^ (64 :: Int) - 1

summaryReader :: Reader ListSummary
summaryReader value = do
  fields <- keys ["columns", "digest", "kind"] value
  names <- get "columns" (list text) fields
  columns <- maybe (Left (show names ++ " are not valid columns")) Right (columnsOf names)
  kind <- get "kind" (oneOf (named kindName [List, Numbers, Open])) fields
  ListSummary kind columns <$> get "digest" (hexOf 32) fields
