//! Gives hot loops direct access to a source's buffered output.

use hashwell::{ByteSource, Error, RandomSource};

/// The maximum number of bytes copied at a time.
pub(super) const BLOCK: usize = 256;
/// The number of bytes copied the first time: many processes need no more.
const FIRST: usize = 64;

/// A random source with a copy of some of its output, which a loop can use without calling the source. The position is
/// a separate number, which the compiler keeps in a register. [`Near::settle`] passes it to the source, whose own
/// position is out of date until then.
pub(super) struct Near<'n, W: RandomSource + ?Sized> {
    words: &'n mut W,
    // The block is separate from `at` and `end`, because a compiler keeps values in memory if a pointer to them is
    // passed on.
    block: &'n mut [u8; BLOCK],
    at: usize,
    end: usize,
}

impl<'n, W: RandomSource + ?Sized> Near<'n, W> {
    /// Wraps a source; `block` is the buffer for the copy.
    #[inline(always)]
    pub(super) fn new(words: &'n mut W, block: &'n mut [u8; BLOCK]) -> Self {
        Self { words, block, at: 0, end: 0 }
    }

    /// Advances the source by the bytes used here: it is then at the same position as if each number had been read from
    /// it.
    #[inline(always)]
    pub(super) fn settle(&mut self) {
        if self.at > 0 {
            self.words.pass(self.at);
        }
        (self.at, self.end) = (0, 0);
    }
}

/// Returns the next `len` bytes of a source. `at` bytes of the block, which is filled up to `end`, have been used
/// already. Copies the output after the returned bytes into the block, and also returns the number of bytes copied.
#[inline]
fn take_beyond<W: RandomSource + ?Sized>(
    words: &mut W,
    block: &mut [u8; BLOCK],
    (at, end): (usize, usize),
    len: usize,
) -> Result<([u8; 8], usize), Error> {
    if at > 0 {
        words.pass(at);
    }
    let bytes = words.take(len)?;
    let ahead = words.ahead();
    let most = if end == 0 { FIRST } else { BLOCK };
    let ahead = &ahead[..most.min(ahead.len())];
    if !ahead.is_empty() {
        block[..ahead.len()].copy_from_slice(ahead);
    }
    Ok((bytes, ahead.len()))
}

impl<W: RandomSource + ?Sized> ByteSource for Near<'_, W> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.settle();
        self.words.fill(out)
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        let after = self.at + len;
        if after > self.end || after > BLOCK {
            let stands = (self.at, self.end);
            (self.at, self.end) = (0, 0);
            let (bytes, end) = take_beyond(self.words, self.block, stands, len)?;
            self.end = end;
            return Ok(bytes);
        }
        let mut bytes = [0; 8];
        bytes[8 - len..].copy_from_slice(&self.block[self.at..after]);
        self.at = after;
        Ok(bytes)
    }

    fn stream_position(&self) -> Option<u128> {
        Some(self.words.stream_position()? + self.at as u128)
    }

    fn stream_end(&self) -> Option<u128> {
        self.words.stream_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Run;
    use hashwell::Source;
    use hashwell::random::Tape;

    /// Reads of all kinds and sizes return the same as the source itself, at the same positions.
    #[test]
    fn near_words_are_those_of_the_source() {
        let mut lengths = Run::seeded(b"lengths").unwrap().words().unwrap();
        for name in ["blake3", "counter", "shake128"] {
            let run = Run::of_seed(Source::find(name).unwrap(), b"near");
            let (mut plain, mut behind) = (run.words().unwrap(), run.words().unwrap());
            for _ in 0..20 {
                let mut block = [0; BLOCK];
                let mut near = Near::new(&mut behind, &mut block);
                for _ in 0..100 {
                    let len = lengths.take(1).unwrap()[7];
                    if len < 10 {
                        let (mut one, mut other) = ([0; 300], [0; 300]);
                        let len = 30 * usize::from(len);
                        near.fill(&mut one[..len]).unwrap();
                        plain.fill(&mut other[..len]).unwrap();
                        assert_eq!(one, other, "{name}");
                    } else {
                        let len = usize::from(len % 9);
                        assert_eq!(near.take(len), plain.take(len), "{name}");
                    }
                    assert_eq!(near.stream_position(), plain.stream_position(), "{name}");
                    assert_eq!(near.stream_end(), plain.stream_end(), "{name}");
                }
                near.settle();
                assert_eq!(behind.stream_position(), plain.stream_position(), "{name}");
            }
        }
        let (mut tape, mut block) = (Tape::new(&[1, 2]), [0; BLOCK]);
        let mut near = Near::new(&mut tape, &mut block);
        assert_eq!((near.next_u64(), near.stream_end()), (Ok(1), Some(16)));
    }
}
