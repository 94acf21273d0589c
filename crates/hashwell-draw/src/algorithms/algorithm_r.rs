//! Algorithm R, the classic reservoir.

use crate::Error;
use crate::sample::by_rows::{AHEAD, ByRows, Choices};
use crate::sample::count::Count;
use crate::sample::words_ahead::WordsAhead;
use crate::state::{Kind, Reader, Writer};
use hashwell::{ByteSource, RandomSource};
use std::marker::PhantomData;

/// The rule of [`AlgorithmR`]: row i, counted from 1, draws one of i numbers.
#[derive(Clone, Debug)]
pub struct RowNumber;

impl Choices for RowNumber {
    #[inline(always)]
    fn of(seen: u64) -> u64 {
        seen + 1
    }
}

/// Algorithm R (Waterman; Knuth 3.4.2, exercise 10; Vitter 1985, section 2): row i > k draws a number j with 0 <= j <
/// i, and takes slot j if j < k. Every set of k of n rows has probability exactly 1 / C(n, k).
///
/// Consumes one random number for each row after the first k, plus those that
/// [`below_lemire`](crate::draw::below_lemire) rejects. Random numbers are consumed for up to 65536 rows ahead, so when
/// the stream ends, some may have been consumed for rows that never came. Row i <= k can only be in slot i - 1: slots
/// are not in random order.
///
/// Random numbers are read in blocks of 512, or one by one if the source has fewer than 512 left. Other readers of the
/// same source continue after the block.
pub type AlgorithmR<W> = ByRows<W, RowNumber>;

impl<W: RandomSource> AlgorithmR<W> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the position in the random
    /// source, but not the source.
    ///
    /// # Errors
    /// Returns an earlier error of the random source, if there was one.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        Ok(self.saved(self.words.stream_position()))
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut writer = Writer::new(Kind::AlgorithmR);
        self.count.save(&mut writer);
        writer.option_u128(position).option_u128(self.slot.map(u128::from));
        writer.finish()
    }

    /// Restores a saved state. `words` gets the number of bytes that were read from the random source, or `None` if the
    /// source did not count them. It returns the source, positioned after these bytes.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type, or the error that `words` returns.
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::AlgorithmR)?;
        let count = Count::load(&mut reader)?;
        let (position, slot) = (reader.option_u128()?, reader.option_u128()?);
        reader.end()?;
        let slot = slot
            .map(u64::try_from)
            .transpose()
            .map_err(|_| Reader::contradiction("the slot of the next row is out of range"))?;
        let full = count.capacity > 0 && count.seen >= count.capacity;
        let fits = match slot {
            Some(slot) => full && slot < count.capacity,
            None => !full || count.skip > 0,
        };
        // Looking ahead always ends with one of these numbers of rows to skip.
        let ends = count.capacity == 0 || count.seen == u64::MAX;
        let skips = count.skip <= AHEAD.min(u64::MAX - count.seen) || (ends && count.skip == u64::MAX);
        if !(fits && skips) {
            return Err(Reader::contradiction(
                "the next slot or the number of rows to skip does not match the rows seen",
            ));
        }
        let words = WordsAhead::new(words(position)?);
        let sampler = Self { words, count, slot, error: None, choices: PhantomData };
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}
