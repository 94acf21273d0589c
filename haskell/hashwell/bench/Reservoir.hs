{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}
{-# LANGUAGE LambdaCase #-}

-- |
-- The two listings of the document on reservoir sampling, for any generator and with correct indices: element number
-- @index@, counted from 0, enters with probability len \/ (index + 1).
module Reservoir
  ( algo_r
  , algo_r_optim
  ) where

import Control.Monad (when)
import Control.Monad.Primitive (PrimMonad)
import qualified Data.Vector as V
import qualified Data.Vector.Mutable as VM
import System.Random.Stateful (StatefulGen, uniformDouble01M, uniformRM)

algo_r :: (PrimMonad m, StatefulGen g m) => Int -> [a] -> g -> m (V.Vector a)
algo_r len stream prng = do
    reservoir <- VM.new len
    loop reservoir 0 stream
  where
    loop !sample !index = \case
      [] ->
        V.freeze sample

      (h:t)
        | index < len -> do
            VM.write sample index h
            loop sample (succ index) t

        | otherwise -> do
            j <- uniformRM (0, index) prng
            when (j < len)
              (VM.write sample j h)
            loop sample (succ index) t
{-# INLINE algo_r #-}

data Loop =
    Next
  | Skip !Int

algo_r_optim :: (PrimMonad m, StatefulGen g m) => Int -> [a] -> g -> m (V.Vector a)
algo_r_optim len stream prng = do
    reservoir <- VM.new len
    go Next reservoir 0 stream
  where
    go what !sample !index = \case
      [] ->
        V.freeze sample

      s@(h:t) -> case what of
        Next
          | index < len -> do
              VM.write sample index h
              go Next sample (succ index) t

          | otherwise -> do
              u <- uniformDouble01M prng
              let p = fromIntegral len / fromIntegral (index + 1) :: Double
                  skip = floor (log u / log (1 - p))
              go (Skip skip) sample index s

        Skip skip
          | skip == 0 -> do
              j <- uniformRM (0, len - 1) prng
              VM.write sample j h
              go Next sample (succ index) t

          | otherwise ->
              go (Skip (pred skip)) sample (succ index) t
{-# INLINE algo_r_optim #-}
