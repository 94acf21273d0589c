{-# LANGUAGE OverloadedStrings #-}

-- | Seeds and their origins.
module Hashwell.Draw.Seed
  ( Seed (..)
  , Beacon (..)
  , seedBytes
  , seedValue
  , seedReader
  , isBeacon
  , seedOrigin
  , checkOrigin
  , DrandChain (..)
  , readDrandChain
  , checkBeaconKey
  , checkPublishedKey
  ) where

import Control.Monad (unless)
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA512 as SHA512
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.Char (isDigit)
import qualified Data.Map.Strict as Map
import Hashwell.Draw.JSON (Value (..), member, parse)
import Hashwell.Draw.Key (natural, number)
import Hashwell.Draw.Shape
import Hashwell.Draw.Source

-- | A seed with its origin. The same bytes give the same draw, regardless of their origin.
data Seed
  = -- | A text.
    SeedText B.ByteString
  | -- | The digits of dice.
    Dice B.ByteString
  | -- | Arbitrary bytes.
    SeedHex B.ByteString
  | -- | Bytes from the operating system.
    SeedOs B.ByteString
  | -- | The data that a beacon published, and its output value.
    SeedBeacon Beacon B.ByteString
  deriving (Eq, Show)

-- | A beacon, with the fields of its round or pulse in the transcript. Signatures are not verified here.
data Beacon = Drand (Map.Map B.ByteString Value) | Nist (Map.Map B.ByteString Value)
  deriving (Eq, Show)

-- | The bytes of a seed.
seedBytes :: Seed -> B.ByteString
seedBytes seed = case seed of
  SeedText bytes -> bytes
  Dice bytes -> bytes
  SeedHex bytes -> bytes
  SeedOs bytes -> bytes
  SeedBeacon _ bytes -> bytes

isBeacon :: Seed -> Bool
isBeacon (SeedBeacon _ _) = True
isBeacon _ = False

seedValue :: Seed -> Value
seedValue seed = Object . Map.fromList $ case seed of
  SeedText bytes -> [from "text", ("text", Text bytes)]
  Dice bytes -> [from "dice", ("text", Text bytes)]
  SeedHex bytes -> [from "hex", ("hex", Text (toHex bytes))]
  SeedOs bytes -> [from "os", ("hex", Text (toHex bytes))]
  SeedBeacon (Drand round') bytes -> [from "drand", ("drand", Object round'), ("hex", Text (toHex bytes))]
  SeedBeacon (Nist pulse) bytes -> [from "nist", ("nist", Object pulse), ("hex", Text (toHex bytes))]
  where
    from name = ("from", Text name)

-- | Reads a seed and checks that its bytes match its other fields.
seedReader :: Reader Seed
seedReader value@(Object given) = do
  origin <- get "from" text given
  case origin of
    "text" -> textual >>= Right . SeedText
    "dice" -> do
      digits <- textual
      unless (not (B.null digits) && C.all isDigit digits) (Left "a dice seed must consist of digits")
      Right (Dice digits)
    "hex" -> SeedHex <$> bytesOf hex ["from", "hex"]
    "os" -> SeedOs <$> bytesOf hex ["from", "hex"]
    "drand" -> do
      bytes <- bytesOf (hexOf 32) ["drand", "from", "hex"]
      beacon <- get "drand" drandReader given
      SeedBeacon (Drand beacon) bytes <$ checkDrand beacon bytes
    "nist" -> do
      bytes <- bytesOf (hexOf 64) ["from", "hex", "nist"]
      beacon <- get "nist" nistReader given
      SeedBeacon (Nist beacon) bytes <$ checkNist beacon bytes
    _ -> Left ("unknown origin of the seed: " ++ show origin)
  where
    textual = keys ["from", "text"] value >>= get "text" text
    bytesOf reader names = keys names value >>= get "hex" reader
seedReader _ = Left "the seed is not a JSON object"

word64 :: Reader Integer
word64 = integer 0 (2 ^ (64 :: Int) - 1)

-- | Reads a non-empty byte string.
bytes1 :: Reader B.ByteString
bytes1 value = do
  bytes <- hex value
  bytes <$ unless (not (B.null bytes)) (Left "this must not be empty")

drandReader :: Reader (Map.Map B.ByteString Value)
drandReader value@(Object given) = do
  scheme <- get "scheme" (oneOf [(name, name) | name <- schemes]) given
  let chained = ["previous_signature" | scheme == "pedersen-bls-chained"]
  fields <- keys (["chain", "public_key", "round", "scheme", "signature"] ++ chained) value
  _ <- get "chain" (hexOf 32) fields
  _ <- get "round" word64 fields
  mapM_ (\key -> get key bytes1 fields) (["public_key", "signature"] ++ chained)
  Right fields
  where
    schemes = ["pedersen-bls-chained", "pedersen-bls-unchained", "bls-unchained-on-g1", "bls-unchained-g1-rfc9380"]
