//! A sample of known size of known n, in order, in the memory of a few numbers.

use crate::Error;
use crate::sample::count::check_slots;
use crate::sample::skip::{Fixed, longest};
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;

/// A sample without replacement of k of the numbers 0 to n - 1, in ascending order.
///
/// With k of n numbers still to pick, the chance to pass over s of them at least is C(n - s, k) / C(n, k) (Vitter 1984,
/// "Faster Methods for Random Sampling", section 2). One word R says the skip: the largest s for which that is
/// (R + 1) / 2^64 at least, decided by integers as in [`SkipReservoir`](crate::sample::SkipReservoir). So every set of k has the same
/// probability, except for the 64 bits of R: the probability of a skip differs from the exact one by less than 2^-64. Vitter's
/// method D draws the same law by rejection with powers of floats, which no two machines need to agree on.
///
/// One word a pick. Time for each: the lesser of k and s multiplications, a few times, which for all are at
/// most a few times the lesser of n and k²; where that is too much, sort the picks of [`floyd`](crate::algorithms::floyd).
#[derive(Clone, Debug)]
pub struct SequentialSampler<W> {
    words: W,
    /// The numbers that are left are those from here to n.
    at: u64,
    n: u64,
    k: u64,
}

impl<W: RandomSource> SequentialSampler<W> {
    /// Picks of k of n numbers; of all of them, if k is more.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](crate::sample::MAX_SLOTS).
    pub fn new(words: W, n: u64, k: u64) -> Result<Self, Error> {
        check_slots(k)?;
        Ok(Self { words, at: 0, n, k: k.min(n) })
    }

    /// The next pick; `None` after k, for which no word is eaten.
    ///
    /// # Errors
    /// [`Error::RandomSource`]; nothing is picked then.
    pub fn next_pick(&mut self) -> Result<Option<u64>, Error> {
        if self.k == 0 {
            return Ok(None);
        }
        let left = self.n - self.at;
        let skip = longest(&Fixed { n: left }, self.k, left - self.k, self.words.next_u64()?);
        let pick = self.at + skip;
        self.at = pick + 1;
        self.k -= 1;
        Ok(Some(pick))
    }

    /// The state as bytes (`state`): all but the words, of which it has the position.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut writer = Writer::new(Kind::SequentialSampler);
        writer.u64(self.at).u64(self.n).u64(self.k).option_u128(position);
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
        let mut reader = Reader::new(bytes, Kind::SequentialSampler)?;
        let (at, n, k, position) = (reader.u64()?, reader.u64()?, reader.u64()?, reader.option_u128()?);
        reader.end()?;
        check_slots(k)?;
        if n.checked_sub(at).is_none_or(|left| left < k) {
            return Err(Reader::contradiction("it has more to pick than is left"));
        }
        let sampler = Self { words: words(position)?, at, n, k };
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}
