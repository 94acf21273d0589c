//! SHA-256 of four messages in parallel, in WebAssembly vectors.
//!
//! Budget and cycles were not measured, because a WebAssembly engine compiles the code.
//! `dev/kernels.md` lists the speedups.
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::internal::vector::wasm32::Simd128x4;
use crate::internal::vector::{Input, MAX};

/// # Safety
/// Each of `inputs[..4]` must contain `blocks` blocks.
pub(super) unsafe fn compress_4<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: a module with SIMD loads only with SIMD support; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Simd128x4, Compiled, 4, ROUNDS>(states, inputs, blocks) }
}
