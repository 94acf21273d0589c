//! SHA-256 and SHA256-90R on code made at run time, as an engine of hashwell's: the way to it for whoever has messages
//! and a row of the registry, and no research of their own.

use crate::family::implementation::Implementation;
use crate::family::member::Sha256Family;
use crate::rows::{is_plain_member, rounds};
use hashwell::engine::{Engine, Fault};
use hashwell::{Algorithm, Params};

/// The engine `jit:0`. It claims the rows `sha256` and `sha256-90r`, plain and at their full length.
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
        let rounds = rounds(algorithm).ok_or("a row that it does not claim")?;
        let code = Sha256Family::sha256_with_rounds(rounds)?.on(Implementation::Jit)?;
        for (digest, message) in out.as_chunks_mut().0.iter_mut().zip(messages) {
            *digest = code.digest(message);
        }
        Ok(messages.len())
    }
}
