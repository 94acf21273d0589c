//! Rows drawn with replacement from a stream of weights.

use super::queue::{Entry, Queue};
use super::weight::{check, is_weight};
use crate::sample::check_slots;
use crate::{Error, RandomSource};
use num_bigint::BigUint;

/// k independent draws from a stream, each row i with probability w/W: after every row, W being the sum so far. A draw
/// that holds a row when the sum is W loses it before the sum is W' with probability 1 - W/W': so it waits until the sum
/// exceeds W/U. That is known when it takes its row, and a row that nobody waits for costs an addition and a comparison.
///
/// Sums are rounded as floats are, and none is too large: from 2^900 on they are counted in units of 2^200. While the sum is below 2.3e-308, where floats are subnormal, that is to multiples of
/// 5e-324, and W/U with it: weights so light have probabilities that are off by up to about 5e-324/W of themselves.
///
/// Words: one for each slot that a row takes; in the mean at most k·(1 + ln(W/w₁)), w₁ being the first weight that is
/// not 0.
#[derive(Clone)]
pub struct WeightedWithReplacement<W> {
    pub(super) words: W,
    /// The sums that the slots wait for, the bits inverted so that the next comes first.
    pub(super) waiting: Queue,
    /// The sum, and what rounding took from it (Neumaier).
    pub(super) sum: f64,
    pub(super) lost: f64,
    /// Whether weights and sums are counted in units of [`UNIT`], since they are so large.
    pub(super) in_units: bool,
    pub(super) seen: u64,
    taken: Vec<usize>,
}

/// The unit of large sums, 2^200, and the sum from which on it is the unit. Below that, no slot waits for infinity; beyond it,
/// 2^64 weights of any size have a finite sum, for W/U of which there is room too.
const UNIT: f64 = f64::from_bits((1023 + 200) << 52);
const LARGE: f64 = f64::from_bits((1023 + 900) << 52);

impl<W: RandomSource> WeightedWithReplacement<W> {
    /// k draws; k = 0 is none.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](crate::sample::MAX_SLOTS), [`Error::Memory`]: the first
    /// row takes all slots.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        check_slots(k as u64)?;
        let waiting = Queue::reserved(k)?;
        Ok(Self { words, waiting, sum: 0.0, lost: 0.0, in_units: false, seen: 0, taken: Vec::new() })
    }

    /// The next row: the slots that it takes. The first row that has a weight takes all.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] names the weight and the row, which then was not seen. After [`Error::RandomSource`] or [`Error::Memory`] some slots may have been taken: the sample is of no more use.
    pub fn offer(&mut self, weight: f64) -> Result<&[usize], Error> {
        check(weight, self.seen)?;
        if !self.in_units && self.sum + weight >= LARGE {
            self.count_in_units();
        }
        let weight = if self.in_units { weight / UNIT } else { weight };
        let sum = self.sum + weight;
        let bits = if self.sum >= weight { (self.sum - sum) + weight } else { (weight - sum) + self.sum };
        (self.sum, self.lost) = (sum, self.lost + bits);
        self.seen = self.seen.saturating_add(1);
        self.taken.clear();
        if weight > 0.0 {
            self.take(self.sum + self.lost)?;
        }
        Ok(&self.taken)
    }

    /// From now on sums are multiples of a power of two: what is there is divided by it, which rounds nothing that counts.
    fn count_in_units(&mut self) {
        self.in_units = true;
        self.sum /= UNIT;
        self.lost /= UNIT;
        self.waiting.map(|key| !(f64::from_bits(!key) / UNIT).to_bits());
    }

    fn take(&mut self, sum: f64) -> Result<(), Error> {
        while !self.waiting.is_full() {
            let key = !wait(self.words.next_u64()?, sum).to_bits();
            self.note()?;
            let slot = self.waiting.fill(key)?;
            self.taken.push(slot);
        }
        while self.waiting.largest().map(Entry::key).is_some_and(|key| f64::from_bits(!key) < sum) {
            let key = !wait(self.words.next_u64()?, sum).to_bits();
            self.note()?;
            let slot = self.waiting.replace(key)?;
            self.taken.push(slot);
        }
        Ok(())
    }

    /// Room for a slot.
    fn note(&mut self) -> Result<(), Error> {
        self.taken.try_reserve(1).map_err(|_| Error::Memory { what: "the slots of a row" })
    }

    /// A saved sum, what it lost, and the rows seen, of a sampler whose slots wait. False if there can be none such:
    /// what rounding takes is little, and no slot waits for a sum that was reached.
    pub(super) fn set_sum(&mut self, (sum, in_units): (f64, bool), lost: f64, seen: u64) -> bool {
        (self.sum, self.in_units, self.lost, self.seen) = (sum, in_units, lost, seen);
        let reached = sum + lost;
        let waits = |entry: Entry| f64::from_bits(!entry.key()) >= reached;
        let is_large = sum >= LARGE / UNIT || !in_units;
        is_large
            && is_weight(sum)
            && lost.abs() <= sum / 2.0
            && is_weight(reached)
            && self.waiting.entries().all(waits)
    }

    /// The sum of the weights, rounded as floats are, as decimal text.
    #[must_use]
    pub fn sum(&self) -> String {
        let sum = self.sum + self.lost;
        if !self.in_units {
            return sum.to_string();
        }
        // A float so large is an integer: 53 bits, and zeros behind them.
        let bits = sum.to_bits();
        let digits = (bits & ((1 << 52) - 1)) | (1 << 52);
        (BigUint::from(digits) << ((bits >> 52) - 1075 + 200)).to_string()
    }

    /// The sample's size.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.waiting.capacity()
    }

    /// How many slots are taken.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.waiting.len()
    }

    /// Rows seen, those of weight 0 among them.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }
}

/// W/U, U = (word + ½)/2^64.
fn wait(word: u64, sum: f64) -> f64 {
    const STEP: f64 = 1.0 / (1_u128 << 64) as f64;
    sum / ((word as f64 + 0.5) * STEP)
}
