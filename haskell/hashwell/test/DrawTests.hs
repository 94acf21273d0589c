{-# LANGUAGE OverloadedStrings #-}

-- | hwdraw\/1: the vectors, the worked example, draws that agree with themselves and with nothing else, and lies.
module DrawTests (tests) where

import Control.Monad (forM_, unless)
import Data.Aeson (Value, encode)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import Data.Either (isLeft)
import Data.Maybe (isJust)
import qualified Data.Text as T
import qualified Data.Text.Encoding as T
import Data.Word (Word64)
import Hashwell.Draw hiding (Value)
import Numeric (readHex)
import Test.Tasty (TestTree, localOption, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding (again, label)
import Vectors

tests :: TestTree
tests = testGroup "hwdraw/1" [vectors, agreement, lies, frames, limits]

vectors :: TestTree
vectors = testCase "every vector" $ do
  seen <- cases "draw" >>= mapM oneCase
  -- A file that was cut short, or of another shape, must not pass.
  map (\kind -> length (filter (== kind) seen)) ["transcript", "refused", "below", "words"] @?= [44, 2, 7, 5]

oneCase :: Case -> IO String
oneCase given
  | has "transcript" given = "transcript" <$ transcripts name (field "transcript" given) rows
  | has "refused" given = do
      assertBool name (isLeft (fromRows List plain (maybe [] (map (rowOf plain)) rows)))
      pure "refused"
  | has "below" given = do
      -- The word behind the tape is not eaten.
      let tape = map hexWord (field "tape" given) ++ [42]
          drawn = run ((,) <$> below (read (text "below" given)) <*> word) tape
      assertEqual name (read (text "expected" given), 42) drawn
      pure "below"
  | otherwise = do
      let expected = map hexWord (field "expected" given)
      ws <- either assertFailure pure (stream (C.pack (text "words" given)) (Key (hex "key" given)))
      assertEqual name expected (take (length expected) ws)
      pure "words"
  where
    name = text "name" given
    rows = if has "rows" given then Just (field "rows" given) else Nothing

plain :: Columns
plain = Columns False False

hexWord :: String -> Word64
hexWord = fst . head . readHex

rowOf :: Columns -> [T.Text] -> Row
rowOf columns cells = case (map T.encodeUtf8 cells, columns) of
  ([i], _) -> Row i Nothing Nothing
  ([i, s], Columns True _) -> Row i (Just s) Nothing
  ([i, w], _) -> Row i Nothing (Just w)
  ([i, s, w], _) -> Row i (Just s) (Just w)
  _ -> error "a row of the vectors has other columns"

-- | With the list and without, with the commitment and with another; and the draw again, to the byte.
transcripts :: String -> Value -> Maybe [[T.Text]] -> IO ()
transcripts name value rows = do
  let published = L.toStrict (encode value)
  known@(Transcript plan seed _) <- either (assertFailure . ((name ++ ": ") ++)) pure (readTranscript published)
  let note = planFrame plan
      beacon = [Signature | isBeaconSeed seed]
      list = either error id . fromRows (noteKind note) (noteColumns note) . map (rowOf (noteColumns note)) <$> rows
      frame = maybe (fromNumbers (fromInteger (planRows plan))) id list
  assertEqual name (Right beacon) (verify (Just (commitment plan)) list published)
  assertEqual name (Right ([Publication] ++ [TheList | isJust list] ++ beacon)) (verify Nothing Nothing published)
  assertBool name (isLeft (verify (Just (B.replicate 32 0)) list published))
  repeated <- either assertFailure pure (draw plan seed frame)
  assertEqual name known repeated
  assertEqual name (Right known) (readTranscript (transcriptText repeated))
  assertEqual name (Right plan) (planFor (designOf plan) frame)
  where
    isBeaconSeed (SeedBeacon _ _) = True
    isBeaconSeed _ = False

designOf :: Plan -> Design
designOf plan =
  (design (planMethod plan) (planPicks plan))
    { designContext = planContext plan
    , designSeedSource = planSeedSource plan
    , designAllocation = fst <$> planStrata plan
    , designWords = planWords plan
    }

-- | A draw of any method, from rows with odd ids.
data Drawing = Drawing Design Seed Frame
  deriving (Show)

instance Arbitrary Drawing where
  arbitrary = do
    ids <- sublistOf names `suchThat` ((>= 3) . length) >>= shuffle
    method <-
      elements
        [Index, Ticket, WeightedTicket 2, PpsSystematic 3, Gap, Replace, Bernoulli (either error id (chance "0.5"))]
    stratified <- arbitrary
    let weighted = method `elem` [WeightedTicket 2, PpsSystematic 3]
        columns = Columns stratified weighted
    rows <- mapM (row columns) ids
    kind <- elements [List, List, Open]
    k <- case method of
      Bernoulli _ -> pure 0
      PpsSystematic _ -> pure 1
      _ | stratified -> pure 1
      _ -> toInteger <$> choose (1, length ids)
    allocation <- elements [Each, Proportional]
    context <- elements ["", "round \233\n2"]
    source <- elements ["counter", "counter", "shake256", "blake3", "hmac-drbg-sha512"]
    seed <- elements [Dice "0877", SeedText " 0877", SeedHex "\0\255"]
    let wanted = (design method k) {designContext = T.encodeUtf8 context, designWords = source}
    pure $
      Drawing
        wanted {designAllocation = if stratified then Just allocation else Nothing}
        seed
        (either error id (fromRows kind columns rows))
    where
      names = [T.encodeUtf8 (T.pack [a, b]) | a <- "ab\233\20013\128512 \\", b <- "\"/\1\r\127."]
      row columns name = do
        stratum <- elements ["north", "s\195\188d", ""]
        weight <- elements ["1", "1.5", "2.25", "0.75"]
        let given wanted value = if wanted columns then Just value else Nothing
        pure (Row name (given hasStratum stratum) (given hasWeight weight))

agreement :: TestTree
agreement = localOption (QuickCheckTests 150) $ testProperty "draws agree with themselves and with nothing else" $
  \(Drawing wanted seed frame) -> either (`counterexample` False) id $ do
    plan <- planFor wanted frame
    known@(Transcript _ _ picks) <- draw plan seed frame
    let published = transcriptText known
        refuses why = counterexample why . isLeft
        elsewhere = fromRows (frameKind frame) (frameColumns frame) others
        swapped = case picks of
          a : b : rest | a /= b -> [known {transcriptPicks = b : a : rest}]
          _ -> []
        others = (head (frameRows frame)) {rowId = "another"} : frameRows frame
        reseeded = transcriptPicks <$> draw plan (Dice "1") frame
    pure $
      conjoin
        [ verify (Just (commitment plan)) (Just frame) published === Right []
        , verify Nothing Nothing published === Right [Publication, TheList]
        , refuses "another list" (elsewhere >>= \list -> verify Nothing (Just list) published)
        , conjoin [refuses "places changed" (verify Nothing (Just frame) (transcriptText t)) | t <- swapped]
        , counterexample "another seed" (length picks < 5 || planMethod plan /= Replace || reseeded /= Right picks)
        ]

lies :: TestTree
lies = testCase "lies are refused" $ do
  let rows = [Row name Nothing Nothing | name <- ["a", "b", "c", "d", "e", "f"]]
      list = either error id (fromRows List plain rows)
      plan = either error id (planFor (design Index 2) list)
      honest = either error id (draw plan (Dice "0877") list)
      published = transcriptText honest
      change from to =
        let (before, rest) = B.breakSubstring from published in B.concat [before, to, B.drop (B.length from) rest]
      resealed changed = transcriptText honest {transcriptPlan = changed plan}
  verify Nothing Nothing published @?= Right [Publication, TheList]
  forM_
    [ change "\"k\":2" "\"k\":3"
    , change "\"k\":2" "\"k\":2.0"
    , change "\"k\":2" "\"k\":null"
    , change "\"k\":2" "\"k\":2,\"k\":2"
    , change "\"k\":2" "\"k\":2,\"extra\":1"
    , change "\"k\":2" "\"k\":02"
    , change "\"program\"" "\"Program\""
    , change "\"from\":\"dice\"" "\"from\":\"wizard\""
    , change "\"index\":" "\"index\":1"
    , change "hwdraw/1" "hwdraw/2"
    , change "counter" "counters"
    , change "counter" "blake-3"
    , resealed (\p -> p {planSeedSource = "drand 52db 123"})
    , resealed (\p -> p {planPicks = 3})
    , resealed (\p -> p {planRows = 7})
    , resealed (\p -> p {planRows = 2 ^ (64 :: Int)})
    , resealed (\p -> p {planMethod = Ticket})
    , resealed (\p -> p {planMethod = Replace, planPicks = 2 ^ (64 :: Int) - 1})
    , transcriptText honest {transcriptPicks = reverse (transcriptPicks honest)}
    , transcriptText honest {transcriptPicks = map (\p -> p {pickId = "a"}) (transcriptPicks honest)}
    , B.take (B.length published - 1) published
    , published <> "x"
    , C.replicate 100000 '['
    , "\255"
    ]
    $ \lie -> unless (isLeft (verify Nothing Nothing lie)) (assertFailure ("passed: " ++ show lie))
  -- Nothing is drawn whose transcript nobody could read.
  forM_ [Dice "x", Dice "", SeedText "\255", SeedBeacon (Nist mempty) "bytes"] $ \seed ->
    assertBool (show seed) (isLeft (draw plan seed list))
  forM_ [(design Index 2) {designContext = "\255"}, (design Index 2) {designSeedSource = "\237\160\128"}] $ \wanted ->
    assertBool (show wanted) (isLeft (planFor wanted list))
  -- Nobody's numbers are drawn before they are counted.
  let many = (design Replace (2 ^ (64 :: Int) - 1)) {designContext = ""}
      numbers = either error id (planFor many (fromNumbers 5))
      -- Nor are they held: a first pick that is wrong ends it.
      everyOne = either error id (planFor (design (Bernoulli (either error id (chance "1"))) 0) (fromNumbers 100000000))
      wrong = Transcript everyOne (Dice "1") [Pick "1" (TicketOf 0) Nothing Nothing]
  assertBool "not held" (isLeft (verify Nothing Nothing (transcriptText wrong)))
  assertBool "counted first" (isLeft (verify Nothing Nothing (transcriptText honest {transcriptPlan = numbers})))

frames :: TestTree
frames = testCase "files" $ do
  let idsOf ending columns bytes = map rowId . frameRows <$> readFrame ending Open columns bytes
  idsOf Line plain "a\r\nb\r" @?= Right ["a", "b\r"]
  idsOf Zero plain "a\n\0b\t" @?= Right ["a\n", "b\t"]
  idsOf Line (Columns True True) "a\tb\ts\t1\nc\ts\t2\n" @?= Right ["a\tb", "c"]
  fmap (map rowId . frameRows) (readFrame Line List plain "b\na\nab\n") @?= Right ["a", "ab", "b"]
  forM_ ["\239\187\191a\n", "a\na\n", "a\n\nb\n", "\255\n"] $ \bad ->
    assertBool (show bad) (isLeft (readFrame Line Open plain bad))
  assertBool "a column is missing" (isLeft (readFrame Line Open (Columns False True) "a\n"))

limits :: TestTree
limits = testCase "chances and weights" $ do
  forM_ ["0", "1", "0.5", "1.0", "00.1", B.append "0." (C.replicate 38 '1')] $ \p ->
    assertBool (show p) (not (isLeft (chance p)))
  let long' = B.append "0." (C.replicate 39 '1')
  forM_ ["2", "-1", "1/2", "5e-1", " 0.5", "0.5_0", "0.5\n", "1.1", ".5", "1.", long', ""] $ \p ->
    assertBool (show p) (isLeft (chance p))
  let rowsOf weights = [Row (C.pack (show i)) Nothing (Just w) | (i, w) <- zip [1 :: Int ..] weights]
      frame = fromRows List (Columns False True) . rowsOf
      drawn weights = do
        list <- frame weights
        plan <- planFor (design (WeightedTicket 1) 1) list
        map pickId . transcriptPicks <$> draw plan (Dice "1") list
  drawn ["0", "2.50", "0.0"] @?= Right ["2"]
  assertBool "no weight at all" (isLeft (drawn ["0", "0"]))
  forM_ ["2.25", "-1", "1e3", "1844674407370955161.6", "", "1."] $ \weight ->
    assertBool (show weight) (isLeft (drawn ["1", weight]))
