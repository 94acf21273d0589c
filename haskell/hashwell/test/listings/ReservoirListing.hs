{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE LambdaCase #-}

-- | The first listing of the document on reservoir sampling, unchanged. Its second listing does not compile as
-- printed (the variable @d@ and the function @fi@ are undefined). The listing is biased, as these calls show: with
-- five rows, the fifth is always in a sample of four, although its probability should be 4\/5. @Numeric.Sampling@ and
-- "Hashwell.Sampling" are not biased.
--
-- >>> import qualified Control.Foldl as L
-- >>> import Control.Monad (replicateM)
-- >>> import qualified System.Random.MWC as MWC
-- >>> import Hashwell.Sampling (algorithmR)
-- >>> import Hashwell.Random.Words (FromStateful (..))
-- >>> gen <- MWC.create
-- >>> length . filter (elem 5) <$> replicateM 1000 (algo_r 4 [1 .. 5 :: Int] gen)
-- 1000
-- >>> samples <- replicateM 1000 (L.foldM (algorithmR 4 (FromStateful gen)) [1 .. 5 :: Int])
-- >>> let fifth = length (filter (elem 5) samples)
-- >>> abs (fifth - 800) < 80
-- True
module ReservoirListing (algo_r) where

import Control.Monad (when)
import Control.Monad.Primitive (PrimMonad)
import qualified Data.Vector as V
import qualified Data.Vector.Mutable as VM
import System.Random.Stateful (StatefulGen)
import qualified System.Random.Stateful as S

algo_r :: (PrimMonad m, StatefulGen g m) => Int -> [a] -> g -> m (V.Vector a)
algo_r len stream prng = do
    reservoir <- VM.new len
    loop reservoir 0 stream
  where
    loop !sample index = \case
      [] ->
        V.freeze sample

      (h:t)
        | index < len -> do
            VM.write sample index h
            loop sample (succ index) t

        | otherwise -> do
            j <- S.uniformRM (0, index - 1) prng
            when (j < len)
              (VM.write sample j h)
            loop sample (succ index) t
