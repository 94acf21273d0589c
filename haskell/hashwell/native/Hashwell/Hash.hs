-- |
-- Digests with any algorithm: of one message, of a message in pieces, and of many messages at once.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString as BS
-- >>> BS.unpack (BS.take 4 (hash sha256 "abc"))
-- [186,120,22,191]
-- >>> fmap (BS.unpack . BS.take 4) (hashWith blake2b_512 plain { outputLength = Just 20, key = Just "k" } "abc")
-- Right [128,193,61,47]
-- >>> plain { outputLength = Just 20, key = Just "k" }
-- Params {outputLength = 20, key = <key>}
module Hashwell.Hash
  ( -- * One message
    hash
  , hashLazy
  , hashWith
  , hashLazyWith
    -- * Parameters
  , Params (..)
  , plain
    -- * Many messages
  , hashMany
  , hashManyWith
    -- * A message in pieces
  , Hasher
  , newHasher
  , newHasherWith
  , update
  , updateLazy
  , finalize
  , clone
  , wipe
    -- * Saved states
  , toBytes
  , fromBytes
  , algorithm
  , messageLen
    -- * Algorithms
  , module Hashwell.Algorithm
    -- * Errors
  , Error (..)
  ) where

import Control.Monad (when)
import Control.Monad.ST (runST)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import Hashwell.Algorithm
import Hashwell.Error (Error (..))
import Hashwell.Internal.Digest (digest, digestLazy)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Hasher
import Hashwell.Internal.Memory
import Hashwell.Internal.Params
import Hashwell.Internal.ParamsStruct (withParams)
import Hashwell.Internal.Reader (readBytes, reader)
import Hashwell.Internal.Registry (Algorithm (..))

-- | Computes the digest of a message. For an extendable-output function, it is the first 'outputLen' bytes of output.
--
-- Messages of less than 64 KiB use an unsafe foreign call. Longer ones use a safe call, so other Haskell threads can
-- run.
hash :: Algorithm -> ByteString -> ByteString
hash a@(Algorithm n) = digest n (outputLen a)

-- | Computes the digest of a lazy message in constant memory.
hashLazy :: Algorithm -> BL.ByteString -> ByteString
hashLazy a@(Algorithm n) = digestLazy n (outputLen a)

-- | Computes the digest of a message with parameters. For an extendable-output function, it has 'outputLength' bytes.
-- Returns 'Unsupported' if the algorithm does not have a parameter, and 'OutOfRange' if a length is invalid.
hashWith :: Algorithm -> Params -> ByteString -> Either Error ByteString
hashWith a@(Algorithm n) params message = do
  wanted <- resultLen a params
  attempt wanted $ \out len ->
    withParams (chosen a params) $ \ps -> withBytes message $ \p m ->
      long (B.length message + fromIntegral len + paramsLength params) c_hash_with c_hash_with_safe n ps p m out len

-- | Computes the digest of a lazy message with parameters, in constant memory. The errors are those of 'hashWith'.
hashLazyWith :: Algorithm -> Params -> BL.ByteString -> Either Error ByteString
hashLazyWith a params message = do
  wanted <- resultLen a params
  runST $ newHasherWith a (chosen a params) >>= either (pure . Left) (\hasher -> do
    updateLazy hasher message
    if kind a == Xof then reader hasher >>= traverse (`readBytes` wanted) else Right <$> finalize hasher)

-- | Computes the digests of many messages, in parallel SIMD lanes if the algorithm supports that. The digests have the
-- order of the messages and share one block of memory.
hashMany :: Algorithm -> [ByteString] -> [ByteString]
hashMany a = either (error . show) id . hashManyWith a plain

-- | Like 'hashMany', with the same parameters for every message. The errors are those of 'hashWith'.
hashManyWith :: Algorithm -> Params -> [ByteString] -> Either Error [ByteString]
hashManyWith a@(Algorithm n) params messages = do
  each <- resultLen a params
  when (each > maxBound `div` max 1 count) (Left OutOfRange)
  slices count each <$> attempt (count * each) (\out len ->
    withParams (chosen a params) $ \ps -> withMany messages $ \at ns m ->
      long (sum (map cost messages)) c_hash_many c_hash_many_safe n ps at ns m out len)
  where
    cost message = 64 + paramsLength params + B.length message
    count = length messages

resultLen :: Algorithm -> Params -> Either Error Int
resultLen a params = case (outputLength params, kind a) of
  (Nothing, _) -> Right (outputLen a)
  (Just n, Xof) -> if n < 0 then Left OutOfRange else Right n
  -- The C library rejects longer digests before it allocates memory.
  (Just n, Fixed) -> Right (max 0 (min 64 n))

-- The C library takes the length of an output from the length of its buffer.
chosen :: Algorithm -> Params -> Params
chosen a params = if kind a == Xof then params { outputLength = Nothing } else params
