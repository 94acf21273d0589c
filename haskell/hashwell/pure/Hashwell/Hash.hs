-- |
-- Digests with SHA-2 in pure Haskell: of one message, of a message in pieces, and of many messages. The names and types
-- are those of the module over the C library, except that @toBytes@ and @fromBytes@ for saved states are missing.
--
-- >>> :set -XOverloadedStrings
-- >>> import qualified Data.ByteString as BS
-- >>> BS.unpack (BS.take 4 (hash sha256 "abc"))
-- [186,120,22,191]
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
  , algorithm
  , messageLen
    -- * Algorithms
  , module Hashwell.Algorithm
    -- * Errors
  , Error (..)
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as BL
import Data.Word (Word64)
import Hashwell.Algorithm
import Hashwell.Error (Error (..))
import Hashwell.Internal.Params
import Hashwell.Internal.Row (Functions (..), Progress (..), rowFunctions)
import Hashwell.Internal.Variable

-- | Computes the digest of a message.
hash :: Algorithm -> ByteString -> ByteString
hash = hashOf . rowFunctions

-- | Computes the digest of a lazy message in constant memory.
hashLazy :: Algorithm -> BL.ByteString -> ByteString
hashLazy = hashLazyOf . rowFunctions

-- | Computes the digest of a message with parameters. SHA-2 has no parameters, so every field that is set returns
-- 'Unsupported'.
hashWith :: Algorithm -> Params -> ByteString -> Either Error ByteString
hashWith a params message = hash a message <$ without params

-- | Computes the digest of a lazy message with parameters, in constant memory. The errors are those of 'hashWith'.
hashLazyWith :: Algorithm -> Params -> BL.ByteString -> Either Error ByteString
hashLazyWith a params message = hashLazy a message <$ without params

-- | Computes the digests of many messages, in the order of the messages.
hashMany :: Algorithm -> [ByteString] -> [ByteString]
hashMany a = map (hash a)

-- | Like 'hashMany', with the same parameters for every message. The errors are those of 'hashWith'.
hashManyWith :: Algorithm -> Params -> [ByteString] -> Either Error [ByteString]
hashManyWith a params messages = hashMany a messages <$ without params

without :: Params -> Either Error ()
without params = if params == plain then Right () else Left Unsupported

-- | A hash in progress. The garbage collector copies its state.
newtype Hasher s = Hasher (Variable s Hashing)

data Hashing = Hashing !Algorithm !Word64 !Progress

-- | Creates a hash in progress.
newHasher :: PrimMonad m => Algorithm -> m (Hasher (PrimState m))
newHasher a = Hasher <$> newVariable (Hashing a 0 (startOf (rowFunctions a)))

-- | Creates a hash in progress with parameters. The errors are those of 'hashWith'.
newHasherWith :: PrimMonad m => Algorithm -> Params -> m (Either Error (Hasher (PrimState m)))
newHasherWith a params = traverse (\() -> newHasher a) (without params)

-- | Appends to the message.
update :: PrimMonad m => Hasher (PrimState m) -> ByteString -> m ()
update (Hasher var) piece = change var $ \(Hashing a len so) ->
  Hashing a (len + fromIntegral (B.length piece)) (feedTo so piece)

-- | Appends a lazy byte string, chunk by chunk. If evaluating a chunk throws, the chunks before it have been appended.
updateLazy :: PrimMonad m => Hasher (PrimState m) -> BL.ByteString -> m ()
updateLazy hasher = mapM_ (update hasher) . BL.toChunks

-- | Computes the digest of the message so far. You can append more afterwards.
finalize :: PrimMonad m => Hasher (PrimState m) -> m ByteString
finalize (Hasher var) = (\(Hashing _ _ so) -> finished so) <$> value var

-- | Creates an independent copy.
clone :: PrimMonad m => Hasher (PrimState m) -> m (Hasher (PrimState m))
clone (Hasher var) = Hasher <$> (value var >>= newVariable)

-- | Discards the state. The memory isn't overwritten. Later operations on the hash throw 'Wiped'.
wipe :: PrimMonad m => Hasher (PrimState m) -> m ()
wipe (Hasher var) = discard var

-- | The algorithm of a hash in progress.
algorithm :: PrimMonad m => Hasher (PrimState m) -> m Algorithm
algorithm (Hasher var) = (\(Hashing a _ _) -> a) <$> value var

-- | The number of message bytes so far.
messageLen :: PrimMonad m => Hasher (PrimState m) -> m Word64
messageLen (Hasher var) = (\(Hashing _ len _) -> len) <$> value var
