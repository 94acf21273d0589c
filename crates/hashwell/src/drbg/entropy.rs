//! Where a generator's fresh entropy comes from.

use crate::internal::error::Error;
#[cfg(feature = "os-random")]
use crate::internal::try_alloc::words_of;

/// Where fresh entropy comes from. Closures `FnMut(&mut [u8]) -> Result<(), Error>` are sources.
pub trait EntropySource {
    /// Fills `out` with bytes of full entropy: eight bits a byte, never given out before.
    ///
    /// # Errors
    /// [`Error::EntropyFailed`] if it cannot; the generator then changes nothing.
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error>;
}

impl<F: FnMut(&mut [u8]) -> Result<(), Error>> EntropySource for F {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self(out)
    }
}

/// The operating system's generator as a source of entropy.
#[cfg(feature = "os-random")]
#[derive(Clone, Copy, Debug)]
pub struct OsEntropy;

#[cfg(feature = "os-random")]
impl EntropySource for OsEntropy {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        getrandom::fill(out).map_err(|error| Error::EntropyFailed { reason: words_of(&error) })
    }
}
