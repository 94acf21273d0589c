//! SHA-256 and SHA256-90R with JIT-compiled code, as an [`Engine`]. Use it to hash messages with algorithms of the
//! registry. The other types of this module are for research.

use crate::family::implementation::Implementation;
use crate::family::member::Sha256Family;
use crate::rows::{is_plain_member, rounds};
use hashwell::engine::{Engine, Fault};
use hashwell::{Algorithm, Params};

/// The engine `jit:0`. It supports the algorithms `sha256` and `sha256-90r`, without parameters and with their full
/// digest length.
#[derive(Clone, Copy, Debug, Default)]
pub struct JitEngine;

impl Engine for JitEngine {
    fn name(&self) -> &'static str {
        "jit:0"
    }

    fn available(&self) -> Result<(), Fault> {
        Sha256Family::sha256_with_rounds(64)?.on(Implementation::Jit)?;
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
        let rounds = rounds(algorithm).ok_or("it does not support this algorithm")?;
        let code = Sha256Family::sha256_with_rounds(rounds)?.on(Implementation::Jit)?;
        for (digest, message) in out.as_chunks_mut().0.iter_mut().zip(messages) {
            *digest = code.digest(message);
        }
        Ok(messages.len())
    }
}
