//! A device as an engine for [`Many::on`](hashwell::Many::on). It hashes all messages or fails.

use crate::gpu::batch::{Sharing, program};
use crate::gpu::device::Gpu;
use crate::gpu::rows::Source;
use crate::rows::is_plain_member;
use hashwell::engine::{Engine, Fault};
use hashwell::{Algorithm, Params};

impl Engine for Gpu {
    fn name(&self) -> &str {
        &self.described().id
    }

    fn available(&self) -> Result<(), Fault> {
        self.lost().map_or(Ok(()), |error| Err(error.clone().into()))
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
        let program = program(algorithm.name).ok_or("it does not support this algorithm")?;
        let shared = self.hash_source(program, Source::Slices(messages), out, Sharing::device_alone())?;
        Ok(shared.on_device)
    }
}
