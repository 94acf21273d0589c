//! What a simulation was made to do, and what it took.

use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

/// What was simulated. Its text says so: "simulation: …".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Simulated {
    /// Messages.
    pub messages: u64,
    /// Their blocks of 64 bytes, with the padding.
    pub blocks: u64,
    /// Clocks of the core, from each message's first beat to the last of its digest.
    pub cycles: u64,
    /// The time that the simulation took on this processor. It says nothing of hardware.
    pub wall: Duration,
}

impl Simulated {
    /// Clocks of the core for each block; 0 of none.
    #[must_use]
    pub fn cycles_per_block(&self) -> f64 {
        self.cycles as f64 / self.blocks.max(1) as f64
    }

    /// Bits of padded message a second that one core would hash, one message after the other, at a clock rate in hertz:
    /// that of a routed design, which no simulation knows.
    #[must_use]
    pub fn bits_per_second(&self, hertz: f64) -> f64 {
        512.0 * self.blocks as f64 / self.cycles.max(1) as f64 * hertz
    }
}

impl AddAssign for Simulated {
    fn add_assign(&mut self, other: Self) {
        self.messages += other.messages;
        self.blocks += other.blocks;
        self.cycles += other.cycles;
        self.wall += other.wall;
    }
}

impl fmt::Display for Simulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, blocks, cycles, wall } = self;
        write!(
            f,
            "simulation: {messages} messages, {blocks} blocks, {cycles} clocks ({:.1} a block), {wall:.1?} to simulate",
            self.cycles_per_block()
        )
    }
}
