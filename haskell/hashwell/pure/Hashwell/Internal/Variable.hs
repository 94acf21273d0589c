-- |
-- States that can be discarded.
module Hashwell.Internal.Variable
  ( Variable
  , newVariable
  , value
  , change
  , discard
  ) where

import Control.Exception (throwIO)
import Control.Monad.Primitive (PrimMonad, PrimState, unsafeIOToPrim)
import Data.Primitive.MutVar (MutVar, newMutVar, readMutVar, writeMutVar)
import Hashwell.Error (Error (..))

-- | A reference to a state, or to nothing after 'discard'.
newtype Variable s a = Variable (MutVar s (Maybe a))

-- | Creates a reference to a state, which is evaluated.
newVariable :: PrimMonad m => a -> m (Variable (PrimState m) a)
newVariable x = Variable <$> newMutVar (Just $! x)

-- | The state. Throws 'Wiped' if it was discarded.
value :: PrimMonad m => Variable (PrimState m) a -> m a
value (Variable var) = readMutVar var >>= maybe (unsafeIOToPrim (throwIO Wiped)) pure

-- | Evaluates the next state and stores it. Throws 'Wiped' if the state was discarded.
change :: PrimMonad m => Variable (PrimState m) a -> (a -> a) -> m ()
change (Variable var) f = value (Variable var) >>= \x -> let next = f x in next `seq` writeMutVar var (Just next)

-- | Discards the state. The garbage collector doesn't overwrite it.
discard :: PrimMonad m => Variable (PrimState m) a -> m ()
discard (Variable var) = writeMutVar var Nothing
