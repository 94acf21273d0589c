//! The amount of simulated work, and its cost.

use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

/// The amount of simulated work. Its text form starts with "simulation:".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Simulated {
    /// The number of messages.
    pub messages: u64,
    /// The number of their blocks of 64 bytes, including the padding.
    pub blocks: u64,
    /// The number of clocks of the core, from the first beat of each message to the last beat of its digest.
    pub cycles: u64,
    /// The time that the simulation took on this CPU. It does not predict the speed of hardware.
    pub wall: Duration,
}

impl Simulated {
    /// Returns the number of clocks per block, or 0 if there are no blocks.
    #[must_use]
    pub fn cycles_per_block(&self) -> f64 {
        self.cycles as f64 / self.blocks.max(1) as f64
    }

    /// Returns the number of bits of padded messages per second that one core would hash at this clock rate in hertz,
    /// with one message after the other. Use the clock rate of a routed design, because a simulation cannot determine
    /// the clock rate.
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
            "simulation: {messages} messages, {blocks} blocks, {cycles} clock cycles ({:.1} per block) in {wall:.1?}",
            self.cycles_per_block()
        )
    }
}
