//! Random numbers for the tests of symbolic words and of the machine that runs on them.

/// The generator xorshift64*, with a fixed seed, so failures are reproducible.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(0x5eed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
