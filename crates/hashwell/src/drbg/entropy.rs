//! Sources of entropy for generators.

use crate::internal::error::Error;
#[cfg(feature = "os-random")]
use crate::internal::try_alloc::words_of;

/// A source of fresh entropy. Closures of type `FnMut(&mut [u8]) -> Result<(), Error>` implement
/// this trait.
pub trait EntropySource {
    /// Fills `out` with bytes of full entropy: each byte has eight bits of entropy. The source must not return the same
    /// output twice.
    ///
    /// # Errors
    /// Returns [`Error::EntropyFailed`] if the source fails. The state of the generator is then unchanged.
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error>;
}

impl<F: FnMut(&mut [u8]) -> Result<(), Error>> EntropySource for F {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self(out)
    }
}

/// The random generator of the operating system, as a source of entropy.
#[cfg(feature = "os-random")]
#[derive(Clone, Copy, Debug)]
pub struct OsEntropy;

#[cfg(feature = "os-random")]
impl EntropySource for OsEntropy {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        getrandom::fill(out).map_err(|error| Error::EntropyFailed { reason: words_of(&error) })
    }
}
