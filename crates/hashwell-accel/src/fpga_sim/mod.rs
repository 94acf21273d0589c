//! A *simulation* of the circuit in hdl/ (dev/fpga.md), clock by clock: what an FPGA would answer, and in how many
//! clocks.
//!
//! ```text
//! SimulatedCore   one core sha256r_axis, as Verilator translates it: a message in, its digest and its clocks out
//! FpgaSim         the engine fpga-sim:0, which hashes many messages on such cores
//! Simulated       what was simulated: messages, blocks, clocks of the core, time of this processor
//! ```
//!
//! Digests are the circuit's. The time that it takes here is that of a simulation, tens of times that of the slowest
//! kernel, and says nothing of hardware. Its clocks do: clocks times the rate of a routed design, of which dev/fpga.md
//! has some, give the time on an FPGA. No board was used.

mod core;
mod engine;
mod simulated;

pub use self::core::{Error, SimulatedCore};
pub use engine::FpgaSim;
pub use simulated::Simulated;
