//! Keccak-p\[1600\] of two states in parallel, in WebAssembly vectors.
//!
//! Budget and cycles were not measured, because a WebAssembly engine compiles the code.
//! `dev/kernels.md` lists the speedups.
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::families::sponge::Block;
use crate::internal::vector::wasm32::Simd128x2;
use crate::internal::vector::{Input, MAX};

/// # Safety
/// Each of `inputs[..2]` must contain `blocks` blocks.
pub(super) unsafe fn absorb_2<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: a module with SIMD loads only with SIMD support; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Simd128x2, Compiled, 2, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// Each of `outputs[..2]` must be writable for `blocks` blocks.
pub(super) unsafe fn squeeze_2<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: a module with SIMD loads only with SIMD support; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Simd128x2, Compiled, 2, ROUNDS>(states, outputs, block, blocks, ready) }
}
