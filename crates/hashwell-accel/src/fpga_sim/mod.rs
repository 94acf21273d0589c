//! A *simulation* of the circuit in `hdl/` (see `dev/fpga.md`), clock by clock. It returns the digests of the circuit,
//! and the number of clocks that the circuit takes.
//!
//! ```text
//! SimulatedCore   one core sha256r_axis, as translated by Verilator: takes a message, returns its digest and clocks
//! FpgaSim         the engine fpga-sim:0, which hashes many messages on such cores
//! Simulated       the amount of simulated work: messages, blocks, clocks of the core, time on this CPU
//! ```
//!
//! The digests are those of the circuit. The time that a simulation takes on this CPU is tens of times that of the
//! slowest kernel, and does not predict the speed of hardware. The number of clocks does: multiplied by the clock
//! period of a routed design (`dev/fpga.md` lists some clock rates), it gives the time on an FPGA. No board was used.

mod core;
mod engine;
mod simulated;

pub use self::core::{Error, SimulatedCore};
pub use engine::FpgaSim;
pub use simulated::Simulated;
