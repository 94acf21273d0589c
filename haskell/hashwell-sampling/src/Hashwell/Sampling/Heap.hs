{-# LANGUAGE BangPatterns #-}

-- | A priority queue of keys with slots: a pairing heap (Fredman, Sedgewick, Sleator and Tarjan 1986).
module Hashwell.Sampling.Heap
  ( Heap
  , empty
  , size
  , insert
  , greatest
  , withoutGreatest
  ) where

-- | A heap with its size.
data Heap = Heap !Int !Tree

data Tree = Leaf | Node !Double !Int [Tree]

-- | The heap without keys.
empty :: Heap
empty = Heap 0 Leaf

-- | The number of keys.
size :: Heap -> Int
size (Heap n _) = n

-- | Inserts a key and its slot.
insert :: Double -> Int -> Heap -> Heap
insert !key !slot (Heap n tree) = Heap (n + 1) (meld (Node key slot []) tree)

-- | The greatest key and its slot. Of equal keys, it is the one with the greatest slot.
greatest :: Heap -> (Double, Int)
greatest (Heap _ (Node key slot _)) = (key, slot)
greatest (Heap _ Leaf) = (-1 / 0, 0)

-- | Removes the greatest key.
withoutGreatest :: Heap -> Heap
withoutGreatest (Heap n (Node _ _ children)) = Heap (n - 1) (pairs children)
withoutGreatest heap = heap

meld :: Tree -> Tree -> Tree
meld Leaf b = b
meld a Leaf = a
meld a@(Node x i as) b@(Node y j bs)
  | (x, i) >= (y, j) = Node x i (b : as)
  | otherwise = Node y j (a : bs)

-- Melds the trees in pairs, and then the pairs from the last to the first.
pairs :: [Tree] -> Tree
pairs (a : b : rest) = meld (meld a b) (pairs rest)
pairs [a] = a
pairs [] = Leaf
