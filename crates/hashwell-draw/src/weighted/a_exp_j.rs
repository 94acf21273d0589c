//! A-ExpJ: one jump and one key for each row that enters (Efraimidis and Spirakis 2006, section 4), expressed as a
//! race. If T is the last arrival kept, the weight skipped before the next row that arrives earlier is Exp(1)/T, and
//! that row's E is exponential, given that E < T·w.

use super::arrival::{Arrival, power_of_two};
use super::put_back::PutBack;
use super::queue::{Entry, Queue};
use super::weight::{check, is_weight, refused};
use crate::{Error, RandomSource};

/// A sampler for successive sampling of k rows of a stream. After the first k rows, about k·ln(n/k) of n rows enter the
/// sample, and each of the other rows costs one addition. The sample has the same distribution as with
/// [`ARes`](crate::algorithms::ARes), but contains different rows.
///
/// Weights from 1e-300 to 1e300 can be mixed, because keys have an exponent that is wide enough, and sums are scaled by
/// a suitable power of 2. A jump is the sum of the weights to skip before the next row enters. The sum of the skipped
/// weights starts at 0 for each jump and is computed in blocks of 256 rows. Its rounding error therefore stays below
/// 1e-13 of the jump for a million rows, and below 1e-8 for 10^13 rows.
///
/// The sampler consumes one random number for each of the first k rows, one when the slots are full, and then two for
/// each row that enters.
///
/// ```
/// use hashwell_draw::{Key, key::OPEN_LIST, weighted::AExpJ};
///
/// let weights = [5.0, 0.0, 1e-300, 7.5, 1e300];
/// let mut jumps = AExpJ::new(Key::derive(b"0877", b"", &OPEN_LIST).words(), 2)?;
/// let mut sample = [0; 2];
/// for (row, &weight) in weights.iter().enumerate() {
///     if let Some(slot) = jumps.offer(weight)? {
///         sample[slot] = row;
///     }
/// }
/// assert!(sample.contains(&4) && !sample.contains(&1));
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone)]
pub struct AExpJ<W> {
    pub(super) words: PutBack<W>,
    pub(super) queue: Queue,
    pub(super) seen: u64,
    pub(super) jump: Jump,
}

/// The rest of a jump. The row at which `sum` first exceeds `left` enters.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Jump {
    /// The weight to skip, scaled, without the finished blocks.
    pub(super) left: f64,
    /// The sum of the scaled weights of this block, added in order.
    pub(super) sum: f64,
    /// The number of rows of this block so far.
    pub(super) rows: usize,
    pub(super) scale: f64,
}

/// The number of rows whose weights are added before their sum is subtracted from the jump.
const BLOCK: usize = 256;

impl Jump {
    /// The jump before the slots are full.
    const NONE: Self = Self { left: f64::INFINITY, sum: 0.0, rows: 0, scale: 1.0 };

    /// A jump of Exp(1)/T.
    fn new(word: u64, last: Arrival) -> Self {
        let (left, twos) = last.jump(word);
        Self { left, sum: 0.0, rows: 0, scale: power_of_two(twos) }
    }
}

