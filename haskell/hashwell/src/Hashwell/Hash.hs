-- |
-- Digests by any algorithm of the registry: of one message, of a message in pieces, of many messages at once.
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
import Hashwell.Internal.Reader (readBytes, reader)
import Hashwell.Internal.Registry (Algorithm (..))

-- | The digest of a message; of an extendable-output function, its first 'outputLen' bytes.
--
-- Below 64 KiB the engine is called without leaving the Haskell thread, above by a call that lets others run.
hash :: Algorithm -> ByteString -> ByteString
hash a@(Algorithm n) = digest n (outputLen a)

-- | The same of a lazy one, in constant memory.
hashLazy :: Algorithm -> BL.ByteString -> ByteString
hashLazy a@(Algorithm n) = digestLazy n (outputLen a)

-- | The digest of a message, with parameters; of an extendable-output function, 'outputLength' bytes of output.
hashWith :: Algorithm -> Params -> ByteString -> Either Error ByteString
hashWith a@(Algorithm n) params message = do
  wanted <- resultLen a params
  attempt wanted $ \out len ->
    withParams (chosen a params) $ \ps -> withBytes message $ \p m ->
      long (B.length message + fromIntegral len + paramsLength params) c_hash_with c_hash_with_safe n ps p m out len

-- | The same of a lazy one.
hashLazyWith :: Algorithm -> Params -> BL.ByteString -> Either Error ByteString
hashLazyWith a params message = do
  wanted <- resultLen a params
  runST $ newHasherWith a (chosen a params) >>= either (pure . Left) (\hasher -> do
    updateLazy hasher message
    if kind a == Xof then reader hasher >>= traverse (`readBytes` wanted) else Right <$> finalize hasher)

-- | The digests of many messages, in their order, side by side in the lanes of the CPU's vectors where the algorithm
-- allows it. They share one piece of memory.
hashMany :: Algorithm -> [ByteString] -> [ByteString]
hashMany a = either (error . show) id . hashManyWith a plain

-- | The same with parameters, which are those of every message.
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
  -- What is longer is refused by the engine, before memory is asked for.
  (Just n, Fixed) -> Right (max 0 (min 64 n))

-- The engine is told an output's length by that of the memory for it.
chosen :: Algorithm -> Params -> Params
chosen a params = if kind a == Xof then params { outputLength = Nothing } else params
