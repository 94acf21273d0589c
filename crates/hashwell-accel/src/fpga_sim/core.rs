//! The C interface in `hdl/sim/sha256r_sim.h`, which is called only in this file.
#![allow(unsafe_code)]

use crate::fpga_sim::simulated::Simulated;
use std::ffi::{c_int, c_uint};
use std::fmt;
use std::ptr::NonNull;
use std::time::Instant;

/// The C++ object behind the pointer.
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

/// The reason why a simulation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no core with this number of rounds.
    Rounds {
        /// The given number.
        given: usize,
    },
    /// There is no memory for a core.
    Memory,
    /// The core violated the protocol of its interface. You cannot use it anymore.
    Broken,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounds { given } => write!(f, "a simulated core must have 64 or 90 rounds, not {given}"),
            Self::Memory => f.write_str("not enough memory for a simulated core"),
            Self::Broken => f.write_str("the simulated core violates the protocol of its interface"),
        }
    }
}

impl std::error::Error for Error {}

/// A simulated core, which has been reset. It takes a few tens of kilobytes.
#[derive(Debug)]
pub struct SimulatedCore {
    raw: NonNull<Raw>,
    broken: bool,
}

// SAFETY: a core starts no thread and shares no data. Its header requires that only one thread uses it at a time, which
// is guaranteed because every access borrows it mutably.
unsafe impl Send for SimulatedCore {}

impl SimulatedCore {
    /// Makes a core with 64 rounds (SHA-256) or 90 rounds (SHA256-90R).
    ///
    /// # Errors
    /// Returns [`Error::Rounds`] for other numbers of rounds, and [`Error::Memory`] if there is no memory.
    pub fn new(rounds: usize) -> Result<Self, Error> {
        let number = match rounds {
            64 => 64,
            90 => 90,
            _ => return Err(Error::Rounds { given: rounds }),
        };
        // SAFETY: the function takes a number, and returns null or a core that we own.
        let raw = unsafe { sha256r_sim_new(number) };
        Ok(Self { raw: NonNull::new(raw).ok_or(Error::Memory)?, broken: false })
    }

    /// Returns the digest of a message, and the cost of the simulation. It takes about a fifth of a millisecond per
    /// kilobyte.
    ///
    /// # Errors
    /// Returns [`Error::Broken`] if the core violates its protocol, now or in an earlier call.
    pub fn digest(&mut self, message: &[u8]) -> Result<([u8; 32], Simulated), Error> {
        let (mut digest, mut cycles) = ([0; 32], 0);
        let start = Instant::now();
        // SAFETY: we own the core and have borrowed it mutably. The message and the digest have the lengths that the
        // function reads and writes, and `cycles` is a valid place for its result.
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
        // The padding takes at least nine bytes: one for the bit after the message, and eight for the length of the
        // message.
        let blocks = (message.len() as u64 + 9).div_ceil(64);
        Ok((digest, Simulated { messages: 1, blocks, cycles, wall: start.elapsed() }))
    }
}

impl Drop for SimulatedCore {
    fn drop(&mut self) {
        // SAFETY: we own the core, and it is not used afterwards.
        unsafe { sha256r_sim_free(self.raw.as_ptr()) }
    }
}
