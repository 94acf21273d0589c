//! Sequential sampling: a sorted sample of a known number of items, in constant memory.

use crate::Error;
use crate::sample::count::check_slots;
use crate::sample::skip::{Fixed, longest};
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;

/// Samples k of the numbers 0 to n - 1 without replacement, in ascending order.
///
/// If k of the n numbers left are still to be picked, the probability of skipping at least s of them is C(n - s, k) /
/// C(n, k) (Vitter 1984, "Faster Methods for Random Sampling", section 2). One random number R determines the skip: the
/// largest s for which this probability is at least (R + 1) / 2^64. The comparison uses integers, as in
/// [`SkipReservoir`](crate::sample::SkipReservoir). Because R has only 64 bits, the probability of a skip differs from
/// the exact one, but by less than 2^-64. Apart from this, every set of k numbers has the same probability. Vitter's
/// method D has the same distribution, but uses rejection with powers of floats, which can differ between machines.
///
/// Consumes one random number for each pick. Each pick takes a few times min(k, s) multiplications; all picks together
/// take at most a few times min(n, k²). If that is too much, use [`floyd`](crate::algorithms::floyd), which keeps all
/// picks in memory.
#[derive(Clone, Debug)]
pub struct SequentialSampler<W> {
    words: W,
    /// The numbers that are left are `at` to `n` - 1.
    at: u64,
    n: u64,
    k: u64,
}

impl<W: RandomSource> SequentialSampler<W> {
    /// Starts a sample of k of n numbers, or of all n if k is larger.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](crate::sample::MAX_SLOTS).
    pub fn new(words: W, n: u64, k: u64) -> Result<Self, Error> {
        check_slots(k)?;
        Ok(Self { words, at: 0, n, k: k.min(n) })
    }

    /// Returns the next pick. After k picks, returns `None` and consumes no random number.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails. In this case, nothing is picked.
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

    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the position in the random
    /// source, but not the source.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut writer = Writer::new(Kind::SequentialSampler);
        writer.u64(self.at).u64(self.n).u64(self.k).option_u128(position);
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
        let mut reader = Reader::new(bytes, Kind::SequentialSampler)?;
        let (at, n, k, position) = (reader.u64()?, reader.u64()?, reader.u64()?, reader.option_u128()?);
        reader.end()?;
        check_slots(k)?;
        if n.checked_sub(at).is_none_or(|left| left < k) {
            return Err(Reader::contradiction("fewer numbers remain than must be picked"));
        }
        let sampler = Self { words: words(position)?, at, n, k };
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}
