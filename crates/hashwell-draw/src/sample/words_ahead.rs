//! Words that are read in blocks, for a loop that needs one a row.

use crate::Error;
use crate::draw::lemire;
use hashwell::Words;

const BLOCK: usize = 512;
const GROUP: usize = 8;

/// A source, and words of it that were read and not yet used.
#[derive(Clone, Debug)]
pub(super) struct WordsAhead<W> {
    source: W,
    block: Box<[[u8; 8]; BLOCK]>,
    /// Words of the block that are used, or were never filled.
    at: usize,
}

impl<W: Words> WordsAhead<W> {
    pub(super) fn new(source: W) -> Self {
        Self { source, block: Box::new([[0; 8]; BLOCK]), at: BLOCK }
    }

    /// Bytes of the source that are used, where it counts them.
    pub(super) fn position(&self) -> Option<u128> {
        self.source.stream_position().map(|read| read - 8 * (BLOCK - self.at) as u128)
    }

    /// Draws for rows one after the other, the first below n, the next below n + 1, …: how many of them, at most
    /// `most`, drew no number below `slots`, and the number of the row after them, if it did. Stops where a block ends.
    pub(super) fn pass(&mut self, most: u64, slots: u64, n: u64) -> Result<(u64, Option<u64>), Error> {
        if self.at == BLOCK {
            self.refill()?;
        }
        let block = &self.block[self.at..];
        let most = usize::try_from(most).map_or(block.len(), |most| most.min(block.len()));
        let stops = |word: [u8; 8], n: u64| {
            let product = u128::from(u64::from_be_bytes(word)) * u128::from(n);
            // A word with a lower half of n or more is surely not refused.
            ((product >> 64) as u64) < slots || (product as u64) < n
        };
        let mut passed = 0;
        // Groups of which nothing stops have one branch.
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
        self.at += passed;
        if passed == most {
            return Ok((passed as u64, None));
        }
        let n = n + passed as u64;
        let drawn = lemire(|| self.next(), n)?;
        Ok(if drawn < slots { (passed as u64, Some(drawn)) } else { (passed as u64 + 1, None) })
    }

    fn next(&mut self) -> Result<u64, Error> {
        if self.at == BLOCK {
            self.refill()?;
        }
        self.at += 1;
        Ok(u64::from_be_bytes(self.block[self.at - 1]))
    }

    /// Reads a block; of a source with fewer words left, one.
    fn refill(&mut self) -> Result<(), Error> {
        match self.source.fill(self.block.as_flattened_mut()) {
            Ok(()) => self.at = 0,
            Err(hashwell::Error::Exhausted { .. }) => {
                self.source.fill(&mut self.block[BLOCK - 1])?;
                self.at = BLOCK - 1;
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}
