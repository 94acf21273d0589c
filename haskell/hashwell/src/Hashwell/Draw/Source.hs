{-# LANGUAGE OverloadedStrings #-}

-- | The origin that a plan announces for its seed.
module Hashwell.Draw.Source
  ( Origin (..)
  , SeedSource (..)
  , sourceValue
  , sourceReader
  , checkSource
  , folded
  , namesBeacon
  ) where

import Control.Monad (when)
import qualified Data.ByteString as B
import Data.Char (isAscii, isDigit, isLower, isUpper, toLower)
import Data.List (tails)
import qualified Data.Map.Strict as Map
import qualified Data.Text as T
import qualified Data.Text.Encoding as T
import Hashwell.Draw.JSON (Value (..))
import Hashwell.Draw.Shape

-- | The origin of a seed.
data Origin
  = FromDice
  | FromText
  | FromHex
  | FromOs
  | -- | The hash of the chain (64 lower-case hexadecimal digits) and the number of the round.
    FromDrand B.ByteString Integer
  | -- | SHA-512 of the certificate (128 lower-case hexadecimal digits), the number of the chain, and that of the pulse.
    FromNist B.ByteString Integer Integer
  deriving (Eq, Show)

-- | The origin that a seed must have, and a description for readers, which is never interpreted.
data SeedSource = SeedSource {sourceOrigin :: Origin, sourceDescription :: B.ByteString}
  deriving (Eq, Show)

-- | The JSON object in plans.
sourceValue :: SeedSource -> Value
sourceValue (SeedSource origin description) =
  Object . Map.fromList $ ("description", Text description) : case origin of
    FromDice -> [kind "dice"]
    FromText -> [kind "text"]
    FromHex -> [kind "hex"]
    FromOs -> [kind "os"]
    FromDrand chain number -> [kind "drand", ("chain", Text chain), ("round", Number number)]
    FromNist certificate chain pulse ->
      [kind "nist", ("certificate", Text certificate), ("chain", Number chain), ("pulse", Number pulse)]
  where
    kind name = ("kind", Text name)

-- | Reads and checks the JSON object of a plan.
sourceReader :: Reader SeedSource
sourceReader value@(Object given) = do
  kind <- get "kind" (oneOf [(name, name) | name <- ["dice", "drand", "hex", "nist", "os", "text"]]) given
  let with names = keys (["description", "kind"] ++ names) value
      simple origin = origin <$ with []
      number key = get key (integer 1 (2 ^ (64 :: Int) - 1))
  origin <- case kind of
    "dice" -> simple FromDice
    "text" -> simple FromText
    "hex" -> simple FromHex
    "os" -> simple FromOs
    "drand" -> do
      fields <- with ["chain", "round"]
      FromDrand <$> digits 32 "chain" fields <*> number "round" fields
    _ -> do
      fields <- with ["certificate", "chain", "pulse"]
      FromNist <$> digits 64 "certificate" fields <*> number "chain" fields <*> number "pulse" fields
  source <- SeedSource origin <$> get "description" text given
  source <$ checkSource source
  where
    digits size key fields = toHex <$> get key (hexOf size) fields
sourceReader _ = Left "the seed's source is not a JSON object"

-- | Rejects a description that is too long, contains control characters, or seems to name a beacon although the seed
-- is not from one.
checkSource :: SeedSource -> Either String ()
checkSource (SeedSource origin description) = do
  when (B.length description > 1000) (Left "the description of the seed's source has more than 1000 bytes")
  case T.decodeUtf8' description of
    Left _ -> Left "the description of the seed's source is not UTF-8"
    Right words' ->
      when (T.any control words') (Left "the description of the seed's source contains a control character")
  when (not beacon && namesBeacon description) $
    Left ("the description " ++ show description ++ " seems to name a beacon, but the seed is not from a beacon")
  where
    control c = c < ' ' || within ('\x7f', '\x9f') c || within ('\x202a', '\x202e') c || within ('\x2066', '\x2069') c
    beacon = case origin of
      FromDrand _ _ -> True
      FromNist {} -> True
      _ -> False

within :: (Char, Char) -> Char -> Bool
within (first, final) c = c >= first && c <= final

-- | The ASCII letters and digits that a text looks like, with a space for every other visible character.
folded :: B.ByteString -> String
folded = concatMap fold . T.unpack . either (const "") id . T.decodeUtf8'
  where
    fold c
      | Just letter <- Map.lookup c lookalikes = [letter]
      | (range, repeated) : _ <- filter ((`within` c) . fst) blocks =
          [repeated !! ((fromEnum c - fromEnum (fst range)) `mod` length repeated)]
      | isAscii c && (isDigit c || isLower c || isUpper c) = [toLower c]
      | any (`within` c) unseen = ""
      | otherwise = " "

-- | Returns 'True' if a text seems to name a beacon, by the rule of the specification.
namesBeacon :: B.ByteString -> Bool
namesBeacon description = any isNist (words letters) || any named (tails (filter (/= ' ') letters))
  where
    letters = folded description
    isNist word = begins ["n", "i1l", "s5", "t"] word && all isDigit (drop 4 word)
    named text' = any (`begins` text') names
    names =
      [ ["d", "r", "a4", "n", "d"]
      , ["q", "u", "i1l", "c", "k", "n", "e3", "t"]
      , ["f", "a4", "s5", "t", "n", "e3", "t"]
      , ["b", "e3", "a4", "c", "o0", "n"]
      , ["l", "e3", "a4", "g", "u", "e3", "o0", "f", "e3", "n", "t", "r", "o0", "p", "y"]
      , ["n", "il", "s5", "t", ['0' .. '9']]
      , replicate 64 (['0' .. '9'] ++ ['a' .. 'f'])
      ]

-- | Returns 'True' if a text begins with one character of each of these sets, in order.
begins :: [String] -> String -> Bool
begins (set : sets) (c : cs) = c `elem` set && begins sets cs
begins sets _ = null sets

-- | Unicode blocks that repeat the ASCII letters or digits.
blocks :: [((Char, Char), String)]
blocks =
  [(range, ['a' .. 'z']) | range <- letters]
    ++ [(range, ['0' .. '9']) | range <- digits]
    ++ [(('\x2460', '\x2468'), ['1' .. '9'])]
  where
    letters =
      [ ('\x249c', '\x24b5')
      , ('\x24b6', '\x24cf')
      , ('\x24d0', '\x24e9')
      , ('\xff21', '\xff3a')
      , ('\xff41', '\xff5a')
      , ('\x1d400', '\x1d6a3')
      , ('\x1f110', '\x1f129')
      , ('\x1f130', '\x1f149')
      , ('\x1f150', '\x1f169')
      , ('\x1f170', '\x1f189')
      , ('\x1f1e6', '\x1f1ff')
      ]
    digits = [('\x2070', '\x2079'), ('\x2080', '\x2089'), ('\xff10', '\xff19'), ('\x1d7ce', '\x1d7ff')]

-- | Characters that are invisible or combine with the preceding one.
unseen :: [(Char, Char)]
unseen =
  [ ('\xad', '\xad')
  , ('\x300', '\x36f')
  , ('\x200b', '\x200f')
  , ('\x2060', '\x2064')
  , ('\xfe00', '\xfe0f')
  , ('\xfeff', '\xfeff')
  ]

-- | The ASCII letter that a character looks like.
lookalikes :: Map.Map Char Char
lookalikes = Map.fromList [(c, letter) | (letter, alike) <- table, c <- alike]
  where
    table :: [(Char, String)]
    table =
      [ ('a', "@ªÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǠǡǺǻȀȁȂȃȦȧȺɐɑΑαАаᎪᴀᵃḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặₐ∀⍺＠")
      , ('b', "ßƀƄɓʙΒβВЬвьᏴᴃᵇḂḃḄḅḆḇ")
      , ('c', "¢©ÇçĆćĈĉĊċČčƈɕϲϹСсᏟᴄᶜḈḉℂⅭⅽ∁Ⲥⲥꮯ￠")
      , ('d', "ÐðĎďĐđƊɖɗԀԁᎠᏧᴅᵈḊḋḌḍḎḏḐḑḒḓⅅⅆⅮⅾ∂ꓒꓓꭰ")
      , ('e', "ÈÉÊËèéêëĒēĔĕĖėĘęĚěƏƐȄȅȆȇȨȩɘəɛΕεϵЁЄЕЭеэёєҼҽᎬᴇᵉḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệₑ€℮ℯℰⅇ∃ꭼ")
      , ('f', "ƒϜϝḞḟℱꜰ")
      , ('g', "ĜĝĞğĠġĢģƓǦǧǴǵɠɡɢԌԍցᏀᵍḠḡℊ")
      , ('i', "!¡ÌÍÎÏìíîïĨĩĪīĬĭĮįİıǏǐȈȉȊȋɩɪΙιІЇіїӀӏᎥᵢḬḭḮḯỈỉỊịⁱℹⅈⅠⅰ！")
      , ('k', "ĶķĸƘƙǨǩΚκКкҚқᏦᴋᵏḰḱḲḳḴḵₖKⲔⲕ")
      , ('l', "|¦ĹĺĻļĽľŁłǀɭʟˡ׀ᏞḶḷḸḹḺḻḼḽₗℓⅬⅼ∣｜")
      , ('n', "ÑñŃńŅņŇňŊŋƞǸǹȠɲɳɴΝΠηπИПипՌոռᴎṄṅṆṇṈṉṊṋⁿₙℕꓠ")
      , ('o', "°ºÒÓÔÕÖØòóôõöøŌōŎŏŐőƠơǑǒǪǫǬǭȌȍȎȏȪȫȬȭȮȯȰȱΘΟΣθοσОоӨөՕօᴏᵒṌṍṎṏṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợₒ")
      , ('p', "ÞþƤƥΡρРрᏢᴘᵖṔṕṖṗₚℙ⍴")
      , ('q', "ɊɋʠԚԛգզℚ")
      , ('r', "®ŔŕŖŗŘřȐȑȒȓɼɽɾʀʳГЯгяᎡᏒᴙᴦᵣṘṙṚṛṜṝṞṟℛℝⲄⲅꓣ")
      , ('s', "$§ŚśŜŝŞşŠšſȘșʂˢЅѕՏᏚṠṡṢṣṤṥṦṧṨṩẛₛ∫ꓢꜱ＄")
      , ('t', "ŢţŤťŦŧƬƭȚțʈΤτТтᎢᴛᵗṪṫṬṭṮṯṰṱẗ†ₜ⊤ꓔ")
      , ('u', "ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưƱǓǔǕǖǗǘǙǚǛǜȔȕȖȗʊʋμυцՍսᴜᵘᵤṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰự∪")
      , ('y', "¥ÝýÿŶŷŸȲȳʏΥγУуҮүყẎẏẙỲỳỴỵỶỷỸỹ")
      ]
