//! A priority queue of a sample's keys and slots, from which the largest key leaves. It is made for new keys that are
//! mostly far below the largest.
//!
//! A heap of a million keys costs several cache misses for each key that leaves. Here the keys are divided by size into
//! buckets of about a thousand, whose bounds are quantiles of the keys. The topmost bucket is a heap; a new key is
//! appended to its bucket. When half of the buckets are used up, all are rebuilt. For any keys, the largest leaves
//! first, and among equal keys the one with the largest slot.

use crate::Error;
use crate::order::sort_unstable;

/// A key in the upper half, and its slot in the lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry(u128);

impl Entry {
    #[inline]
    fn new(key: u64, slot: usize) -> Self {
        Self(u128::from(key) << 64 | slot as u128)
    }

    #[inline]
    pub(crate) fn key(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[inline]
    pub(crate) fn slot(self) -> usize {
        self.0 as u64 as usize
    }
}

/// A queue of at most k keys. Until there are k keys, they are in the order of their slots.
#[derive(Clone)]
pub(crate) struct Queue {
    capacity: usize,
    /// Once the queue is full, this is a heap. Each node has four children, which share a cache line.
    top: Vec<Entry>,
    /// The keys below the top: bucket i has the keys from bounds[i - 1] up to, but not including, bounds[i].
    buckets: Vec<Vec<Entry>>,
    /// The lower bounds of all buckets except the lowest; the last one is the lower bound of `top`.
    bounds: Vec<u64>,
}

const CHILDREN: usize = 4;
/// The number of keys in a bucket.
const BUCKET: usize = 1024;
/// With fewer keys than this, a single heap contains all.
const FEW: usize = 8 * BUCKET;

impl Queue {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, top: Vec::new(), buckets: Vec::new(), bounds: Vec::new() }
    }

    /// Creates a queue with memory reserved for all k keys, for callers that fill it immediately.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub(crate) fn reserved(capacity: usize) -> Result<Self, Error> {
        let mut queue = Self::new(capacity);
        reserve(&mut queue.top, capacity)?;
        Ok(queue)
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn len(&self) -> usize {
        self.buckets.iter().map(Vec::len).sum::<usize>() + self.top.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        // Only a full queue has buckets.
        !self.buckets.is_empty() || self.top.len() == self.capacity
    }

    /// The largest entry, if the queue is full and not empty.
    #[inline]
    pub(crate) fn largest(&self) -> Option<Entry> {
        if self.is_full() { self.top.first().copied() } else { None }
    }

    /// All entries, in arbitrary order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.buckets.iter().flatten().chain(&self.top).copied()
    }

    /// Replaces each key by a function of it that preserves their order.
    pub(crate) fn map(&mut self, new: impl Fn(u64) -> u64) {
        let entries = self.buckets.iter_mut().flatten().chain(&mut self.top);
        entries.for_each(|entry| *entry = Entry::new(new(entry.key()), entry.slot()));
        self.bounds.iter_mut().for_each(|bound| *bound = new(*bound));
    }

    /// Adds a key to a queue that is not full, and returns its slot, the next one.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub(crate) fn fill(&mut self, key: u64) -> Result<usize, Error> {
        debug_assert!(!self.is_full());
        if self.top.len() == self.top.capacity() {
            // Never reserve memory for all k keys in advance, because k may come from untrusted input.
            let more = self.top.len().max(64).min(self.capacity - self.top.len());
            reserve(&mut self.top, more)?;
        }
        let slot = self.top.len();
        self.top.push(Entry::new(key, slot));
        // The key has its slot already. If there is no memory for buckets, a single heap contains all keys.
        if self.is_full() && self.arrange().is_err() {
            heapify(&mut self.top);
        }
        Ok(slot)
    }

    /// Replaces the largest key of a full queue by this key, and returns its slot.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    #[inline]
    pub(crate) fn replace(&mut self, key: u64) -> Result<usize, Error> {
        let slot = self.top[0].slot();
        let entry = Entry::new(key, slot);
        let bucket = self.bounds.partition_point(|&bound| bound <= key);
        if bucket >= self.buckets.len() {
            sink(&mut self.top, 0, entry);
            return Ok(slot);
        }
        let bucket = &mut self.buckets[bucket];
        if bucket.len() == bucket.capacity() {
            reserve(bucket, BUCKET / 2)?;
        }
        bucket.push(entry);
        if let Some(last) = self.top.pop() {
            if self.top.is_empty() {
                self.next_bucket();
            } else {
                sink(&mut self.top, 0, last);
            }
        }
        Ok(slot)
    }

    /// Turns the topmost bucket that is not empty into the heap.
    #[cold]
    fn next_bucket(&mut self) {
        while self.top.is_empty() {
            let Some(bucket) = self.buckets.pop() else { return };
            self.top = bucket;
            self.bounds.truncate(self.buckets.len());
        }
        heapify(&mut self.top);
        if self.buckets.len() < self.capacity / BUCKET / 2 {
            // If there is no memory for new buckets, the existing ones stay in use; this only costs time.
            let _ = self.arrange();
        }
    }

    /// Divides all keys into buckets of about the same size. An error changes nothing.
    fn arrange(&mut self) -> Result<(), Error> {
        if self.capacity < FEW {
            heapify(&mut self.top);
            return Ok(());
        }
        let count = self.capacity / BUCKET;
        let every = self.capacity / (count * 8);
        let mut sample: Vec<Entry> = Vec::new();
        reserve(&mut sample, self.capacity / every + 1)?;
        sample.extend(self.entries().step_by(every));
        sort_unstable(&mut sample);
        let mut bounds = Vec::new();
        reserve(&mut bounds, count)?;
        bounds.extend((1..count).map(|i| sample[i * sample.len() / count].key()));
        let mut buckets: Vec<Vec<Entry>> = Vec::new();
        reserve(&mut buckets, count)?;
        buckets.resize_with(count, Vec::new);
        for entry in self.entries() {
            let bucket = &mut buckets[bounds.partition_point(|&bound| bound <= entry.key())];
            if bucket.len() == bucket.capacity() {
                let room = if bucket.is_empty() { BUCKET * 3 / 2 } else { BUCKET / 2 };
                reserve(bucket, room)?;
            }
            bucket.push(entry);
        }
        (self.top, self.buckets, self.bounds) = (Vec::new(), buckets, bounds);
        // Don't call `next_bucket` here, which would recurse.
        while self.top.is_empty() {
            let Some(bucket) = self.buckets.pop() else { break };
            self.top = bucket;
        }
        self.bounds.truncate(self.buckets.len());
        heapify(&mut self.top);
        Ok(())
    }
}

fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<(), Error> {
    vec.try_reserve_exact(more).map_err(|_| Error::Memory { what: "the keys of a sample" })
}

/// Floyd's heap construction, from the last parent up.
fn heapify(entries: &mut [Entry]) {
    for node in (0..entries.len().div_ceil(CHILDREN)).rev() {
        sink(entries, node, entries[node]);
    }
}

/// Sifts an entry down from a node to its place.
#[inline]
fn sink(entries: &mut [Entry], mut node: usize, entry: Entry) {
    loop {
        let first = CHILDREN * node + 1;
        let child = if let Some(four) = entries.get(first..first + CHILDREN) {
            let low = usize::from(four[1] > four[0]);
            let high = 2 + usize::from(four[3] > four[2]);
            first + if four[high] > four[low] { high } else { low }
        } else {
            let Some(child) = (first..entries.len()).max_by_key(|&child| entries[child]) else { break };
            child
        };
        if entries[child] <= entry {
            break;
        }
        entries[node] = entries[child];
        node = child;
    }
    entries[node] = entry;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BinaryHeap;

    /// Tests three kinds of keys: keys below the largest one, as in a race, arbitrary keys, and keys that are nearly
    /// all equal.
    #[test]
    fn the_largest_leaves_first() {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 20
        };
        for k in [1, 2, 3, 4, 5, 21, FEW - 1, FEW, FEW + 1, 20_000] {
            for kind in 0..3 {
                let mut key = |largest: u64| match kind {
                    0 => random() % (largest + 1),
                    1 => random(),
                    _ => random() % 3,
                };
                let (mut queue, mut heap) = (Queue::new(k), BinaryHeap::new());
                for slot in 0..k {
                    assert!(queue.largest().is_none());
                    let key = key(u64::MAX >> 1);
                    assert_eq!(queue.fill(key).unwrap(), slot);
                    heap.push(Entry::new(key, slot));
                }
                for _ in 0..3 * k.min(FEW + 9) {
                    let largest = heap.pop().unwrap();
                    assert_eq!(queue.largest(), Some(largest));
                    let key = key(largest.key());
                    assert_eq!(queue.replace(key).unwrap(), largest.slot());
                    heap.push(Entry::new(key, largest.slot()));
                }
                let mut left: Vec<Entry> = queue.entries().collect();
                left.sort_unstable();
                assert_eq!((left, queue.len()), (heap.into_sorted_vec(), k));
            }
        }
    }
}
