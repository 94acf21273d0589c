//! A-ARes: one key a row (Efraimidis and Spirakis, *Weighted random sampling with a reservoir*, 2006, section 3).

use crate::weighted::arrival::Arrival;
use crate::weighted::put_back::PutBack;
use crate::weighted::queue::Queue;
use crate::weighted::weight::check;
use crate::{Error, RandomSource};

/// Successive sampling of k rows of a stream, a word a row. [`AExpJ`](crate::weighted::AExpJ) has the same law with far fewer
/// words; this one is the definition that it is held against, and the one whose rows can be raced anywhere
/// ([`WeightedReservoir`](crate::weighted::WeightedReservoir)).
pub struct ARes<W> {
    words: PutBack<W>,
    queue: Queue,
    seen: u64,
}

impl<W: RandomSource> ARes<W> {
    /// A sample of k rows; k = 0 is an empty one.
    ///
    /// # Errors
    /// None yet; as other samplers'.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self { words: PutBack::new(words), queue: Queue::new(k), seen: 0 })
    }

    /// The next row: the slot that it takes, if it does. Slots are filled in order first. Eats a word if the weight is not
    /// 0 and k is not.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] names the weight and the row, [`Error::RandomSource`], [`Error::Memory`]: the row then was not seen,
    /// and none of its words is lost.
    pub fn offer(&mut self, weight: f64) -> Result<Option<usize>, Error> {
        check(weight, self.seen)?;
        let slot = if weight == 0.0 || self.queue.capacity() == 0 { None } else { self.race(weight)? };
        self.seen = self.seen.saturating_add(1);
        Ok(slot)
    }

    fn race(&mut self, weight: f64) -> Result<Option<usize>, Error> {
        let word = self.words.next_u64()?;
        let Some(last) = self.queue.largest() else {
            let slot = self.queue.fill(Arrival::of(word, weight).0);
            return slot.map(Some).inspect_err(|_| self.words.give_back(word));
        };
        // -ln U >= 1 - U, which is too late for most rows without a logarithm. With room for rounding.
        const STEP: f64 = 1.0 / (1_u128 << 64) as f64;
        if !word as f64 * STEP > Arrival(last.key()).times(weight) * 1.000_001 {
            return Ok(None);
        }
        let arrival = Arrival::of(word, weight);
        if arrival.0 >= last.key() {
            return Ok(None);
        }
        self.queue.replace(arrival.0).map(Some).inspect_err(|_| self.words.give_back(word))
    }

    /// The slots and their rows' keys, ln E - ln w, in no order: what a [`WeightedReservoir`](crate::weighted::WeightedReservoir) merges.
    pub fn keys(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.queue.entries().map(|entry| (entry.slot(), Arrival(entry.key()).ln()))
    }

    /// Rows seen, those of weight 0 among them.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }
}
