//! Random numbers read in blocks, for loops that need many.

use crate::Error;
use crate::draw::lemire;
use hashwell::{ByteSource, RandomSource};

const FIRST: usize = 4;
const BLOCK: usize = 512;
const GROUP: usize = 8;

/// A random source with a buffer of numbers that were read but not yet used. The first block has 4 numbers, and each
/// further block has twice as many, up to 512. Except at the very beginning, no more is read ahead than was used
/// before, and the buffer is no larger than needed.
#[derive(Clone, Debug)]
pub(crate) struct WordsAhead<W> {
    source: W,
    block: Vec<u8>,
    /// The number of bytes of the block already used.
    at: usize,
}

impl<W: ByteSource> WordsAhead<W> {
    pub(crate) fn new(source: W) -> Self {
        Self { source, block: Vec::new(), at: 0 }
    }

    /// Draws for consecutive rows, the first below n, the next below n + 1, and so on. Returns the number of rows, at
    /// most `most`, that drew no number below `slots`, and the number that the row after them drew, if it is below
    /// `slots`. Stops at the end of a block.
    pub(crate) fn pass_rows(&mut self, most: u64, slots: u64, n: u64) -> Result<(u64, Option<u64>), Error> {
        if self.at == self.block.len() {
            self.refill()?;
        }
        let block = self.block[self.at..].as_chunks().0;
        let most = usize::try_from(most).map_or(block.len(), |most| most.min(block.len()));
        let stops = |word: [u8; 8], n: u64| {
            let product = u128::from(u64::from_be_bytes(word)) * u128::from(n);
            // A random number whose product has a lower half of n or more is certainly not rejected.
            ((product >> 64) as u64) < slots || (product as u64) < n
        };
        let mut passed = 0;
        // A group in which no row stops the loop costs a single branch.
        for (group, n) in block[..most].as_chunks::<GROUP>().0.iter().zip((n..).step_by(GROUP)) {
            let mut any = false;
            for (i, word) in group.iter().enumerate() {
                any |= stops(*word, n.wrapping_add(i as u64));
            }
            if any {
                break;
            }
            passed += GROUP;
        }
        while passed < most && !stops(block[passed], n + passed as u64) {
            passed += 1;
        }
        self.at += 8 * passed;
        if passed == most {
            return Ok((passed as u64, None));
        }
        let n = n + passed as u64;
        let drawn = lemire(|| Ok(self.next_u64()?), n)?;
        Ok(if drawn < slots { (passed as u64, Some(drawn)) } else { (passed as u64 + 1, None) })
    }

    /// Reads a block, or a single random number if the source has fewer left.
    #[inline(never)]
    fn refill(&mut self) -> Result<(), hashwell::Error> {
        let words = (self.block.len() / 4).clamp(FIRST, BLOCK);
        self.read(words).or_else(|error| match error {
            hashwell::Error::Exhausted { .. } => self.read(1),
            error => Err(error),
        })
    }

    fn read(&mut self, words: usize) -> Result<(), hashwell::Error> {
        self.block.resize(8 * words, 0);
        let done = self.source.fill(&mut self.block);
        if done.is_err() {
            self.block.clear();
        }
        self.at = 0;
        done
    }
}

impl<W: ByteSource> ByteSource for WordsAhead<W> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), hashwell::Error> {
        let ahead = self.ahead().len().min(out.len());
        let (begin, end) = out.split_at_mut(ahead);
        // Requests the missing bytes first, so that nothing is consumed if the source fails.
        self.source.fill(end)?;
        begin.copy_from_slice(&self.block[self.at..][..ahead]);
        self.at += ahead;
        Ok(())
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<[u8; 8], hashwell::Error> {
        if self.at == self.block.len() && len == 8 {
            self.refill()?;
        }
        let mut bytes = [0; 8];
        match self.block.get(self.at..self.at + len) {
            Some(ahead) => {
                bytes[8 - len..].copy_from_slice(ahead);
                self.at += len;
            }
            None => self.fill(&mut bytes[8 - len..])?,
        }
        Ok(bytes)
    }

    #[inline]
    fn ahead(&self) -> &[u8] {
        &self.block[self.at..]
    }

    #[inline]
    fn pass(&mut self, len: usize) {
        assert!(len <= self.ahead().len(), "so many bytes do not lie ahead");
        self.at += len;
    }

    /// The number of bytes of the source that have been used.
    fn stream_position(&self) -> Option<u128> {
        self.source.stream_position().map(|read| read - self.ahead().len() as u128)
    }

    fn stream_end(&self) -> Option<u128> {
        self.source.stream_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::CounterRng;
    use hashwell::random::Tape;

    #[test]
    fn however_it_is_read_it_is_its_source() {
        let mut all = [0; 20_000];
        CounterRng::new(&[1; 32]).read(&mut all);
        let (mut words, mut at) = (WordsAhead::new(CounterRng::new(&[1; 32])), 0);
        for i in 0_usize.. {
            let len = [8, 8, 8, 8, 8, 1, 7, 3, 100, 0, 8, 4][i % 12];
            if at + len > all.len() {
                break;
            }
            if len <= 8 {
                assert_eq!(words.take(len).unwrap()[8 - len..], all[at..at + len]);
            } else {
                let mut out = vec![0; len];
                words.fill(&mut out).unwrap();
                assert_eq!(out, all[at..at + len]);
            }
            at += len;
            assert_eq!(words.stream_position(), Some(at as u128));
            assert!(all[at..].starts_with(words.ahead()) || at + words.ahead().len() > all.len());
            // Skip some of the numbers that `ahead` returned.
            let len = words.ahead().len().min(i % 3 * 8).min(all.len() - at);
            words.pass(len);
            at += len;
            assert_eq!(words.stream_position(), Some(at as u128));
        }
    }

    #[test]
    fn a_source_s_end_is_its_own() {
        for len in 0..12 {
            let tape: Vec<u64> = (1..=len).collect();
            let mut words = WordsAhead::new(Tape::new(&tape));
            assert_eq!(words.stream_end(), Some(8 * u128::from(len)));
            assert!((1..=len).all(|word| words.next_u64() == Ok(word)));
            assert!(matches!(words.next_u64(), Err(hashwell::Error::Exhausted { .. })), "{len}");
            assert_eq!(words.stream_position(), Some(8 * u128::from(len)));
        }
        // If the source has too few numbers, nothing is consumed.
        let mut words = WordsAhead::new(Tape::new(&[1, 2, 3]));
        assert!(words.next_u64().is_ok() && words.fill(&mut [0; 17]).is_err());
        assert_eq!((words.next_u64(), words.take(4)), (Ok(2), Ok([0; 8])));
    }
}
