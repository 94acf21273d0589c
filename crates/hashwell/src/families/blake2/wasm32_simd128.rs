//! BLAKE2s of four messages in parallel, in WebAssembly vectors. Hashing two BLAKE2b messages in parallel is not faster
//! than hashing one after the other. A single message is slower with vectors, because a rotation takes three
//! instructions, and rotating the rows takes one shuffle per row.
//!
//! Budget and cycles were not measured, because a WebAssembly engine compiles the code. `dev/kernels.md` lists the
//! speedups.
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use super::{Flags, Run};
use crate::internal::vector::wasm32::Simd128x4;
use crate::internal::vector::{Input, MAX};

/// # Safety
/// Each of `inputs[..4]` must contain the blocks of `run`.
pub(super) unsafe fn compress_s_4(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: a module with SIMD loads only with SIMD support; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Simd128x4, Compiled, 4, 64>(states, inputs, run, counters, flags) }
}
