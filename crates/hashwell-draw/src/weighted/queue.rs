//! The keys of a sample and their slots, of which the largest leaves: a queue for keys that mostly come in far below it.
//!
//! A heap of a million keys costs several misses of the cache for each that leaves. Here the keys lie in buckets of some
//! thousand by their size, the bounds being quantiles of the keys themselves; the topmost bucket is a heap, a new key
//! goes to the end of its own. When half of the buckets are used up, all are made anew. Whatever the keys are, the largest
//! leaves first, of equal ones the one with the largest slot.

use crate::Error;
use crate::order::sort_unstable;

/// A key, and its slot below.
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

/// k keys at most. Until they are k, they stand in the order of their slots.
#[derive(Clone)]
pub(crate) struct Queue {
    capacity: usize,
    /// Once full: a heap, with four children to a node, which lie in one line of the cache.
    top: Vec<Entry>,
    /// What is below the top: bucket i has the keys from bounds[i - 1] on, below bounds[i].
    buckets: Vec<Vec<Entry>>,
    /// Below the keys of all buckets but the lowest; the last is the top's.
    bounds: Vec<u64>,
}

const CHILDREN: usize = 4;
/// Keys to a bucket.
const BUCKET: usize = 1024;
/// Keys below which one heap holds all.
const FEW: usize = 8 * BUCKET;

impl Queue {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, top: Vec::new(), buckets: Vec::new(), bounds: Vec::new() }
    }

    /// With room for all k keys, for who fills it at once.
    ///
    /// # Errors
    /// [`Error::Memory`].
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
        // Buckets there are only in a full one.
        !self.buckets.is_empty() || self.top.len() == self.capacity
    }

    /// The largest, of a full queue that is not empty.
    #[inline]
    pub(crate) fn largest(&self) -> Option<Entry> {
        if self.is_full() { self.top.first().copied() } else { None }
    }

    /// All, in no order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.buckets.iter().flatten().chain(&self.top).copied()
    }

    /// Replaces each key by a function of it that keeps their order.
    pub(crate) fn map(&mut self, new: impl Fn(u64) -> u64) {
        let entries = self.buckets.iter_mut().flatten().chain(&mut self.top);
        entries.for_each(|entry| *entry = Entry::new(new(entry.key()), entry.slot()));
        self.bounds.iter_mut().for_each(|bound| *bound = new(*bound));
    }

    /// Takes the next slot for a key, and tells it.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(crate) fn fill(&mut self, key: u64) -> Result<usize, Error> {
        debug_assert!(!self.is_full());
        if self.top.len() == self.top.capacity() {
            // No more than k, which may be a size that somebody declared.
            let more = self.top.len().max(64).min(self.capacity - self.top.len());
            reserve(&mut self.top, more)?;
        }
        let slot = self.top.len();
        self.top.push(Entry::new(key, slot));
        // The key has its slot already. Without memory for buckets, one heap holds all.
        if self.is_full() && self.arrange().is_err() {
            heapify(&mut self.top);
        }
        Ok(slot)
    }

    /// The largest key leaves its slot to this one, of a full queue.
    ///
    /// # Errors
    /// [`Error::Memory`].
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

    /// The topmost bucket that is not empty becomes the heap.
    #[cold]
    fn next_bucket(&mut self) {
        while self.top.is_empty() {
            let Some(bucket) = self.buckets.pop() else { return };
            self.top = bucket;
            self.bounds.truncate(self.buckets.len());
        }
        heapify(&mut self.top);
        if self.buckets.len() < self.capacity / BUCKET / 2 {
            // Without memory for it, the buckets that there are go on; all that is lost is time.
            let _ = self.arrange();
        }
    }

    /// Puts all keys into buckets of about the same number. Nothing has changed after an error.
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
        // Not `next_bucket`, which would come back here.
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

/// Floyd's way, from the last parent up.
fn heapify(entries: &mut [Entry]) {
    for node in (0..entries.len().div_ceil(CHILDREN)).rev() {
        sink(entries, node, entries[node]);
    }
}

/// Puts an entry at a node or below, where it belongs.
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

    /// Keys of three kinds: below the largest as in a race, anywhere, and nearly all the same.
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
