//! Reservoirs that draw a number for every row. The row takes the slot with this number, if there is one.

use super::count::Count;
use super::reservoir::Reservoir;
use super::words_ahead::WordsAhead;
use crate::Error;
use hashwell::RandomSource;
use std::marker::PhantomData;

/// The maximum number of rows decided ahead. It limits the random numbers drawn for rows that never come.
pub(crate) const AHEAD: u64 = 1 << 16;

/// The range from which each row draws a number.
pub trait Choices: Clone + std::fmt::Debug {
    /// The number of choices for the row after `seen` rows. It must grow by one with each row.
    fn of(seen: u64) -> u64;
}

/// A reservoir that draws a number for every row after the slots are full. It calls
/// [`below_lemire`](crate::draw::below_lemire) for each of these rows, which consumes one random number, plus those
/// that are rejected. It decides up to 65536 rows ahead, so that the loop over the random numbers is short. Random
/// numbers are read in blocks.
#[derive(Clone, Debug)]
pub struct ByRows<W, C> {
    pub(crate) words: WordsAhead<W>,
    pub(crate) count: Count,
    /// The slot of the row after the rows to skip; `None` if it has not been drawn yet.
    pub(crate) slot: Option<u64>,
    /// The error of the random source in [`Reservoir::passed`], which cannot return it.
    pub(crate) error: Option<Error>,
    pub(crate) choices: PhantomData<C>,
}

impl<W: RandomSource, C: Choices> ByRows<W, C> {
    /// Creates a reservoir of k slots. No random number is consumed before the k-th row enters. If k is 0, no row ever
    /// enters.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](super::MAX_SLOTS).
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self {
            words: WordsAhead::new(words),
            count: Count::new(k)?,
            slot: None,
            error: None,
            choices: PhantomData,
        })
    }

    /// Draws for the rows after `seen`. Returns the number of rows that do not enter, and the slot of the row that
    /// does.
    fn look_ahead(words: &mut WordsAhead<W>, slots: u64, seen: u64) -> Result<(u64, Option<u64>), Error> {
        let most = AHEAD.min(u64::MAX - seen);
        if most == 0 {
            return Ok((u64::MAX, None));
        }
        let mut rows = 0;
        while rows < most {
            let (passed, slot) = words.pass_rows(most - rows, slots, C::of(seen + rows))?;
            rows += passed;
            if slot.is_some() {
                return Ok((rows, slot));
            }
        }
        Ok((rows, None))
    }
}

impl<W: RandomSource, C: Choices> Reservoir for ByRows<W, C> {
    fn skip(&self) -> u64 {
        self.count.skip
    }

    fn passed(&mut self, rows: u64) {
        self.count.passed(rows);
        if rows > 0 && self.count.skip == 0 && self.slot.is_none() {
            match Self::look_ahead(&mut self.words, self.count.capacity, self.count.seen) {
                Ok((skip, slot)) => (self.count.skip, self.slot) = (skip, slot),
                Err(error) => self.error = Some(error),
            }
        }
    }

    fn enter(&mut self) -> Result<usize, Error> {
        self.count.check_enters();
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let Count { capacity, seen, .. } = self.count;
        let slot = self.count.empty_slot().or(self.slot).expect("a row that enters has its slot");
        let seen = seen.saturating_add(1);
        let ahead =
            if seen < capacity { (0, None) } else { Self::look_ahead(&mut self.words, capacity, seen)? };
        self.count.entered(ahead.0);
        self.slot = ahead.1;
        Ok(slot as usize)
    }

    fn seen(&self) -> u64 {
        self.count.seen
    }

    fn capacity(&self) -> usize {
        self.count.capacity as usize
    }
}
