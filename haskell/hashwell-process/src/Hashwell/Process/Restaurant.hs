{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE FlexibleContexts #-}

-- | The Chinese restaurant process: as programs in three encodings, as a loop, and as an SVG drawing.
module Hashwell.Process.Restaurant
  ( Encoding (..)
  , Seated
  , crp
  , crpUrn
  , crpLabels
  , labels
  , tables
  , svg
  , arriveFutu
  , arriveAna
  , arriveFutuCategorical
  ) where

import Control.Exception (throw)
import Control.Monad.Free (Free)
import Control.Monad.Primitive (PrimMonad)
import Control.Monad.Trans.Free (FreeF)
import qualified Control.Monad.Trans.Free as TF
import Data.Bits (shiftR)
import Data.Int (Int32)
import qualified Data.IntMap.Strict as IntMap
import qualified Data.Map.Strict as Map
import Data.Primitive.PrimArray
import Hashwell.Number (unit)
import Hashwell.Process.Model
import Hashwell.Random.Words (Words (..))

-- | The encoding: which term is drawn for a customer. All encodings have the same distribution, but a seed gives
-- different samples, except for the first two encodings.
data Encoding
  = -- | A Bernoulli draw decides if the table is new; otherwise a uniform number selects the table.
    Futu
  | -- | A Bernoulli draw decides if the table is new; otherwise a categorical draw selects the table.
    FutuCategorical
  | -- | A single categorical draw selects the table; 0 is a new table.
    Ana
  deriving (Eq, Show, Enum, Bounded)

-- | The number of seated customers, and the tables in the order of opening: each with its size and its customers, the
-- newest first.
type Seated = (Int, [(Int, [Int])])

-- | The tables after n customers, numbered 0 to n - 1, with dispersion a. A customer opens a new table with
-- probability proportional to a, or joins a table with probability proportional to its size. Without customers there
-- are no tables. The time for a customer is proportional to the number of tables, which is about a · ln n.
crp :: Encoding -> Int -> Double -> Model [[Int]]
crp encoding n a = case encoding of
  Futu -> futu (arriveFutu n a) start
  FutuCategorical -> futu (arriveFutuCategorical n a) start
  Ana -> ana (arriveAna n a) start
  where
    start = if n <= 0 then (0, []) else (1, [(1, [0])])

-- | The coalgebras of 'crp', for enumeration with functions such as @exactAna@.
arriveFutu, arriveFutuCategorical
  :: Int -> Double -> Seated -> FreeF ModelF [[Int]] (Free (FreeF ModelF [[Int]]) Seated)
arriveFutu n a = arriving n a (\seated@(customer, _) -> (\u -> table (u * fromIntegral customer) seated) <$> uniform)
arriveFutuCategorical n a = arriving n a (categorical . map (fromIntegral . fst) . snd)

arriving
  :: Int
  -> Double
  -> (Seated -> Free (FreeF ModelF [[Int]]) Int)
  -> Seated
  -> FreeF ModelF [[Int]] (Free (FreeF ModelF [[Int]]) Seated)
arriving n a which seated@(customer, _)
  | customer >= n = TF.Pure (map snd (snd seated))
  | otherwise = TF.Free (BernoulliF (a / (fromIntegral customer + a)) next)
  where
    next new = if new then pure (open seated) else (`join` seated) <$> which seated

-- | The coalgebra of the encoding 'Ana'.
arriveAna :: Int -> Double -> Seated -> FreeF ModelF [[Int]] Seated
arriveAna n a seated@(customer, present)
  | customer >= n = TF.Pure (map snd present)
  | otherwise = TF.Free (CategoricalF (a : map (fromIntegral . fst) present) next)
  where
    next i = if i == 0 then open seated else join (i - 1) seated

-- | The first table at which the cumulative size exceeds a mark.
table :: Double -> Seated -> Int
table mark (_, present) = length (takeWhile (<= mark) (init (scanl1 (+) (map (fromIntegral . fst) present))))

open :: Seated -> Seated
open (customer, present) = (customer + 1, present ++ [(1, [customer])])

join :: Int -> Seated -> Seated
join i (customer, present) = (customer + 1, go i present)
  where
    go _ [] = []
    go 0 ((size, sitting) : rest) = (size + 1, customer : sitting) : rest
    go j (one : rest) = one : go (j - 1) rest

-- | Seats n customers in a loop that consumes one random number for each customer (Hoppe's urn). A customer gets a
-- new table or the table of a randomly drawn earlier customer. Returns the number of each customer's table, counted
-- from 0 in the order of opening. The first m of n customers get the same tables as m customers. The time does not
-- depend on the number of tables. The dispersion a must be finite and at least 0.
crpLabels :: (PrimMonad m, Words g m) => Int -> Double -> g -> m (PrimArray Int32)
crpLabels n a gen
  | n <= 0 = newPrimArray 0 >>= unsafeFreezePrimArray
  | isNaN a || isInfinite a || a < 0 =
      throw (InvalidTerm ("the dispersion must be finite and at least 0, not " ++ show a))
  | otherwise = do
      seats <- newPrimArray n
      writePrimArray seats 0 0
      fill seats 1 1
  where
    fill seats !i !new
      | i == n = unsafeFreezePrimArray seats
      | otherwise = do
          w <- word64 gen
          let mark = unit w * (fromIntegral i + a)
          if mark >= fromIntegral i
            then writePrimArray seats i new >> fill seats (i + 1) (new + 1)
            else readPrimArray seats (truncate mark) >>= writePrimArray seats i >> fill seats (i + 1) new
{-# INLINE crpLabels #-}

-- | The same process as 'crpLabels', draw for draw, as a program. Each draw is the index of an earlier customer, or a
-- last index with weight a for a new table. You can compute its distribution, but each draw takes time proportional
-- to the number of earlier customers.
crpUrn :: Int -> Double -> Model [[Int]]
crpUrn n a = tables <$> go 1 (IntMap.fromList [(0, 0) | n > 0]) 1
  where
    go i seats new
      | i >= n = pure (IntMap.elems seats)
      | otherwise = do
          whom <- categorical (replicate i 1 ++ [a])
          if whom == i
            then go (i + 1) (IntMap.insert i new seats) (new + 1 :: Int)
            else go (i + 1) (IntMap.insert i (seats IntMap.! whom) seats) new

-- | Converts the number of each customer's table to tables, in the order of opening, each with its newest customer
-- first.
tables :: [Int] -> [[Int]]
tables seats = Map.elems (Map.fromListWith (++) (zip seats (map pure [0 ..])))

-- | Converts tables to the number of each customer's table.
labels :: [[Int]] -> [Int]
labels seated = Map.elems (Map.fromList [(customer, i) | (i, sitting) <- zip [0 ..] seated, customer <- sitting])

-- | Draws tables with their sizes and their customers as SVG, about 100 bytes for each customer. A version always
-- returns the same bytes. Customers of tables with more than 40 are not drawn.
svg :: [[Int]] -> String
svg seated =
  concat
    [ "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" ++ show (width + 110) ++ "\" height=\"160\" "
    , "font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n"
    , "<title>" ++ show seated ++ "</title>\n"
    , concat (zipWith drawTable [0 ..] seated)
    , "<circle cx=\"" ++ show (width + 55) ++ "\" cy=\"80\" r=\"24\" fill=\"none\" stroke=\"#888\" "
    , "stroke-dasharray=\"4\"/>\n"
    , "</svg>\n"
    ]
  where
    width = 130 * length seated
    drawTable :: Int -> [Int] -> String
    drawTable at sitting =
      circle (65 + 130 * at) 80 28 "#e8d8b8" (show (length sitting))
        ++ concat (if length sitting > 40 then [] else zipWith (seat at (length sitting)) [0 ..] sitting)
    seat at size i customer =
      let (x, y) = places !! ((i * 60) `div` max 1 size)
       in circle (65 + 130 * at + x) (80 + y) (if size > 12 then 6 else 11) "#b8d0e8" (show customer)
    circle :: Int -> Int -> Int -> String -> String -> String
    circle x y r colour said =
      concat
        [ "<circle cx=\"" ++ show x ++ "\" cy=\"" ++ show y ++ "\" r=\"" ++ show r ++ "\" fill=\"" ++ colour ++ "\"/>"
        , "<text x=\"" ++ show x ++ "\" y=\"" ++ show y ++ "\" dy=\".35em\">" ++ said ++ "</text>\n"
        ]

-- | Sixty places around a table. The rotation by 1\/60 uses integers, so the result does not depend on a library's
-- sine.
places :: [(Int, Int)]
places = [(x `shiftR` 20, y `shiftR` 20) | (x, y) <- take 60 (iterate turn (0, negate (46 * 1048576)))]
  where
    turn (x, y) = ((x * 1042832 - y * 109606) `shiftR` 20, (x * 109606 + y * 1042832) `shiftR` 20)
