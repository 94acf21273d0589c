-- |
-- What the engine refuses, as values.
--
-- Functions that can fail for reasons that the caller may not know beforehand give @'Either' 'Error'@. Those whose
-- arguments' types leave no room for errors throw an 'Error' only where the engine itself is at fault.
module Hashwell.Error
  ( Error (..)
  , message
  , fromCode
  , check
  , must
  ) where

import Control.Exception (Exception (..), throwIO)
import Control.Monad.Primitive (PrimMonad, unsafeIOToPrim)
import Foreign.C.String (CString, peekCString)
import Foreign.C.Types (CInt (..))
import System.IO.Unsafe (unsafePerformIO)

-- | A refusal. The comment of each constructor is the engine's own sentence for it.
data Error
  = -- | A parameter is outside its range.
    OutOfRange
  | -- | The algorithm has no such parameter or operation.
    Unsupported
  | -- | A buffer has not the length of the result.
    WrongLength
  | -- | The bytes differ: the tag is wrong.
    Mismatch
  | -- | Text is not UTF-8.
    NotText
  | -- | The state was wiped.
    Wiped
  | -- | The generator has served its requests and has to be reseeded.
    ReseedRequired
  | -- | The operating system gave no entropy.
    NoEntropy
  | -- | The generator's known-answer test failed.
    SelfTestFailed
  | -- | The stream ends before so many bytes: nothing was read.
    Exhausted
  | -- | Any other code of the C interface, which is a fault of this package or of the engine.
    Other !Int
  deriving (Eq, Ord, Show)

instance Exception Error where
  displayException = message

foreign import ccall unsafe "hw_strerror" c_strerror :: CInt -> IO CString

-- | The error in words, in English.
message :: Error -> String
message e = unsafePerformIO (c_strerror (toCode e) >>= peekCString)

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
  ]

toCode :: Error -> CInt
toCode (Other n) = fromIntegral n
toCode e = head ([c | (c, e') <- codes, e' == e] ++ [-99])

-- | The error of a code of the C interface; 'Nothing' for @HW_OK@.
fromCode :: CInt -> Maybe Error
fromCode 0 = Nothing
fromCode c = Just (maybe (Other (fromIntegral c)) id (lookup c codes))

-- | Throws the error of a code that is none of @HW_OK@.
check :: CInt -> IO ()
check 0 = pure ()
check c = mapM_ throwIO (fromCode c)
{-# INLINE check #-}

-- | The value, or throws the error.
must :: PrimMonad m => Either Error a -> m a
must = either (unsafeIOToPrim . throwIO) pure
