-- |
-- The errors of this package.
--
-- Functions return @'Either' 'Error'@ if you can't know in advance whether they fail. Other functions
-- throw an 'Error' only if their documentation names it, or if there is a bug in the C library.
module Hashwell.Error
  ( Error (..)
  , message
  , fromCode
  , check
  , must
  ) where

import Control.Applicative ((<|>))
import Control.Exception (Exception (..), SomeException (..), throwIO)
import Control.Monad.Primitive (PrimMonad, unsafeIOToPrim)
import qualified Crypto.DRBG.HMAC as Drbg
import Data.Typeable (cast)
import Foreign.C.Types (CInt)
import Hashwell.Internal.Message (textOf)

-- | The reason why a function failed.
data Error
  = -- | A parameter or a length is out of range.
    OutOfRange
  | -- | The algorithm does not support this parameter or operation.
    Unsupported
  | -- | A buffer has the wrong length.
    WrongLength
  | -- | The bytes differ: the tag is wrong.
    Mismatch
  | -- | A string is not valid UTF-8.
    NotText
  | -- | The state was wiped.
    Wiped
  | -- | The reseed interval is used up: reseed the generator.
    ReseedRequired
  | -- | The operating system provided no entropy.
    NoEntropy
  | -- | The generator's known-answer test failed.
    SelfTestFailed
  | -- | Fewer bytes are left in the stream than requested; nothing was read.
    Exhausted
  | -- | The bytes are not a valid saved state.
    BadState
  | -- | Another code of the C interface, which means a bug in this package or in the C library.
    Other !Int
  deriving (Eq, Ord, Show)

-- | Also catches the errors of "Crypto.DRBG.HMAC".
instance Exception Error where
  displayException = message
  fromException (SomeException e) = cast e <|> fmap request (cast e)
    where
      request Drbg.MaxBytesExceeded = OutOfRange
      request Drbg.ReseedRequired = ReseedRequired

-- | A description of the error, in English.
message :: Error -> String
message = textOf . toCode

codes :: [(CInt, Error)]
codes =
  [ (-3, WrongLength)
  , (-4, OutOfRange)
  , (-5, Unsupported)
  , (-6, Wiped)
  , (-9, Mismatch)
  , (-11, NotText)
  , (-16, ReseedRequired)
  , (-17, NoEntropy)
  , (-18, SelfTestFailed)
  , (-21, Exhausted)
  , (-22, BadState)
  ]

toCode :: Error -> CInt
toCode (Other n) = fromIntegral n
toCode e = head ([c | (c, e') <- codes, e' == e] ++ [-99])

-- | Converts a code of the C interface to an error; 'Nothing' for @HW_OK@.
fromCode :: CInt -> Maybe Error
fromCode 0 = Nothing
fromCode c = Just (maybe (Other (fromIntegral c)) id (lookup c codes))

-- | Throws the error of a code other than @HW_OK@.
check :: CInt -> IO ()
check 0 = pure ()
check c = mapM_ throwIO (fromCode c)
{-# INLINE check #-}

-- | Returns the value, or throws the error.
must :: PrimMonad m => Either Error a -> m a
must = either (unsafeIOToPrim . throwIO) pure
