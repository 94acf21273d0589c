//! The keys of a sample and their slots, largest key first.

use crate::Error;

/// A key as a number whose order is the float's, and its slot below: of equal keys the larger slot is the larger entry,
/// so that the order is total and nothing depends on how the heap is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u128);

impl Entry {
    pub(super) fn new(key: f64, slot: usize) -> Self {
        Self(u128::from(ordered(key)) << 64 | slot as u128)
    }

    pub(super) fn key(self) -> f64 {
        let ordered = (self.0 >> 64) as u64;
        f64::from_bits(if ordered >> 63 == 1 { ordered ^ 1 << 63 } else { !ordered })
    }

    pub(super) fn slot(self) -> usize {
        self.0 as u64 as usize
    }
}

/// IEEE 754's total order as the order of integers.
fn ordered(key: f64) -> u64 {
    let bits = key.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// A heap with four children to a node, which lie in one line of the cache. Entry 0 is the largest once it is full;
/// before, entries stand in the order of their slots.
#[derive(Clone)]
pub(super) struct Heap {
    entries: Vec<Entry>,
    capacity: usize,
}

const CHILDREN: usize = 4;

impl Heap {
    pub(super) fn new(capacity: usize) -> Self {
        Self { entries: Vec::new(), capacity }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn is_full(&self) -> bool {
        self.entries.len() == self.capacity
    }

    /// The largest, of a full heap that is not empty.
    pub(super) fn largest(&self) -> Option<Entry> {
        if self.is_full() { self.entries.first().copied() } else { None }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Takes the next slot for a key, and tells it.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(super) fn fill(&mut self, key: f64) -> Result<usize, Error> {
        debug_assert!(!self.is_full());
        if self.entries.len() == self.entries.capacity() {
            // No more than k, which may be a size that somebody declared.
            let more = self.entries.len().max(64).min(self.capacity - self.entries.len());
            self.entries
                .try_reserve_exact(more)
                .map_err(|_| Error::Memory { what: "the keys of a sample" })?;
        }
        let slot = self.entries.len();
        self.entries.push(Entry::new(key, slot));
        if self.is_full() {
            // Floyd's way, from the last parent up.
            for node in (0..self.capacity.div_ceil(CHILDREN)).rev() {
                self.sink(node, self.entries[node]);
            }
        }
        Ok(slot)
    }

    /// The largest key leaves its slot to this one.
    pub(super) fn replace(&mut self, key: f64) -> usize {
        let slot = self.entries[0].slot();
        self.sink(0, Entry::new(key, slot));
        slot
    }

    /// Puts an entry at a node or below, where it belongs.
    #[inline]
    fn sink(&mut self, mut node: usize, entry: Entry) {
        let entries = &mut self.entries[..];
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_value() {
        let keys = [f64::NEG_INFINITY, -1e300, -1.5, -5e-324, 0.0, 5e-324, 1.0, 7e300, f64::INFINITY];
        for pair in keys.windows(2) {
            assert!(Entry::new(pair[0], 9) < Entry::new(pair[1], 3));
        }
        for key in keys {
            assert_eq!((Entry::new(key, 77).key(), Entry::new(key, 77).slot()), (key, 77));
        }
        assert!(Entry::new(1.0, 2) > Entry::new(1.0, 1));
    }

    #[test]
    fn the_largest_leaves_first() {
        for k in 1..40 {
            let mut heap = Heap::new(k);
            let key = |i: usize| ((i * 7919) % 1009) as f64;
            let mut kept: Vec<Entry> =
                (0..k).map(|i| Entry::new(key(i), heap.fill(key(i)).unwrap())).collect();
            for i in k..200 {
                let (place, largest) =
                    kept.iter().copied().enumerate().max_by_key(|&(_, entry)| entry).unwrap();
                assert!(heap.largest() == Some(largest));
                assert_eq!(heap.replace(key(i)), largest.slot());
                kept[place] = Entry::new(key(i), largest.slot());
            }
        }
    }
}
