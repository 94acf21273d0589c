-- |
-- Output of any length: as a lazy byte string, or read piece by piece in any 'PrimMonad'.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString.Lazy as BL
-- >>> fmap (BL.unpack . BL.take 4) (output shake128 plain "seed")
-- Right [37,98,147,71]
module Hashwell.XOF
  ( -- * All of it
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
    -- * What goes in
  , Hasher
  , newHasher
  , newHasherWith
  , update
  , updateLazy
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

-- | All of the output for a message, made as it is read; 'Unsupported' for a digest of fixed length.
output :: Algorithm -> Params -> BL.ByteString -> Either Error BL.ByteString
output a params message = runST $ do
  made <- newReader a params message
  either (pure . Left) (fmap Right . rest) made

-- | The output for a message, from its beginning.
newReader ::
  PrimMonad m => Algorithm -> Params -> BL.ByteString -> m (Either Error (Reader (PrimState m)))
newReader a params message = do
  made <- newHasherWith a params
  case made of
    Left e -> pure (Left e)
    Right hasher -> updateLazy hasher message >> reader hasher

-- | Goes to a position, forward or back, at constant cost. Only BLAKE3's output can: 'Unsupported'.
seek :: PrimMonad m => Reader (PrimState m) -> Word64 -> m (Either Error ())
seek (Reader state) to = maybe (Right ()) Left . fromCode <$> withState state (`c_xof_seek` to)

-- | Bytes read so far, or the position sought.
tell :: PrimMonad m => Reader (PrimState m) -> m Word64
tell (Reader state) = position state