drandReader _ = Left "this is not a JSON object"

nistReader :: Reader (Map.Map B.ByteString Value)
nistReader value@(Object given) = do
  let certified = ["certificate" | "certificate" `Map.member` given]
  fields <- keys (["chain", "message", "pulse", "signature", "time", "uri"] ++ certified) value
  mapM_ (\key -> get key word64 fields) ["chain", "pulse"]
  mapM_ (\key -> get key text fields) ["time", "uri"]
  mapM_ (\key -> get key bytes1 fields) (["message", "signature"] ++ certified)
  Right fields
nistReader _ = Left "this is not a JSON object"

checkDrand :: Map.Map B.ByteString Value -> B.ByteString -> Either String ()
checkDrand beacon bytes = do
  signature <- get "signature" hex beacon
  unless (SHA256.hash signature == bytes) (Left "the seed is not the round's randomness")

-- | Checks a pulse, except for its signature.
checkNist :: Map.Map B.ByteString Value -> B.ByteString -> Either String ()
checkNist beacon bytes = do
  message <- get "message" hex beacon
  signature <- get "signature" hex beacon
  certificate <- traverse (const (get "certificate" hex beacon)) (Map.lookup "certificate" beacon)
  chain <- get "chain" word64 beacon
  pulse <- get "pulse" word64 beacon
  time <- get "time" text beacon
  uri <- get "uri" text beacon
  signed <- headOf message
  let path = C.concat ["/chain/", C.pack (show chain), "/pulse/", C.pack (show pulse)]
      rule right what = unless right (Left what)
  rule ((headUri signed, headTime signed, headChain signed, headPulse signed) == (uri, time, chain, pulse)) $
    "the signed URI, time, chain or pulse does not match"
  rule ("https://" `B.isPrefixOf` uri && path `B.isSuffixOf` uri) "the URI does not match the chain and the pulse"
  rule (isTime time) "the time does not have the form 0000-00-00T00:00:00.000Z"
  rule (maybe True ((== headCertificate signed) . SHA512.hash) certificate) "the message names a different certificate"
  rule (headSuite signed == 0) "the cipher suite is not 0"
  rule ("\0\0\0\0" `B.isSuffixOf` message) "the status is not 0"
  rule (SHA512.hash (message <> signature) == bytes) "the seed is not the pulse's output value"
  where
    isTime time = B.length time == 24 && and (C.zipWith form "0000-00-00T00:00:00.000Z" time)
    form expected c = if expected == '0' then isDigit c else c == expected

-- | The beginning of a pulse's signed message.
data Head = Head
  { headUri :: B.ByteString
  , headSuite :: Integer
  , headCertificate :: B.ByteString
  , headChain :: Integer
  , headPulse :: Integer
  , headTime :: B.ByteString
  }

headOf :: B.ByteString -> Either String Head
headOf message = case cut [Nothing, Nothing, Just 4, Just 4, Nothing, Just 8, Just 8, Nothing] message of
  Just [uri, _, suite, _, certificate, chain, pulse, time] ->
    Right (Head uri (natural suite) certificate (natural chain) (natural pulse) time)
  _ -> Left "the pulse's message is too short"

-- | Splits bytes into pieces of these lengths. A piece without a length is preceded by its length in 4 bytes.
cut :: [Maybe Int] -> B.ByteString -> Maybe [B.ByteString]
cut [] _ = Just []
cut (size : sizes) bytes = case size of
  Just len | B.length bytes >= len -> (B.take len bytes :) <$> cut sizes (B.drop len bytes)
  Nothing | B.length bytes >= 4, len <- natural (B.take 4 bytes), len <= toInteger (B.length bytes) - 4 ->
    cut (Just (fromInteger len) : sizes) (B.drop 4 bytes)
  _ -> Nothing

-- | The origin of a seed, as a plan announces it.
seedOrigin :: Seed -> Either String Origin
seedOrigin seed = case seed of
  Dice _ -> Right FromDice
  SeedText _ -> Right FromText
  SeedHex _ -> Right FromHex
  SeedOs _ -> Right FromOs
  SeedBeacon (Drand fields) _ -> FromDrand <$> get "chain" text fields <*> get "round" word64 fields
  SeedBeacon (Nist fields) _ -> do
    signed <- get "message" hex fields >>= headOf
    FromNist (toHex (headCertificate signed)) <$> get "chain" word64 fields <*> get "pulse" word64 fields

