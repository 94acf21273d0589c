-- |
-- An output stream, in memory of the garbage collector.
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

-- | An output stream, in pinned memory that the garbage collector frees.
newtype Reader s = Reader (State s)

-- | Creates the output stream of the message so far. Data appended to the message later does not affect it. Returns
-- 'Hashwell.Error.Unsupported' for an algorithm with a fixed digest size.
reader :: PrimMonad m => Hasher (PrimState m) -> m (Either Error (Reader (PrimState m)))
reader (Hasher hash) = readerOf c_xof_init hash

-- | Creates the output stream of a KMAC state.
kmacReader :: PrimMonad m => State (PrimState m) -> m (Either Error (Reader (PrimState m)))
kmacReader = readerOf c_xof_init_kmac

readerOf ::
  PrimMonad m => (Handle -> Handle -> IO CInt) -> State (PrimState m) -> m (Either Error (Reader (PrimState m)))
readerOf begin message = do
  state <- newState xofSize
  code <- withState message (\m -> withState (inIO state) (`begin` m))
  pure (maybe (Right (Reader state)) Left (fromCode code))

-- | Reads the next bytes; a negative number reads none. The bytes do not depend on how you divide them into reads. Past
-- byte 2^64 - 1 it throws 'Hashwell.Error.Exhausted' and reads nothing.
readBytes :: PrimMonad m => Reader (PrimState m) -> Int -> m ByteString
readBytes (Reader state) wanted = withState state $ \h ->
  BI.create len (\out -> long len c_xof_read c_xof_read_safe h out (fromIntegral len) >>= check)
  where
    len = max 0 wanted

-- | The rest of the output, computed lazily. The position of the reader does not change.
rest :: PrimMonad m => Reader (PrimState m) -> m BL.ByteString
rest (Reader state) = outputOf <$> freezeState state

-- | The current position in the stream, in bytes.
position :: PrimMonad m => State (PrimState m) -> m Word64
position state = withState state $ \h -> alloca (\p -> c_xof_tell h p >>= check >> peek p)

-- | Creates an independent copy.
clone :: PrimMonad m => Reader (PrimState m) -> m (Reader (PrimState m))
clone (Reader state) = Reader <$> cloneState state

-- | Overwrites the memory of the stream. Later operations on it throw 'Hashwell.Error.Wiped'.
wipe :: PrimMonad m => Reader (PrimState m) -> m ()
wipe (Reader state) = withState state c_xof_wipe
