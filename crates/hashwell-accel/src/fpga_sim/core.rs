//! The C interface of hdl/sim/sha256r_sim.h: called here and nowhere else.
#![allow(unsafe_code)]

use crate::fpga_sim::simulated::Simulated;
use std::ffi::{c_int, c_uint};
use std::fmt;
use std::ptr::NonNull;
use std::time::Instant;

/// What C++ has behind the pointer.
#[repr(C)]
struct Raw {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn sha256r_sim_new(rounds: c_uint) -> *mut Raw;
    fn sha256r_sim_free(sim: *mut Raw);
    fn sha256r_sim_hash(
        sim: *mut Raw,
        message: *const u8,
        length: usize,
        digest: *mut u8,
        cycles: *mut u64,
    ) -> c_int;
}

/// Why nothing was simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A number of rounds for which no core was translated.
    Rounds {
        /// The number given.
        given: usize,
    },
    /// No memory for a core.
    Memory,
    /// The core did not do what its interface promises; it is of no more use.
    Broken,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounds { given } => write!(f, "simulated cores have 64 or 90 rounds, not {given}"),
            Self::Memory => f.write_str("no memory for a simulated core"),
            Self::Broken => f.write_str("the simulated core does not keep its interface"),
        }
    }
}

impl std::error::Error for Error {}

/// One simulated core, which was reset. Some tens of kilobytes.
#[derive(Debug)]
pub struct SimulatedCore {
    raw: NonNull<Raw>,
    broken: bool,
}

// SAFETY: a core has no thread of its own and no data that others share; its header asks for one thread at a time, and
// everything that reaches it borrows it mutably.
unsafe impl Send for SimulatedCore {}

impl SimulatedCore {
    /// A core of 64 rounds (SHA-256) or 90 (SHA256-90R).
    ///
    /// # Errors
    /// [`Error::Rounds`], [`Error::Memory`].
    pub fn new(rounds: usize) -> Result<Self, Error> {
        let number = match rounds {
            64 => 64,
            90 => 90,
            _ => return Err(Error::Rounds { given: rounds }),
        };
        // SAFETY: takes a number, and gives a core that is ours or null.
        let raw = unsafe { sha256r_sim_new(number) };
        Ok(Self { raw: NonNull::new(raw).ok_or(Error::Memory)?, broken: false })
    }

    /// The digest of a whole message, and what simulating it took: a fifth of a millisecond a kilobyte.
    ///
    /// # Errors
    /// [`Error::Broken`], now and from then on.
    pub fn digest(&mut self, message: &[u8]) -> Result<([u8; 32], Simulated), Error> {
        let (mut digest, mut cycles) = ([0; 32], 0);
        let start = Instant::now();
        // SAFETY: the core is ours, and borrowed; message and digest have the lengths that the function reads and
        // writes; `cycles` is a place for its number.
        self.broken = self.broken
            || unsafe {
                sha256r_sim_hash(
                    self.raw.as_ptr(),
                    message.as_ptr(),
                    message.len(),
                    digest.as_mut_ptr(),
                    &raw mut cycles,
                )
            } != 0;
        if self.broken {
            return Err(Error::Broken);
        }
        // The bit that follows the message, and its length, take nine bytes.
        let blocks = (message.len() as u64 + 9).div_ceil(64);
        Ok((digest, Simulated { messages: 1, blocks, cycles, wall: start.elapsed() }))
    }
}

impl Drop for SimulatedCore {
    fn drop(&mut self) {
        // SAFETY: the core is ours and nobody uses it afterwards.
        unsafe { sha256r_sim_free(self.raw.as_ptr()) }
    }
}
