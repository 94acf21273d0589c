//! Reservoirs by rows: every row draws a number, and takes the slot of that number, if there is one.

use super::count::Count;
use super::reservoir::Reservoir;
use super::words_ahead::WordsAhead;
use crate::Error;
use hashwell::RandomSource;
use std::marker::PhantomData;

/// Rows that are decided ahead, at most: what the rule has drawn for rows that never come stays below this.
pub(crate) const AHEAD: u64 = 1 << 16;

/// Among how many numbers a row draws.
pub trait Choices: Clone + std::fmt::Debug {
    /// For the row after `seen` rows; one more for each row more.
    fn of(seen: u64) -> u64;
}

/// A reservoir that draws a number for every row after the slots are full, by
/// [`below_lemire`](crate::draw::below_lemire): one word a row. Which rows do not enter is found out ahead, at most
/// 65536 rows, so that the loop over the words is a short one; they are read in blocks.
#[derive(Clone, Debug)]
pub struct ByRows<W, C> {
    pub(crate) words: WordsAhead<W>,
    pub(crate) count: Count,
    /// The slot of the row after those to be passed over; `None` if it is not drawn yet.
    pub(crate) slot: Option<u64>,
    /// What kept the words from coming in [`Reservoir::passed`], which cannot say it.
    pub(crate) error: Option<Error>,
    pub(crate) choices: PhantomData<C>,
}

impl<W: RandomSource, C: Choices> ByRows<W, C> {
    /// A reservoir of k slots. No word is eaten before the k-th row enters.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](super::MAX_SLOTS). With k = 0 no row ever enters.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self {
            words: WordsAhead::new(words),
            count: Count::new(k)?,
            slot: None,
            error: None,
            choices: PhantomData,
        })
    }

    /// Draws for the rows after `seen`: how many of them do not enter, and the slot of the one that does.
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
