//! Rows drawn with replacement from a stream of weights.

use super::queue::{Entry, Queue};
use super::weight::{check, is_weight};
use crate::sample::check_slots;
use crate::{Error, RandomSource};
use num_bigint::BigUint;

/// k independent draws with replacement from a stream of weighted rows. After every row, each draw holds row i with
/// probability w/W, where w is the weight of row i and W is the sum of all weights so far. If a draw holds a row when
/// the sum is W, it loses the row with probability 1 - W/W' while the sum grows to W'. When a draw takes a row at the
/// sum W, it draws a random number U, uniform on (0, 1), and keeps the row until the sum exceeds W/U. A row that no
/// draw takes costs one addition and one comparison.
///
/// Sums are rounded like all floats, but never overflow, because they are counted in units of 2^200 from 2^900 on.
/// While the sum is below 2.3e-308, where floats are subnormal, the sum and W/U are rounded to multiples of 5e-324.
/// With such small weights, the relative error of a probability is up to about 5e-324/W.
///
/// Each slot that a row takes consumes one random number. On average, at most k·(1 + ln(W/w₁)) numbers are consumed,
/// where w₁ is the first positive weight.
#[derive(Clone)]
pub struct WeightedWithReplacement<W> {
    pub(super) words: W,
    /// The sums that the slots wait for, with inverted bits so that the smallest sum comes first.
    pub(super) waiting: Queue,
    /// The sum, and the rounding error to add to it (Neumaier summation).
    pub(super) sum: f64,
    pub(super) lost: f64,
    /// True if weights and sums are counted in units of [`UNIT`], because they are so large.
    pub(super) in_units: bool,
    pub(super) seen: u64,
    taken: Vec<usize>,
}

/// The unit of large sums, 2^200, and the smallest sum for which it is used. Below that sum, no slot waits for
/// infinity. Above it, the sum of 2^64 weights of any size is finite, and so is W/U.
const UNIT: f64 = f64::from_bits((1023 + 200) << 52);
const LARGE: f64 = f64::from_bits((1023 + 900) << 52);

impl<W: RandomSource> WeightedWithReplacement<W> {
    /// Starts k draws. If k is 0, there are none.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](crate::sample::MAX_SLOTS), or [`Error::Memory`] if
    /// an allocation fails. Memory is allocated for all slots, because the first row takes all of them.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        check_slots(k as u64)?;
        let waiting = Queue::reserved(k)?;
        Ok(Self { words, waiting, sum: 0.0, lost: 0.0, in_units: false, seen: 0, taken: Vec::new() })
    }

    /// Offers the next row, and returns the slots that it takes. The first row with a positive weight takes all slots.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the weight is negative, infinite or NaN. The error contains the weight and the
    /// index of the row, and the row does not count as seen. Returns [`Error::RandomSource`] if the random source
    /// fails, or [`Error::Memory`] if an allocation fails. After one of these two errors, some slots may have been
    /// taken, and the sample must be discarded.
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

    /// Switches to units of a power of two. Dividing the existing values by it rounds away nothing significant.
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

    /// Reserves memory for one more slot.
    fn note(&mut self) -> Result<(), Error> {
        self.taken.try_reserve(1).map_err(|_| Error::Memory { what: "the slots of a row" })
    }

    /// Restores a saved sum, its rounding error, and the rows seen, after the slots' sums have been restored. Returns
    /// false if the values are impossible: the rounding error must be small, and no slot may wait for a sum that was
    /// reached.
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

    /// The sum of the weights, rounded like floats, as decimal text.
    #[must_use]
    pub fn sum(&self) -> String {
        let sum = self.sum + self.lost;
        if !self.in_units {
            return sum.to_string();
        }
        // A float this large is an integer: 53 bits, followed by zeros.
        let bits = sum.to_bits();
        let digits = (bits & ((1 << 52) - 1)) | (1 << 52);
        (BigUint::from(digits) << ((bits >> 52) - 1075 + 200)).to_string()
    }

    /// The size of the sample.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.waiting.capacity()
    }

    /// The number of slots filled.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.waiting.len()
    }

    /// The number of rows seen, including those of weight 0.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }
}

/// W/U, where U = (word + ½)/2^64.
fn wait(word: u64, sum: f64) -> f64 {
    const STEP: f64 = 1.0 / (1_u128 << 64) as f64;
    sum / ((word as f64 + 0.5) * STEP)
}
