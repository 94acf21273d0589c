-- |
-- An output stream, in memory of the collector's.
module Hashwell.Internal.Reader
  ( Reader (..)
  , reader
  , kmacReader
  , readBytes
  , rest
  , position
  , clone
  , wipe
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import qualified Data.ByteString.Internal as BI
import qualified Data.ByteString.Lazy as BL
import Data.Word (Word64)
import Foreign.C.Types (CInt)
import Foreign.Marshal.Alloc (alloca)
import Foreign.Storable (peek)
import Hashwell.Error (Error, check, fromCode)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Hasher (Hasher (..))
import Hashwell.Internal.Layout (xofSize)
import Hashwell.Internal.Memory (long)
import Hashwell.Internal.State
import Hashwell.Internal.Stream (outputOf)

-- | An output stream: plain data in pinned memory, which the collector frees.
newtype Reader s = Reader (State s)

-- | The output of the message that was absorbed so far, from its beginning. The message may go on without effect on it.
-- 'Hashwell.Error.Unsupported' for a digest of fixed length.
reader :: PrimMonad m => Hasher (PrimState m) -> m (Either Error (Reader (PrimState m)))
reader (Hasher hash) = readerOf c_xof_init hash

-- | The same of a KMAC's state.
kmacReader :: PrimMonad m => State (PrimState m) -> m (Either Error (Reader (PrimState m)))
kmacReader = readerOf c_xof_init_kmac

readerOf ::
  PrimMonad m => (Handle -> Handle -> IO CInt) -> State (PrimState m) -> m (Either Error (Reader (PrimState m)))
readerOf begin message = do
  state <- newState xofSize
  code <- withState message (\m -> withState (inIO state) (`begin` m))
  pure (maybe (Right (Reader state)) Left (fromCode code))

-- | The next so many bytes; none for a negative number. Any cutting of the reads gives the same bytes. Past byte 2^64 -
-- 1 it throws 'Hashwell.Error.Exhausted', and nothing is read.
readBytes :: PrimMonad m => Reader (PrimState m) -> Int -> m ByteString
readBytes (Reader state) wanted = withState state $ \h ->
  BI.create len (\out -> long len c_xof_read c_xof_read_safe h out (fromIntegral len) >>= check)
  where
    len = max 0 wanted

-- | All of the output from here on, made as it is read. The reader stays where it is.
rest :: PrimMonad m => Reader (PrimState m) -> m BL.ByteString
rest (Reader state) = outputOf <$> freezeState state

-- | Bytes read so far, or the position sought.
position :: PrimMonad m => State (PrimState m) -> m Word64
position state = withState state $ \h -> alloca (\p -> c_xof_tell h p >>= check >> peek p)

-- | Another stream that goes on from the same point.
clone :: PrimMonad m => Reader (PrimState m) -> m (Reader (PrimState m))
clone (Reader state) = Reader <$> cloneState state

-- | Overwrites the stream's memory. What is done with it after that throws 'Hashwell.Error.Wiped'.
wipe :: PrimMonad m => Reader (PrimState m) -> m ()
wipe (Reader state) = withState state c_xof_wipe
