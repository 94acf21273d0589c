//! SHA-256 and SHA256-90R on the simulated circuit, as an [`Engine`].

use crate::fpga_sim::core::SimulatedCore;
use crate::fpga_sim::simulated::Simulated;
use crate::rows::{is_plain_member, rounds};
use hashwell::engine::{Engine, Fault};
use hashwell::{Algorithm, Params};
use std::sync::{Mutex, PoisonError};

/// The engine `fpga-sim:0`, a *simulation*. It supports the algorithms `sha256` and `sha256-90r`, without parameters
/// and with their full digest length. It hashes one message after the other, like a single core.
#[derive(Debug, Default)]
pub struct FpgaSim {
    simulated: Mutex<Simulated>,
}

impl FpgaSim {
    /// Returns the amount of simulated work so far, including the tests by [`Many::on`](hashwell::Many::on).
    #[must_use]
    pub fn simulated(&self) -> Simulated {
        *self.simulated.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for FpgaSim {
    fn name(&self) -> &'static str {
        "fpga-sim:0"
    }

    fn available(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn claims(&self, algorithm: &'static Algorithm, params: &Params<'_>) -> bool {
        is_plain_member(algorithm, params)
    }

    fn digest_many(
        &self,
        algorithm: &'static Algorithm,
        _: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<usize, Fault> {
        let mut core = SimulatedCore::new(rounds(algorithm).ok_or("it does not support this algorithm")?)?;
        let mut sum = Simulated::default();
        for (digest, message) in out.as_chunks_mut().0.iter_mut().zip(messages) {
            let (found, simulated) = core.digest(message)?;
            *digest = found;
            sum += simulated;
        }
        *self.simulated.lock().unwrap_or_else(PoisonError::into_inner) += sum;
        Ok(messages.len())
    }
}
