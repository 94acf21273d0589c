//! Samples with replacement.

use super::count::check_slots;
use crate::Error;
use crate::draw::below;
use crate::order::sort_unstable;
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const MEMORY: Error = Error::Memory { what: "slots" };

/// k slots over a stream, each of which holds a row of its own, every row with the same chance: a sample of k with
/// replacement. One row can be in several slots.
///
/// A slot is a reservoir of one. After it took row number t, counted from 1, one word R says the number of the row that
/// it takes next, ⌊t · 2^64 / (R + 1)⌋ + 1: that it is above i has the chance t / i, exactly but for the 64 bits of R
/// (by less than 2^-64).
///
/// Row number 2^64 - 1 is never taken, nor are those after it: as the next row of a slot it says that there is none.
///
/// One word for each row that a slot takes, of slots that take the same row in their order; about k · (1 + ln n) for n
/// rows. O(log k) time for each, memory for 2 k numbers.
#[derive(Clone, Debug)]
pub struct WithReplacement<W> {
    words: W,
    seen: u64,
    /// The number of the next row of each slot, u64::MAX for none, and the slot; the least on top.
    next: BinaryHeap<Reverse<(u64, usize)>>,
}

impl<W: RandomSource> WithReplacement<W> {
    /// k slots, into which the first row goes.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](super::MAX_SLOTS), [`Error::Memory`].
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        check_slots(k as u64)?;
        let mut next = Vec::new();
        next.try_reserve_exact(k).map_err(|_| MEMORY)?;
        next.extend((0..k).map(|slot| Reverse((1, slot))));
        Ok(Self { words, seen: 0, next: next.into() })
    }

    /// Rows to pass over before the next that a slot takes; `u64::MAX` if none does any more.
    #[must_use]
    pub fn skip(&self) -> u64 {
        match self.next.peek() {
            Some(&Reverse((row, _))) if row < u64::MAX => row - self.seen - 1,
            _ => u64::MAX,
        }
    }

    /// So many rows went by.
    ///
    /// # Panics
    /// If they are more than [`WithReplacement::skip`].
    pub fn passed(&mut self, rows: u64) {
        assert!(rows <= self.skip(), "{rows} rows went by where one of the next {} is taken", self.skip());
        self.seen = self.seen.saturating_add(rows);
    }

    /// The next row is taken, which is right only where [`WithReplacement::skip`] is 0. Writes the slots that take it to
    /// `slots`, in ascending order.
    ///
    /// # Errors
    /// [`Error::RandomSource`], [`Error::Memory`]. No slot has taken the row then, and nothing has changed but the words.
    ///
    /// # Panics
    /// If [`WithReplacement::skip`] is not 0.
    pub fn enter(&mut self, slots: &mut Vec<usize>) -> Result<(), Error> {
        assert!(self.skip() == 0, "a row is taken, before which {} are not", self.skip());
        let row = self.seen + 1;
        slots.clear();
        let mut next = Vec::new();
        let drawn = self.take(row, slots, &mut next);
        if drawn.is_err() {
            next.fill(row);
        }
        // There is room where they came from.
        self.next.extend(slots.iter().zip(next).map(|(&slot, row)| Reverse((row, slot))));
        drawn?;
        self.seen = row;
        Ok(())
    }

    /// Takes the slots whose next row this is off the heap, and draws the next row of each.
    fn take(&mut self, row: u64, slots: &mut Vec<usize>, next: &mut Vec<u64>) -> Result<(), Error> {
        while let Some(&Reverse((_, slot))) = self.next.peek().filter(|next| next.0.0 == row) {
            slots.try_reserve(1).and(next.try_reserve(1)).map_err(|_| MEMORY)?;
            slots.push(slot);
            next.push(row);
            self.next.pop();
        }
        for next in next {
            *next = next_row(row, self.words.next_u64()?);
        }
        Ok(())
    }

    /// Rows seen so far.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Slots.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.next.len()
    }

    /// The words, to draw more of them for something else.
    pub fn words(&mut self) -> &mut W {
        &mut self.words
    }

    /// The state as bytes (`state`): all but the words, of which it has the position.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut slots: Vec<(usize, u64)> =
            self.next.iter().map(|&Reverse((row, slot))| (slot, row)).collect();
        slots.sort_unstable();
        let mut writer = Writer::new(Kind::WithReplacement);
        let rows: Vec<u8> = slots.into_iter().flat_map(|(_, row)| row.to_be_bytes()).collect();
        writer.u64(self.seen).option_u128(position).bytes(&rows);
        writer.finish()
    }

    /// A saved state. `words` is told how many bytes of the words were read, if the source had counted them, and gives
    /// the words from there on.
    ///
    /// # Errors
    /// [`Error::Invalid`] for bytes that are not such a state, [`Error::Memory`]; what `words` says.
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::WithReplacement)?;
        let (seen, position, rows) = (reader.u64()?, reader.option_u128()?, reader.bytes()?);
        reader.end()?;
        let (rows, rest) = rows.as_chunks();
        let rows = || rows.iter().map(|row| u64::from_be_bytes(*row));
        if !rest.is_empty() || rows().any(|row| row <= seen && row < u64::MAX) {
            return Err(Reader::contradiction("a slot takes a row that went by"));
        }
        if seen == 0 && rows().any(|row| row != 1) {
            return Err(Reader::contradiction("a slot does not take the first row"));
        }
        let mut slots = Self::new(words(position)?, rows().len())?;
        slots.seen = seen;
        let mut next = std::mem::take(&mut slots.next).into_vec();
        next.iter_mut().zip(rows()).for_each(|(Reverse(next), row)| next.0 = row);
        slots.next = next.into();
        Reader::same(bytes, &slots.saved(position))?;
        Ok(slots)
    }
}

/// ⌊row · 2^64 / (word + 1)⌋ + 1, or `u64::MAX` beyond it.
fn next_row(row: u64, word: u64) -> u64 {
    let last = (u128::from(row) << 64) / (u128::from(word) + 1);
    u64::try_from(last).map_or(u64::MAX, |last| last.saturating_add(1))
}

/// How often each of the numbers 0 to n - 1 is drawn in k draws with replacement: pairs of number and count, the
/// numbers ascending, those that are never drawn left out. The counts have the multinomial law of equal chances.
///
/// The draws are k times [`below`] of n. k words, and those that it refuses; memory and time for k numbers.
///
/// # Errors
/// [`Error::OutOfRange`] if n is 0 and k is not, [`Error::RandomSource`], [`Error::Memory`].
pub fn multinomial(
    words: &mut (impl RandomSource + ?Sized),
    n: u64,
    k: u64,
) -> Result<Vec<(u64, u64)>, Error> {
    let memory = |_| Error::Memory { what: "a sample" };
    let mut draws: Vec<u64> = Vec::new();
    draws.try_reserve_exact(usize::try_from(k).unwrap_or(usize::MAX)).map_err(memory)?;
    for _ in 0..k {
        draws.push(below(words, n)?);
    }
    sort_unstable(&mut draws);
    let runs = draws.chunk_by(|a, b| a == b);
    Ok(runs.map(|run| (run[0], run.len() as u64)).collect())
}
