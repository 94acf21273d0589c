//! Reservoirs that skip: a rule gives the number of rows to skip, and the row after them takes a random slot.

use super::count::Count;
use super::reservoir::Reservoir;
use crate::Error;
use crate::draw::Below;
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;

/// A rule that draws the number of rows to skip before the next row enters.
pub trait SkipRule: Clone + std::fmt::Debug {
    /// Creates the rule in its state before the first skip.
    fn start() -> Self;

    /// The number of rows to skip after `seen` rows, when all `slots` are full. Returns `u64::MAX` if no row with a
    /// 64-bit number will enter.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails. The rule is then unchanged.
    fn next(&mut self, words: &mut impl RandomSource, slots: u64, seen: u64) -> Result<u64, Error>;
}

/// A rule whose state can be saved.
pub trait SavedRule: SkipRule {
    /// The kind of the saved state.
    const KIND: Kind;

    /// Appends the rule's state.
    fn save(&self, writer: &mut Writer);

    /// Reads and checks the data written by [`SavedRule::save`]. `full` is true if all slots are full, so that the rule
    /// has drawn a skip.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the data is not a valid state of this rule.
    fn load(reader: &mut Reader<'_>, full: bool) -> Result<Self, Error>;
}

/// A reservoir that skips rows. For every row that enters after the slots are full, its rule draws the number of rows
/// to skip, and [`below`](crate::draw::below) draws a slot. The reservoir needs memory for only a few numbers.
#[derive(Clone, Debug)]
pub struct BySkips<W, R> {
    words: W,
    count: Count,
    /// Draws a slot.
    below: Below,
    rule: R,
}

impl<W: RandomSource, R: SkipRule> BySkips<W, R> {
    /// Creates a reservoir of k slots. No random number is consumed before the k-th row enters. If k is 0, no row ever
    /// enters.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](super::MAX_SLOTS).
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self::over(words, Count::new(k)?, R::start()))
    }

    fn over(words: W, count: Count, rule: R) -> Self {
        Self { words, below: Below::new(count.capacity), count, rule }
    }

    /// A reservoir that has seen `seen` rows and skips `skip` more. `words` are its random numbers from there on.
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    pub(crate) fn resumed(words: W, k: usize, seen: u64, skip: u64) -> Result<Self, Error> {
        Ok(Self::over(words, Count { seen, skip, ..Count::new(k)? }, R::start()))
    }

    /// Returns the random source, so that you can draw other random numbers from it.
    pub fn words(&mut self) -> &mut W {
        &mut self.words
    }
}

impl<W: RandomSource, R: SkipRule> Reservoir for BySkips<W, R> {
    fn skip(&self) -> u64 {
        self.count.skip
    }

    fn passed(&mut self, rows: u64) {
        self.count.passed(rows);
    }

    fn enter(&mut self) -> Result<usize, Error> {
        self.count.check_enters();
        let Count { capacity, seen, .. } = self.count;
        let slot = match self.count.empty_slot() {
            Some(slot) => slot,
            None => self.below.draw(&mut self.words)?,
        };
        let seen = seen.saturating_add(1);
        let skip = if seen < capacity { 0 } else { self.rule.next(&mut self.words, capacity, seen)? };
        self.count.entered(skip);
        Ok(slot as usize)
    }

    fn seen(&self) -> u64 {
        self.count.seen
    }

    fn capacity(&self) -> usize {
        self.count.capacity as usize
    }
}

impl<W: RandomSource, R: SavedRule> BySkips<W, R> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the position in the random
    /// source, but not the source.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut writer = Writer::new(R::KIND);
        self.count.save(&mut writer);
        writer.option_u128(position);
        self.rule.save(&mut writer);
        writer.finish()
    }

    /// Restores a saved state. `words` gets the number of bytes that were read from the random source, or `None` if the
    /// source did not count them. It returns the source, positioned after these bytes.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type. Returns any error that `words`
    /// returns.
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, R::KIND)?;
        let count = Count::load(&mut reader)?;
        let position = reader.option_u128()?;
        let rule = R::load(&mut reader, count.capacity > 0 && count.seen >= count.capacity)?;
        reader.end()?;
        let sampler = Self::over(words(position)?, count, rule);
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}