impl<W: RandomSource> AExpJ<W> {
    /// Starts a sample of k rows. If k is 0, the sample stays empty.
    ///
    /// # Errors
    /// This function currently never fails.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self { words: PutBack::new(words), queue: Queue::new(k), seen: 0, jump: Jump::NONE })
    }

    /// Offers the next row. Returns the slot that it takes, or `None` if it does not enter the sample. Slots are first
    /// filled in order.
    ///
    /// # Errors
    /// Returns the same errors as [`AExpJ::skip_slice`].
    #[inline]
    pub fn offer(&mut self, weight: f64) -> Result<Option<usize>, Error> {
        self.skip_slice(&[weight]).map(|(_, slot)| slot)
    }

    /// Reads rows until one enters. Returns the number of rows read, including the one that enters, and its slot. If no
    /// row enters, returns the number of all rows and `None`. The sample does not depend on how the rows are divided
    /// into slices.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if a weight is negative, infinite or NaN. The error contains the weight and the
    /// index of the row. Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an
    /// allocation fails. After an error, the rows before the failed one count as seen, but the failed row does not.
    pub fn skip_slice(&mut self, weights: &[f64]) -> Result<(usize, Option<usize>), Error> {
        if !self.queue.is_full() {
            return self.fill(weights);
        }
        if self.queue.capacity() == 0 {
            return self.pass_all(weights);
        }
        let mut passed = 0;
        while passed < weights.len() {
            let rest = &weights[passed..];
            let block = &rest[..rest.len().min(BLOCK - self.jump.rows)];
            let (rows, entering) = self.pass(block)?;
            passed += rows;
            if entering {
                return self.enter(rest[rows]).map(|slot| (passed + 1, Some(slot)));
            }
        }
        Ok((passed, None))
    }

    /// Skips rows up to the next row that takes a slot or has an invalid weight, and returns the number of skipped
    /// rows. Pass the first row that was not skipped to [`AExpJ::offer`]. No rows are skipped before all slots are
    /// filled. The sample is the same as with [`AExpJ::skip_slice`].
    pub fn pass_slice(&mut self, weights: &[f64]) -> usize {
        let mut passed = 0;
        while self.queue.is_full() && self.queue.capacity() > 0 && passed < weights.len() {
            let rest = &weights[passed..];
            let block = &rest[..rest.len().min(BLOCK - self.jump.rows)];
            let rows = self.pass_block(block);
            passed += rows;
            if rows < block.len() {
                break;
            }
        }
        passed
    }

    /// Without slots, no row enters, and there is no jump whose sums could overflow.
    fn pass_all(&mut self, weights: &[f64]) -> Result<(usize, Option<usize>), Error> {
        for &weight in weights {
            check(weight, self.seen)?;
            self.seen = self.seen.saturating_add(1);
        }
        Ok((weights.len(), None))
    }

    /// Skips rows of one block. Returns their number, and true if the row after them enters.
    #[inline]
    fn pass(&mut self, block: &[f64]) -> Result<(usize, bool), Error> {
        let rows = self.pass_block(block);
        match block.get(rows) {
            Some(weight) if !is_weight(*weight) => Err(refused(*weight, self.seen)),
            entering => Ok((rows, entering.is_some())),
        }
    }

    /// Skips rows of one block up to the one that enters or has an invalid weight, and returns their number.
    #[inline]
    fn pass_block(&mut self, block: &[f64]) -> usize {
        let Jump { left, mut sum, scale, .. } = self.jump;
        let mut rows = block.len();
        for (row, &weight) in block.iter().enumerate() {
            let next = sum + weight * scale;
            // This is also false if the weight is not valid.
            let passes = is_weight(weight) & (next <= left);
            if !passes {
                rows = row;
                break;
            }
            sum = next;
        }
        self.seen = self.seen.saturating_add(rows as u64);
        self.jump.sum = sum;
        self.jump.rows += rows;
        if self.jump.rows == BLOCK {
            self.jump = Jump { left: left - sum, sum: 0.0, rows: 0, scale };
        }
        rows
    }

    /// Handles rows until the slots are full: the first k rows whose weight is not 0 enter.
    fn fill(&mut self, weights: &[f64]) -> Result<(usize, Option<usize>), Error> {
        for (row, &weight) in weights.iter().enumerate() {
            if !is_weight(weight) {
                return Err(refused(weight, self.seen));
            }
            if weight > 0.0 {
                let first = self.words.next_u64()?;
                // Draw the jump's random number before anything changes as well, so that an error changes nothing.
                let jumps = self.queue.len() + 1 == self.queue.capacity();
                let word = if jumps {
                    self.words.next_u64().inspect_err(|_| self.words.give_back(first))?
                } else {
                    0
                };
                let slot = self.queue.fill(Arrival::of(first, weight).0).inspect_err(|_| {
                    if jumps {
                        self.words.give_back(word);
                    }
                    self.words.give_back(first);
                })?;
                self.jump_on(word);
                self.seen = self.seen.saturating_add(1);
                return Ok((row + 1, Some(slot)));
            }
            self.seen = self.seen.saturating_add(1);
        }
        Ok((weights.len(), None))
    }

    /// Handles the row at which a jump ends.
    #[inline]
    fn enter(&mut self, weight: f64) -> Result<usize, Error> {
        let word = self.words.next_u64()?;
        let next = self.words.next_u64().inspect_err(|_| self.words.give_back(word))?;
        let last = Arrival(self.queue.largest().map_or(u64::MAX, Entry::key));
        let slot = self.queue.replace(last.before(word, weight).0).inspect_err(|_| {
            self.words.give_back(next);
            self.words.give_back(word);
        })?;
        self.seen = self.seen.saturating_add(1);
        self.jump_on(next);
        Ok(slot)
    }

    /// Restores a saved jump: the rest, the sum, the scale, and the rows of the block. The keys must be restored first.
    /// Returns false if the values contradict each other, the keys or the number of rows seen.
    pub(super) fn set_jump(&mut self, [left, sum, scale]: [f64; 3], rows: usize) -> bool {
        self.jump = Jump { left, sum, rows, scale };
        let Some(last) = self.queue.largest() else { return self.jump == Jump::NONE };
        // The smallest random number makes the longest jump.
        let most = Jump::new(0, Arrival(last.key()));
        let starts = rows > 0 || sum == 0.0;
        scale == most.scale
            && left <= most.left
            && 0.0 <= sum
            && sum <= left
            && starts
            && rows < BLOCK
            && rows as u64 <= self.seen
    }

    fn jump_on(&mut self, word: u64) {
        if let Some(last) = self.queue.largest() {
            self.jump = Jump::new(word, Arrival(last.key()));
        }
    }

    /// The slots and the [race keys](super::race_key) of their rows, in arbitrary order. A
    /// [`WeightedReservoir`](super::WeightedReservoir) can merge several samples by these keys.
    pub fn keys(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.queue.entries().map(|entry| (entry.slot(), Arrival(entry.key()).ln()))
    }

    /// The size of the sample.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.queue.capacity()
    }

    /// The number of slots filled.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.queue.len()
    }

    /// The number of rows seen, including those of weight 0.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }
}
