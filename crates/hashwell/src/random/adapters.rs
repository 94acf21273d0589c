//! Sources whose integers come from a list, a function, or a generator of `rand_core`.

use super::buffer::{Blocks, Buffer};
use super::words::{ByteSource, bytes};
use crate::internal::error::Error;

/// A random source that returns a finite list of 64-bit integers.
///
/// If you run a procedure on every possible list, you get the exact distribution of its results.
/// [`ByteSource::stream_position`] returns the number of bytes that the procedure consumed.
///
/// ```
/// use hashwell::{Error, RandomSource, random::Tape};
///
/// let mut tape = Tape::new(&[5, 6]);
/// assert_eq!((tape.next_u64()?, tape.next_u64()?), (5, 6));
/// assert!(matches!(tape.next_u64(), Err(Error::Exhausted { end: 16, asked: 24, .. })));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tape<'a> {
    words: &'a [u64],
    /// The number of bytes read.
    at: usize,
}

impl<'a> Tape<'a> {
    /// Returns a source for these integers, positioned at the first integer.
    #[must_use]
    pub fn new(words: &'a [u64]) -> Self {
        Self { words, at: 0 }
    }
}

impl ByteSource for Tape<'_> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let (end, asked) = (size_of_val(self.words), self.at.saturating_add(out.len()));
        if asked > end {
            return Err(Error::Exhausted { stream: "tape".into(), end: end as u128, asked: asked as u128 });
        }
        for (byte, at) in out.iter_mut().zip(self.at..) {
            *byte = bytes(self.words[at / 8])[at % 8];
        }
        self.at = asked;
        Ok(())
    }

    fn stream_position(&self) -> Option<u128> {
        Some(self.at as u128)
    }

    fn stream_end(&self) -> Option<u128> {
        Some(size_of_val(self.words) as u128)
    }
}

/// The byte stream of a function that returns 64-bit integers. Call [`from_words`], or `from_rng`
/// with feature `rand_core`, to make one.
pub struct FromWords<F> {
    next: Calls<F>,
    buffer: Buffer<[u8; 8]>,
}

struct Calls<F>(F);

/// Returns the byte stream of the integers that `next` returns, with 8 bytes for each integer.
///
/// If `next` fails in the middle of a read, the integers before it are lost.
pub fn from_words<F: FnMut() -> Result<u64, Error>>(next: F) -> FromWords<F> {
    FromWords { next: Calls(next), buffer: Buffer::new([0; 8], true) }
}

/// Returns the byte stream of a generator's 64-bit integers. For a generator of this crate, this is
/// the generator's own byte stream.
///
/// If the generator fails, the source returns [`Error::EntropyFailed`] with the generator's error
/// message.
#[cfg(feature = "rand_core")]
pub fn from_rng<R: rand_core::TryRng>(mut rng: R) -> FromWords<impl FnMut() -> Result<u64, Error>> {
    use alloc::string::ToString;
    let failed = |error: R::Error| Error::EntropyFailed { reason: error.to_string().into() };
    from_words(move || rng.try_next_u64().map_err(failed))
}

/// Returns a stream like [`from_rng`], for a generator of `rand_core` 0.6. Such a generator cannot report an error.
#[cfg(feature = "rand_core-0-6")]
pub fn from_rng_0_6<R: rand_core_0_6::RngCore>(mut rng: R) -> FromWords<impl FnMut() -> Result<u64, Error>> {
    from_words(move || Ok(rng.next_u64()))
}

impl<F: FnMut() -> Result<u64, Error>> ByteSource for FromWords<F> {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.buffer.read(out, &mut self.next)
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        self.buffer.take(len, &mut self.next)
    }
}

impl<F: FnMut() -> Result<u64, Error>> Blocks for Calls<F> {
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error> {
        for word in out.as_chunks_mut::<8>().0 {
            *word = bytes((self.0)()?);
        }
        Ok(())
    }
}

impl<F> core::fmt::Debug for FromWords<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FromWords")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::RandomSource;

    #[test]
    fn tapes_end() {
        let words = [1, 0x0203_0405_0607_0809];
        let mut tape = Tape::new(&words);
        tape.fill(&mut [0; 7]).unwrap();
        assert_eq!(tape.next_u64(), Ok(0x0102_0304_0506_0708));
        let mut out = [7; 2];
        let exhausted = Error::Exhausted { stream: "tape".into(), end: 16, asked: 17 };
        assert_eq!((tape.fill(&mut out), out, tape.stream_position()), (Err(exhausted), [7; 2], Some(15)));
        tape.fill(&mut out[..1]).unwrap();
        assert_eq!(
            (out[0], tape.stream_position(), tape.stream_end(), tape.fill(&mut [])),
            (9, Some(16), Some(16), Ok(()))
        );
    }

    #[test]
    fn a_functions_words_are_a_stream() {
        let mut counter = 0;
        let mut source = from_words(|| {
            counter += 1;
            if counter < 7 { Ok(counter) } else { Err(Error::EntropyFailed { reason: "spent".into() }) }
        });
        let mut bytes = [0xff; 13];
        source.fill(&mut bytes).unwrap();
        assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
        assert_eq!(source.next_bits(24), Ok(2));
        assert_eq!((source.next_u64(), source.next_u32(), source.next_u32()), (Ok(3), Ok(0), Ok(4)));
        let mut bytes = [0xff; 24];
        assert!(source.fill(&mut bytes).is_err());
        assert_eq!(bytes, [0; 24]);
    }
}
