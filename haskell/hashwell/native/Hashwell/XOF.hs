-- |
-- Extendable-output functions: output of any length, as a lazy byte string or read piece by piece in any 'PrimMonad'.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString.Lazy as BL
-- >>> fmap (BL.unpack . BL.take 4) (output shake128 plain "seed")
-- Right [37,98,147,71]
module Hashwell.XOF
  ( -- * The whole output
    output
    -- * Piece by piece
  , Reader
  , newReader
  , reader
  , readBytes
  , rest
  , seek
  , tell
  , clone
  , wipe
    -- * The message
  , Hasher
  , newHasher
  , newHasherWith
  , update
  , updateLazy
  , toBytes
  , fromBytes
  , algorithm
  , messageLen
  , Params (..)
  , plain
  , module Hashwell.Algorithm
  , Error (..)
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Control.Monad.ST (runST)
import qualified Data.ByteString.Lazy as BL
import Data.Word (Word64)
import Hashwell.Algorithm
import Hashwell.Error (Error (..), fromCode)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Hasher hiding (clone, wipe)
import Hashwell.Internal.Params
import Hashwell.Internal.Reader
import Hashwell.Internal.State (withState)

-- | The whole output for a message, computed lazily. Returns 'Unsupported' for an algorithm with a fixed digest size.
output :: Algorithm -> Params -> BL.ByteString -> Either Error BL.ByteString
output a params message = runST $ do
  made <- newReader a params message
  either (pure . Left) (fmap Right . rest) made

-- | Creates the output stream of a message. The errors are those of 'output'.
newReader ::
  PrimMonad m => Algorithm -> Params -> BL.ByteString -> m (Either Error (Reader (PrimState m)))
newReader a params message = do
  made <- newHasherWith a params
  case made of
    Left e -> pure (Left e)
    Right hasher -> updateLazy hasher message >> reader hasher

-- | Moves to a byte position, forward or backward, in constant time. Returns 'Unsupported' for algorithms other than
-- BLAKE3.
seek :: PrimMonad m => Reader (PrimState m) -> Word64 -> m (Either Error ())
seek (Reader state) to = maybe (Right ()) Left . fromCode <$> withState state (`c_xof_seek` to)

-- | The current position in the stream, in bytes.
tell :: PrimMonad m => Reader (PrimState m) -> m Word64
tell (Reader state) = position state
