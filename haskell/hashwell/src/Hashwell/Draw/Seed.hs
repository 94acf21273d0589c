{-# LANGUAGE OverloadedStrings #-}

-- | Seeds: bytes, and where they came from.
module Hashwell.Draw.Seed
  ( Seed (..)
  , Beacon (..)
  , seedBytes
  , seedValue
  , seedReader
  , isBeacon
  , checkSeed
  ) where

import Control.Monad (unless, when)
import qualified Crypto.Hash.SHA256 as SHA256
import qualified Crypto.Hash.SHA512 as SHA512
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.Char (isDigit)
import qualified Data.Map.Strict as Map
import Hashwell.Draw.JSON (Value (..))
import Hashwell.Draw.Shape

-- | A seed. The same bytes give the same draw, wherever they came from.
data Seed
  = -- | The text as given.
    SeedText B.ByteString
  | -- | The digits that dice showed.
    Dice B.ByteString
  | -- | Bytes.
    SeedHex B.ByteString
  | -- | Bytes of the operating system's.
    SeedOs B.ByteString
  | -- | What a beacon published, with the output value.
    SeedBeacon Beacon B.ByteString
  deriving (Eq, Show)

-- | A beacon, and what the transcript has of the round or pulse. Signatures are not verified here.
data Beacon = Drand (Map.Map B.ByteString Value) | Nist (Map.Map B.ByteString Value)
  deriving (Eq, Show)

-- | The bytes that a seed stands for.
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

-- | A seed whose bytes agree with what it says of them.
seedReader :: Reader Seed
seedReader value@(Object given) = do
  origin <- get "from" text given
  case origin of
    "text" -> textual >>= Right . SeedText
    "dice" -> do
      digits <- textual
      unless (not (B.null digits) && C.all isDigit digits) (Left "dice show digits")
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
    _ -> Left (show origin ++ " is no origin of seeds")
  where
    textual = keys ["from", "text"] value >>= get "text" text
    bytesOf reader names = keys names value >>= get "hex" reader
seedReader _ = Left "the seed is no JSON object"

drandReader :: Reader (Map.Map B.ByteString Value)
drandReader value@(Object given) = do
  let chained = ["previous_signature" | "previous_signature" `Map.member` given]
  fields <- keys (["chain", "public_key", "round", "scheme", "signature"] ++ chained) value
  _ <- get "chain" (hexOf 32) fields
  _ <- get "round" (integer 0 (2 ^ (64 :: Int) - 1)) fields
  _ <- get "scheme" text fields
  mapM_ (\key -> get key hex fields) (["public_key", "signature"] ++ chained)
  Right fields
drandReader _ = Left "this is no JSON object"

nistReader :: Reader (Map.Map B.ByteString Value)
nistReader value@(Object given) = do
  let unchecked = Map.lookup "signature" given == Just (Text "unchecked")
      signed = ["certificate", "message"]
  fields <- keys (["chain", "pulse", "signature", "time", "uri"] ++ if unchecked then [] else signed) value
  mapM_ (\key -> get key (integer 0 (2 ^ (64 :: Int) - 1)) fields) ["chain", "pulse"]
  mapM_ (\key -> get key text fields) ["time", "uri"]
  unless unchecked (mapM_ (\key -> get key hex fields) ("signature" : signed))
  Right fields
nistReader _ = Left "this is no JSON object"

checkDrand :: Map.Map B.ByteString Value -> B.ByteString -> Either String ()
checkDrand beacon bytes = do
  signature <- get "signature" hex beacon
  unless (SHA256.hash signature == bytes) (Left "the seed is not the round's randomness")

checkNist :: Map.Map B.ByteString Value -> B.ByteString -> Either String ()
checkNist beacon bytes = when ("message" `Map.member` beacon) $ do
  message <- get "message" hex beacon
  signature <- get "signature" hex beacon
  unless (SHA512.hash (message <> signature) == bytes) (Left "the seed is not the pulse's output value")

-- | Whether a seed is the one that a plan's @seed_source@ names, where it names a beacon.
checkSeed :: B.ByteString -> Seed -> Either String ()
checkSeed planned seed
  | Just named <- name = unless (named == planned) (Left ("the plan names the seed " ++ show planned))
  | any (`B.isPrefixOf` planned) ["drand ", "nist "] = Left ("the plan wants the seed " ++ show planned)
  | otherwise = Right ()
  where
    name = case seed of
      SeedBeacon (Drand fields) _ -> Just (C.unwords ["drand", said "chain" fields, said "round" fields])
      SeedBeacon (Nist fields) _ -> Just (C.unwords ["nist", said "chain" fields, said "pulse" fields])
      _ -> Nothing
    said key fields = case Map.lookup key fields of
      Just (Text bytes) -> bytes
      Just (Number n) -> C.pack (show n)
      _ -> ""