-- | Rejects a seed whose origin differs from the one that the plan announced.
checkOrigin :: SeedSource -> Seed -> Either String ()
checkOrigin planned seed = do
  origin <- seedOrigin seed
  unless (origin == sourceOrigin planned) $
    Left ("the plan's seed is " ++ show (sourceOrigin planned) ++ ", but the given seed is " ++ show origin)

-- | A drand chain: its hash, scheme and public key.
data DrandChain = DrandChain {chainHash :: B.ByteString, chainScheme :: B.ByteString, chainKey :: B.ByteString}
  deriving (Eq, Show)

-- | The published chains of the League of Entropy.
publishedChains :: [DrandChain]
publishedChains =
  [ DrandChain
      "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
      "bls-unchained-g1-rfc9380"
      "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc2\
      \2b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
  , DrandChain
      "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"
      "pedersen-bls-chained"
      "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31"
  , DrandChain
      "dbd506d6ef76e5f386f41c651dcb808c5bcbd75471cc4eafa3f4df7ad4e4c493"
      "bls-unchained-on-g1"
      "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6dce38581\
      \1d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e"
  ]

-- | The SHA-512 digests of the certificates that NIST published for its beacon, in hexadecimal.
publishedCertificates :: [B.ByteString]
publishedCertificates =
  [ "528943a555f5f8ca54423be6dfb95925a35c7b552046420e7d7cd072058a14d6536ad3a8e9754b6582f164a90b0cd86a65d659f5426a2659a947\
    \595d1c816c8c"
  , "5501e3d72bc42f3b96e16de4dcadcb16768e109662bd16d667d5fd9aee585af31bbdc5dd4f53592276064b53dddd76c8f3604b2a41db6e09f78f\
    \82bb5d6569e7"
  ]

-- | Reads the parameters of a drand chain, as its servers publish them (@\/CHAIN\/info@). Returns an error message if
-- the stated hash is not that of the parameters.
readDrandChain :: B.ByteString -> Either String DrandChain
readDrandChain file = parse file >>= \value -> case value of
  Object fields -> do
    hash <- get "hash" text fields
    key <- get "public_key" hex fields
    group <- get "groupHash" hex fields
    period <- get "period" (integer 0 (2 ^ (32 :: Int) - 1)) fields
    genesis <- get "genesis_time" (integer 0 (2 ^ (63 :: Int) - 1)) fields
    scheme <- maybe (Right "pedersen-bls-chained") text (Map.lookup "schemeID" fields)
    beacon <- maybe (Right "") text (Map.lookup "metadata" fields >>= member "beaconID")
    let parameters = [B.drop 4 (number (fromInteger period)), number (fromInteger genesis), key, group]
        named = [beacon | beacon /= "default"]
    unless (toHex (SHA256.hash (B.concat (parameters ++ named))) == hash) $
      Left "the chain hash does not match the chain's parameters"
    Right (DrandChain hash scheme (toHex key))
  _ -> Left "the chain's parameters are not a JSON object"

-- | Checks that a round of a published chain has the chain's key and scheme.
checkPublishedKey :: Seed -> Either String ()
checkPublishedKey (SeedBeacon (Drand fields) _) = do
  stated <- DrandChain <$> get "chain" text fields <*> get "scheme" text fields <*> get "public_key" text fields
  unless (all (== stated) (filter ((== chainHash stated) . chainHash) publishedChains)) $
    Left "the key of the round does not match the published chain"
checkPublishedKey _ = Right ()

-- | Returns 'True' if the key of a beacon is known: it is published, or you gave it (a drand chain, or a certificate as
-- DER). Returns an error message if the key that you gave is not that of the seed.
checkBeaconKey :: Maybe DrandChain -> Maybe B.ByteString -> Seed -> Either String Bool
checkBeaconKey chain certificate seed = do
  origin <- seedOrigin seed
  let rule right what = unless right (Left what)
  case (origin, seed) of
    (FromDrand hash _, SeedBeacon (Drand fields) _) -> do
      stated <- DrandChain hash <$> get "scheme" text fields <*> get "public_key" text fields
      let published = filter ((== hash) . chainHash) publishedChains
      rule (maybe True (== stated) chain) "the given drand chain is not the chain of the seed"
      rule (certificate == Nothing) "a certificate was given, but the seed is not from NIST's beacon"
      Right (not (null published) || chain == Just stated)
    (FromNist sha512 _ _, _) -> do
      let given = toHex . SHA512.hash <$> certificate
      rule (maybe True (== sha512) given) "the given certificate is not the one that the pulse names"
      rule (chain == Nothing) "a drand chain was given, but the seed is not from drand"
      Right (given == Just sha512 || sha512 `elem` publishedCertificates)
    _ -> do
      rule (chain == Nothing) "a drand chain was given, but the seed is not from drand"
      rule (certificate == Nothing) "a certificate was given, but the seed is not from NIST's beacon"
      Right True
