-- |
-- The output of an extendable-output function as a lazy byte string.
module Hashwell.Internal.Stream
  ( stream
  , outputOf
  ) where

import Control.Monad (unless)
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import qualified Data.ByteString.Lazy.Internal as BLI
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Ptr (nullPtr)
import Hashwell.Error (Error (..), check, fromCode)
import Hashwell.Internal.Digest (absorb)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Layout
import Hashwell.Internal.State (Frozen, newState, thawState, unsafeFrozen, withState)
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | The whole output of an algorithm for a message, computed lazily.
stream :: Number -> BL.ByteString -> BL.ByteString
stream number message = outputOf $ unsafeDupablePerformIO $ allocaBytesAligned hashSize stateAlign $ \hash -> do
  check =<< c_hash_init hash number nullPtr
  absorb c_hash_update c_hash_update_safe hash message
  state <- newState xofSize
  withState state (`c_xof_init` hash) >>= check
  unsafeFrozen state

-- | The rest of a stream, in chunks. Each chunk is computed from an immutable state of 320 bytes, so there is no lazy
-- input or output: the result can be read several times and in any thread.
outputOf :: Frozen -> BL.ByteString
outputOf = go firstChunk
  where
    go len state = case unsafeDupablePerformIO (piece len state) of
      -- The stream ends with the byte before position 2^64 - 1.
      (_, Just Exhausted, _) -> if len == 1 then BLI.Empty else go (len `div` 2) state
      (chunk, _, next) -> BLI.Chunk chunk (go (min BLI.defaultChunkSize (4 * len)) next)
    piece len state = do
      next <- thawState state
      (chunk, code) <- BI.createUptoN' len $ \out ->
        (,) len <$> withState next (\p -> c_xof_read p out (fromIntegral len))
      unless (fromCode code == Just Exhausted) (check code)
      frozen <- unsafeFrozen next
      pure (chunk, fromCode code, frozen)
    -- The first chunk is small, because most programs read only a key or two.
    firstChunk = 512
