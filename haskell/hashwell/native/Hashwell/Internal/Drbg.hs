-- |
-- The state of HMAC-DRBG, in memory of the garbage collector.
module Hashwell.Internal.Drbg
  ( DRBG (..)
  , instantiate
  ) where

import Control.Monad.Primitive (PrimMonad, PrimState)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Foreign.C.Types (CSize)
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.Storable (pokeByteOff, sizeOf)
import Hashwell.Error (Error, fromCode)
import Hashwell.Internal.Foreign
import Hashwell.Internal.Layout
import Hashwell.Internal.Memory
import Hashwell.Internal.Registry (Algorithm (..))
import Hashwell.Internal.State

-- | A generator.
newtype DRBG s = DRBG (State s)

instance Show (DRBG s) where
  show _ = "<drbg>"

-- | Initializes a generator with the unsafe or the safe function, from the algorithm, entropy, nonce and
-- personalization.
instantiate ::
  PrimMonad m =>
  DrbgInit -> DrbgInit -> Algorithm -> ByteString -> ByteString -> ByteString -> m (Either Error (DRBG (PrimState m)))
instantiate short safe (Algorithm n) entropy nonce personalization = do
  state <- newState drbgSize
  -- The seed is hashed twice, so count its bytes twice.
  code <- withState state $ \h ->
    withBytes entropy $ \e el -> withBytes nonce $ \o ol -> personalized personalization $ \params ->
      long (2 * sum (map B.length [entropy, nonce, personalization])) short safe h n e el o ol params
  pure (maybe (Right (DRBG state)) Left (fromCode code))

personalized :: ByteString -> (ParamsPtr -> IO a) -> IO a
personalized b act
  | B.null b = act nullPtr
  | otherwise = allocaBytesAligned drbgParamsSize stateAlign $ \params -> withBytes b $ \p len -> do
      fillBytes params 0 drbgParamsSize
      pokeByteOff params 0 (fromIntegral drbgParamsSize :: CSize)
      pokeByteOff params drbgParamsPersonalization p
      pokeByteOff params (drbgParamsPersonalization + sizeOf (nullPtr :: Ptr ())) len
      act params
