//! A-ARes: draws one key for each row (Efraimidis and Spirakis, *Weighted random sampling with a reservoir*, 2006,
//! section 3).

use crate::weighted::arrival::Arrival;
use crate::weighted::put_back::PutBack;
use crate::weighted::queue::Queue;
use crate::weighted::weight::check;
use crate::{Error, RandomSource};

/// Successive sampling of k rows of a stream, with one random number for each row: rows are drawn one after the other,
/// each with probability proportional to its weight among the rows left. [`AExpJ`](crate::weighted::AExpJ) has the same
/// distribution and consumes far fewer random numbers. Tests compare `AExpJ` with this sampler, which follows the
/// definition. A [`WeightedReservoir`](crate::weighted::WeightedReservoir) can merge several samples by the keys of
/// their rows.
pub struct ARes<W> {
    words: PutBack<W>,
    queue: Queue,
    seen: u64,
}

impl<W: RandomSource> ARes<W> {
    /// Creates a sample of k rows, which is empty for k = 0.
    ///
    /// # Errors
    /// This function currently never fails.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self { words: PutBack::new(words), queue: Queue::new(k), seen: 0 })
    }

    /// Offers the next row. Returns the slot that the row takes, or `None` if it takes none. Empty slots are filled in
    /// order. Consumes one random number unless the weight or k is 0.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the weight is not valid; the error names the weight and the row. Returns
    /// [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails. After an error,
    /// the row does not count as seen, and no random number is lost.
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
        // Because -ln U >= 1 - U, this rules out most rows without computing a logarithm. The factor allows for
        // rounding.
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

    /// Each slot with the key of its row, in arbitrary order. The key is ln E - ln w, where E is exponentially
    /// distributed and w is the weight. A [`WeightedReservoir`](crate::weighted::WeightedReservoir) can merge samples
    /// by these keys.
    pub fn keys(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.queue.entries().map(|entry| (entry.slot(), Arrival(entry.key()).ln()))
    }

    /// The number of rows seen, including those of weight 0.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }
}
