//! Algorithm R.

use crate::Error;
use crate::sample::by_rows::{AHEAD, ByRows, Choices};
use crate::sample::count::Count;
use crate::sample::words_ahead::WordsAhead;
use crate::state::{Kind, Reader, Writer};
use hashwell::{ByteSource, RandomSource};
use std::marker::PhantomData;

/// Row number i, counted from 1, draws one of i numbers.
#[derive(Clone, Debug)]
pub struct RowNumber;

impl Choices for RowNumber {
    #[inline(always)]
    fn of(seen: u64) -> u64 {
        seen + 1
    }
}

/// Algorithm R (Waterman; Knuth 3.4.2, exercise 10; Vitter 1985, section 2): row number i > k draws a number of
/// 0 <= j < i, and takes slot j if j < k. Every set of k of n rows has the chance 1 / C(n, k), exactly.
///
/// A word for each row after the first k, and those that [`below_lemire`](crate::draw::below_lemire) refuses. They are
/// drawn for up to 65536 rows ahead, so that a stream that ends has eaten words for rows that never came. Row i <= k
/// can only be in slot i - 1: the slots are no random order.
///
/// Words are read in blocks of 512, or, where the source has fewer, one by one: what else reads the source goes on
/// behind the block.
pub type AlgorithmR<W> = ByRows<W, RowNumber>;

impl<W: RandomSource> AlgorithmR<W> {
    /// The state as bytes (`state`): all but the words, of which it has the position.
    ///
    /// # Errors
    /// What kept the words from coming, if anything did.
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

    /// A saved state. `words` is told how many bytes of the words were read, if the source had counted them, and gives
    /// the words from there on.
    ///
    /// # Errors
    /// [`Error::Invalid`] for bytes that are not such a state; what `words` says.
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::AlgorithmR)?;
        let count = Count::load(&mut reader)?;
        let (position, slot) = (reader.option_u128()?, reader.option_u128()?);
        reader.end()?;
        let slot =
            slot.map(u64::try_from).transpose().map_err(|_| Reader::contradiction("its slot is none"))?;
        let full = count.capacity > 0 && count.seen >= count.capacity;
        let fits = match slot {
            Some(slot) => full && slot < count.capacity,
            None => !full || count.skip > 0,
        };
        // What looking ahead can find.
        let ends = count.capacity == 0 || count.seen == u64::MAX;
        let skips = count.skip <= AHEAD.min(u64::MAX - count.seen) || (ends && count.skip == u64::MAX);
        if !(fits && skips) {
            return Err(Reader::contradiction("the next row's slot or skip does not fit its rows"));
        }
        let words = WordsAhead::new(words(position)?);
        let sampler = Self { words, count, slot, error: None, choices: PhantomData };
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}
