//! Random numbers read in blocks, for urns that need at least one number for each remaining customer.

use crate::Error;
use crate::draw::unit_of;
use hashwell::RandomSource;
use hashwell_work::Watch;

/// The number of random numbers in a block: as many bytes as BLAKE3's widest kernels compute at once.
const BLOCK: usize = 128;

/// Reads [`unit`](crate::draw::unit)s in blocks, but never more random numbers than are certainly needed. Afterwards
/// the source is at the same position as if each number had been read separately.
pub(super) struct Ahead<'w, W: ?Sized> {
    words: &'w mut W,
    watch: &'w Watch<'w>,
    /// The number of blocks read.
    blocks: u64,
    block: [[u8; 8]; BLOCK],
    at: usize,
    end: usize,
}

impl<'w, W: RandomSource + ?Sized> Ahead<'w, W> {
    pub(super) fn new(words: &'w mut W, watch: &'w Watch<'w>) -> Self {
        Self { words, watch, blocks: 0, block: [[0; 8]; BLOCK], at: 0, end: 0 }
    }

    /// The next unit. The caller needs at least `sure` units from here on, and `sure` is at least 1.
    #[inline]
    pub(super) fn unit(&mut self, sure: u32) -> Result<f64, Error> {
        if self.at == self.end {
            self.fill(sure)?;
        }
        self.at += 1;
        Ok(unit_of(u64::from_be_bytes(self.block[self.at - 1])))
    }

    #[inline(never)]
    fn fill(&mut self, sure: u32) -> Result<(), Error> {
        self.watch.check(self.blocks * BLOCK as u64)?;
        self.blocks += 1;
        (self.at, self.end) = (0, BLOCK.min(sure as usize));
        Ok(self.words.fill(self.block[..self.end].as_flattened_mut())?)
    }
}
