{-# LANGUAGE OverloadedStrings #-}

-- | Tests of hwdraw\/1: vectors, the worked example, verification of draws, and forged transcripts.
module DrawTests (tests, testsWithout) where

import Control.Monad (forM_, unless)
import qualified Crypto.Hash.SHA256 as SHA256
import Data.Aeson (eitherDecodeStrict, encode)
import qualified Data.Aeson as Aeson
import qualified Data.ByteString as B
import qualified Data.ByteString.Base16 as B16
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import Data.Either (isLeft, isRight)
import Data.List (nub, sort)
import qualified Data.Map.Strict as Map
import Data.Maybe (isJust)
import qualified Data.Text as T
import qualified Data.Text.Encoding as T
import Data.Word (Word64)
import Hashwell.Draw
import Numeric (readHex)
import System.Environment (lookupEnv)
import Test.Tasty (TestTree, localOption, testGroup)
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck hiding (again, label)
import Vectors

tests :: TestTree
tests = testGroup "hwdraw/1" [vectors [], agreement, lies, beacons, files, limits, mutations]

-- | The tests of a build that lacks these random sources: the vectors that use them are rejected.
testsWithout :: [String] -> TestTree
testsWithout missing = testGroup "hwdraw/1" [vectors missing, agreement, lies, beacons, files, limits]

vectors :: [String] -> TestTree
vectors missing = testCase "every vector" $ do
  given <- cases "draw"
  let (rejected, read') = span' ((`elem` missing) . sourceOf) given
  sort (nub (map sourceOf rejected)) @?= sort missing
  mapM_ rejectedCase rejected
  seen <- (++) <$> mapM oneCase read' <*> pure (map kindOf rejected)
  -- A truncated file or a file with a different structure must not pass.
  map (\kind -> length (filter (== kind) seen)) ["transcript", "refused", "below", "random_source", "description", "published"] @?= [51, 2, 7, 5, 62, 4]

  where
    span' p xs = (filter p xs, filter (not . p) xs)
    kindOf c = if has "transcript" c then "transcript" else "random_source"

-- | The random source of a case; empty if it has none.
sourceOf :: Case -> String
sourceOf c
  | has "random_source" c = text "random_source" c
  | has "transcript" c, has "plan" (field "transcript" c) = text "random_source" (field "plan" (field "transcript" c))
  | otherwise = ""

-- | A case whose random source is missing has no numbers, and its transcript isn't verified.
rejectedCase :: Case -> IO ()
rejectedCase c
  | has "transcript" c =
      assertEqual (text "name" c) Mismatch
        (outcome (verify noEvidence {seedAttested = True} (L.toStrict (encode (field "transcript" c :: Aeson.Value)))))
  | otherwise = assertBool (text "name" c) (isLeft (stream (C.pack (text "random_source" c)) (Key (hex "key" c))))

oneCase :: Case -> IO String
oneCase given
  | has "transcript" given = "transcript" <$ transcripts name (field "transcript" given) rows
  | has "published" given = pure "published"
  | has "beacon" given = do
      let source = SeedSource FromText (T.encodeUtf8 (field "description" given))
          planned = planFor (design Index 1) {designSeedSource = source} (fromNumbers 2)
      assertEqual name (field "beacon" given) (isLeft planned)
      pure "description"
  | has "refused" given = do
      assertBool name (isLeft (fromRows List plain (maybe [] (map (rowOf plain)) rows)))
      pure "refused"
  | has "below" given = do
      -- The number after the tape is not consumed.
      let tape = map hexWord (field "tape" given) ++ [42]
          drawn = run ((,) <$> below (read (text "below" given)) <*> word) tape
      assertEqual name (read (text "expected" given), 42) drawn
      pure "below"
  | otherwise = do
      let expected = map hexWord (field "expected" given)
      ws <- either assertFailure pure (stream (C.pack (text "random_source" given)) (Key (hex "key" given)))
      assertEqual name expected (take (length expected) ws)
      pure "random_source"
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

-- | Verifies with and without the list, with the right and a wrong commitment, and repeats the draw byte for byte.
transcripts :: String -> Aeson.Value -> Maybe [[T.Text]] -> IO ()
transcripts name value rows = do
  let published = L.toStrict (encode value)
      check evidence text' = let found = verify evidence text' in (outcome found, verificationUnchecked found)
  known@(Transcript plan seed _) <- either (assertFailure . ((name ++ ": ") ++)) pure (readTranscript published)
  let summary = planList plan
      isBeacon = isBeaconSeed seed
      beacon = [BeaconSignature | isBeacon]
      list = either error id . fromRows (summaryKind summary) (summaryColumns summary) . map (rowOf (summaryColumns summary)) <$> rows
      entries = maybe (fromNumbers (fromInteger (planRows plan))) id list
      everything = noEvidence {publishedCommitment = Just (commitment plan), knownList = list, seedAttested = True}
  assertEqual name (if isBeacon then Partial else Verified, beacon) (check everything published)
  assertEqual name (Partial, [Commitment] ++ [SeedOrigin | not isBeacon] ++ beacon ++ [TheList | isJust list]) $
    check noEvidence published
  assertEqual name (Mismatch, []) (check everything {publishedCommitment = Just (B.replicate 32 0)} published)
  assertEqual name (Just (planSeedSource plan, seed)) (verificationSeed (verify noEvidence published))
  repeated <- either assertFailure pure (draw plan seed entries)
  assertEqual name known repeated
  assertEqual name (Right known) (readTranscript (transcriptText repeated))
  assertEqual name (Right plan) (planFor (designOf plan) entries)
  where
    isBeaconSeed (SeedBeacon _ _) = True
    isBeaconSeed _ = False

designOf :: Plan -> Design
designOf plan =
  (design (planMethod plan) (planPicks plan))
    { designContext = planContext plan
    , designSeedSource = planSeedSource plan
    , designAllocation = fst <$> planStrata plan
    , designRandomSource = planRandomSource plan
    }

-- | A draw of any method, from rows with odd ids.
data Drawing = Drawing Design Seed EntryList
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
    -- Sources that need the C library are left out of a build without it.
    let sources = ["counter", "counter", "shake256", "blake3", "hmac-drbg-sha512"]
    source <- elements [name | name <- sources, isRight (stream name (Key (B.replicate 32 0)))]
    (origin, seed) <- elements [(FromDice, Dice "0877"), (FromText, SeedText " 0877"), (FromHex, SeedHex "\0\255")]
    let announced = SeedSource origin "thrown by the minister"
        wanted = (design method k) {designContext = T.encodeUtf8 context, designRandomSource = source, designSeedSource = announced}
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
  \(Drawing wanted seed entries) -> either (`counterexample` False) id $ do
    plan <- planFor wanted entries
    known@(Transcript _ _ picks) <- draw plan seed entries
    let published = transcriptText known
        refuses why = counterexample why . isLeft
        elsewhere = fromRows (listKind entries) (listColumns entries) others
        swapped = case picks of
          a : b : rest | a /= b -> [known {transcriptPicks = b : a : rest}]
          _ -> []
        others = (head (listRows entries)) {rowId = "another"} : listRows entries
        reseeded = transcriptPicks <$> draw plan {planSeedSource = SeedSource FromDice ""} (Dice "1") entries
        known' = noEvidence {publishedCommitment = Just (commitment plan), knownList = Just entries, seedAttested = True}
        result evidence text' = let found = verify evidence text' in (outcome found, verificationUnchecked found)
        mismatch why evidence text' = counterexample why (outcome (verify evidence text') == Mismatch)
    pure $
      conjoin
        [ result known' published === (Verified, [])
        , result noEvidence published === (Partial, [Commitment, SeedOrigin, TheList])
        , conjoin [mismatch "another list" known' {knownList = Just list} published | Right list <- [elsewhere]]
        , conjoin [mismatch "places changed" known' (transcriptText t) | t <- swapped]
        , refuses "another origin" (draw plan (SeedOs "os") entries)
        , mismatch "a seed from elsewhere" known' (transcriptText known {transcriptSeed = SeedOs (seedBytes seed)})
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
      isMismatch = (== Mismatch) . outcome . verify noEvidence
      announced source = resealed (\p -> p {planSeedSource = source})
  verificationUnchecked (verify noEvidence published) @?= [Commitment, SeedOrigin, TheList]
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
    , change "\"dice\"}" "\"os\"}"
    , change "{\"description\":\"\",\"kind\":\"dice\"}" "\"dice\""
    , change "\"kind\":\"dice\"" "\"kind\":\"Dice\""
    , announced (SeedSource FromText "")
    , announced (SeedSource (FromDrand (C.replicate 64 '0') 123) "")
    , announced (SeedSource FromDice "Drand 52db 123")
    , announced (SeedSource FromDice "D.r.\208\176.n.d")
    , announced (SeedSource FromDice "a\tb")
    , announced (SeedSource FromDice (C.replicate 1001 'a'))
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
    $ \lie -> unless (isMismatch lie) (assertFailure ("passed: " ++ show lie))
  -- A draw whose transcript couldn't be read is rejected.
  forM_ [Dice "x", Dice "", SeedText "\255", SeedBeacon (Nist mempty) "bytes"] $ \seed ->
    assertBool (show seed) (isLeft (draw plan seed list))
  forM_ [(design Index 2) {designContext = "\255"}, (design Index 2) {designSeedSource = SeedSource FromText "\237\160\128"}] $ \wanted ->
    assertBool (show wanted) (isLeft (planFor wanted list))
  -- The count is checked before any number is drawn.
  let many = (design Replace (2 ^ (64 :: Int) - 1)) {designContext = ""}
      numbers = either error id (planFor many (fromNumbers 5))
      -- Picks are checked lazily: a wrong first pick ends the check.
      everyOne = either error id (planFor (design (Bernoulli (either error id (chance "1"))) 0) (fromNumbers 100000000))
      wrong = Transcript everyOne (Dice "1") [Pick "1" (TicketOf 0) Nothing Nothing]
  assertBool "not held" (isMismatch (transcriptText wrong))
  assertBool "counted first" (isMismatch (transcriptText honest {transcriptPlan = numbers}))

-- | An unpublished chain: its key is unchecked unless the verifier gives its parameters.
beacons :: TestTree
beacons = testCase "keys of beacons" $ do
  let info hash =
        B.concat
          [ "{\"public_key\":\"", C.concat (replicate 48 "aa"), "\",\"period\":30,\"genesis_time\":1595431050,\"hash\":\"", hash
          , "\",\"groupHash\":\"", C.concat (replicate 32 "bb"), "\",\"metadata\":{\"beaconID\":\"mine\"}}"
          ]
      chain = "7c3bdcc40608e1b83af32e4ded64ae2c7dadcff22b19849795c35deb421dae1d"
      scheme = "pedersen-bls-chained"
      fields key =
        Map.fromList
          [ ("chain", Text chain)
          , ("previous_signature", Text "00")
          , ("public_key", Text key)
          , ("round", Number 7)
          , ("scheme", Text scheme)
          , ("signature", Text "00")
          ]
      seed key = SeedBeacon (Drand (fields key)) (SHA256.hash "\0")
      list = fromNumbers 5
      wanted = (design Index 2) {designSeedSource = SeedSource (FromDrand chain 7) "the drand of our own"}
      drawn key = either error transcriptText (planFor wanted list >>= \plan -> draw plan (seed key) list)
      mine = C.concat (replicate 48 "aa")
      result evidence key = let found = verify evidence (drawn key) in (outcome found, map uncheckedCode (verificationUnchecked found))
  result noEvidence mine @?= (Partial, ["commitment", "beacon-key", "beacon-signature"])
  known <- either assertFailure pure (readDrandChain (info chain))
  result noEvidence {knownChain = Just known} mine @?= (Partial, ["commitment", "beacon-signature"])
  result noEvidence {knownChain = Just known} "ab" @?= (Mismatch, [])
  result noEvidence {knownCertificate = Just "der"} mine @?= (Mismatch, [])
  assertBool "another hash" (isLeft (readDrandChain (info (C.replicate 64 '0'))))

files :: TestTree
files = testCase "files" $ do
  let idsOf ending columns bytes = map rowId . listRows <$> readEntries ending Open columns bytes
  idsOf Line plain "a\r\nb" @?= Right ["a", "b"]
  idsOf Zero plain "a\n\0b\t" @?= Right ["a\n", "b\t"]
  idsOf Line (Columns True True) "a\tb\ts\t1\nc\ts\t2\n" @?= Right ["a\tb", "c"]
  fmap (map rowId . listRows) (readEntries Line List plain "b\na\nab\n") @?= Right ["a", "ab", "b"]
  forM_ ["\239\187\191a\n", "\255\254a\0", "a\0\n", "a\rb\n", "b\r", "a\na\n", "a\n\nb\n", "\255\n"] $ \bad ->
    assertBool (show bad) (isLeft (readEntries Line Open plain bad))
  assertBool "a column is missing" (isLeft (readEntries Line Open (Columns False True) "a\n"))

limits :: TestTree
limits = testCase "chances and weights" $ do
  forM_ ["0", "1", "0.5", "1.0", "00.1", B.append "0." (C.replicate 38 '1')] $ \p ->
    assertBool (show p) (not (isLeft (chance p)))
  let long' = B.append "0." (C.replicate 39 '1')
  forM_ ["2", "-1", "1/2", "5e-1", " 0.5", "0.5_0", "0.5\n", "1.1", ".5", "1.", long', ""] $ \p ->
    assertBool (show p) (isLeft (chance p))
  let rowsOf weights = [Row (C.pack (show i)) Nothing (Just w) | (i, w) <- zip [1 :: Int ..] weights]
      entries = fromRows List (Columns False True) . rowsOf
      drawn weights = do
        list <- entries weights
        plan <- planFor (design (WeightedTicket 1) 1) list
        map pickId . transcriptPicks <$> draw plan (Dice "1") list
  drawn ["0", "2.50", "0.0"] @?= Right ["2"]
  assertBool "no weight at all" (isLeft (drawn ["0", "0"]))
  forM_ ["2.25", "-1", "1e3", "1844674407370955161.6", "", "1."] $ \weight ->
    assertBool (show weight) (isLeft (drawn ["1", weight]))

-- | The outcomes and the codes of transcripts that @reference\/mutations.py@ changed, in the file that
-- @HASHWELL_MUTATIONS@ names.
mutations :: TestTree
mutations = testCase "changed transcripts have the outcome and the codes that every implementation gives" $ do
  file <- lookupEnv "HASHWELL_MUTATIONS"
  forM_ file $ \path -> do
    changed <- C.lines <$> B.readFile path
    assertBool "at least 5000" (length changed >= 5000)
    wrong <- concat <$> mapM (either fail oneMutation . eitherDecodeStrict) changed
    unless (null wrong) (assertFailure (unlines (show (length wrong) : take 20 wrong)))

-- This package checks the forms of tickets, weights and beacons while it reads a transcript; the reference checks
-- them later. So the code @transcript@ may be given in place of the code of any other mismatch.
oneMutation :: Case -> IO [String]
oneMutation given =
  pure [concat [text "name" given, ": ", show got, " in place of ", show expected] | got /= expected, not early]
  where
    bytes name
      | has name given = Just (T.encodeUtf8 (field name given))
      | has (name <> "_hex") given = Just (hex (name <> "_hex") given)
      | otherwise = Nothing
    expected = (text "unsigned" given, field "codes" given) :: (String, [String])
    early = fst expected == "mismatch" && got == ("mismatch", ["transcript"]) || unread
    -- A list is read by the plan of a transcript whose digests are right, so their mismatches come before an invalid
    -- list.
    unread = expected == ("mismatch", ["list"]) && fst got == "mismatch" && isLeft (readTranscript transcript)
    transcript = maybe "" id (bytes "transcript")
    -- A list can be read once the transcript says how.
    listed = case (bytes "list", readStatedPlan transcript) of
      (Just rows, Just plan) ->
        let ListSummary kind columns _ = planList plan
         in Just <$> readEntries (if field "zero" given then Zero else Line) kind columns rows
      _ -> Right Nothing
    readStatedPlan text' = either (const Nothing) (Just . transcriptPlan) (readTranscript text')
    committed = if has "committed" given then field "committed" given else Nothing
    evidence list =
      noEvidence
        { publishedCommitment = hexOr' <$> committed
        , knownList = list
        , seedAttested = field "attested" given
        }
    got = case listed of
      Left _ -> ("mismatch", ["list"])
      Right list -> case verificationMismatch found of
        Just (code, _) -> ("mismatch", [mismatchCode code])
        Nothing | null unchecked -> ("verified", [])
        Nothing -> ("partial", sort (map uncheckedCode unchecked))
        where
          found = verify (evidence list) transcript
          unchecked = verificationUnchecked found
    hexOr' = either (const "") id . B16.decode . T.encodeUtf8 . T.toLower
