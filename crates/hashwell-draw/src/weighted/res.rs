//! A-Res: one key a row (Efraimidis and Spirakis, *Weighted random sampling with a reservoir*, 2006, section 3).

use super::heap::{Entry, Heap};
use super::race::race_key;
use super::weight::check;
use crate::{Error, Words};

/// Successive sampling of k rows of a stream, a word a row. [`Jumps`](super::Jumps) has the same law with far fewer
/// words; this one is the definition that it is held against, and the one whose rows can be raced anywhere
/// ([`Race`](super::Race)).
pub struct Res<W> {
    words: W,
    heap: Heap,
    seen: u64,
}

impl<W: Words> Res<W> {
    /// A sample of k rows; k = 0 is an empty one.
    ///
    /// # Errors
    /// None yet; as other samplers'.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self { words, heap: Heap::new(k), seen: 0 })
    }

    /// The next row: the slot that it takes, if it does. Slots are filled in order first. Eats a word if the weight is not
    /// 0 and k is not.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] names the weight and the row, which then was not seen; [`Error::Words`];
    /// [`Error::Memory`].
    pub fn offer(&mut self, weight: f64) -> Result<Option<usize>, Error> {
        check(weight, self.seen)?;
        let slot = if weight == 0.0 || self.heap.capacity() == 0 { None } else { self.race(weight)? };
        self.seen += 1;
        Ok(slot)
    }

    fn race(&mut self, weight: f64) -> Result<Option<usize>, Error> {
        let key = race_key(self.words.next_u64()?, weight);
        match self.heap.largest() {
            None => self.heap.fill(key).map(Some),
            Some(largest) if key < largest.key() => Ok(Some(self.heap.replace(key))),
            Some(_) => Ok(None),
        }
    }

    /// The slots and their rows' keys, ln E - ln w, in no order: what a [`Race`](super::Race) merges.
    pub fn keys(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.heap.entries().iter().map(|entry: &Entry| (entry.slot(), entry.key()))
    }

    /// Rows seen, those of weight 0 among them.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }
}
