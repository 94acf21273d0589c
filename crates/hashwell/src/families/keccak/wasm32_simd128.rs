//! Keccak-p\[1600\] of two states side by side, in vectors of WebAssembly.
//!
//! Budget and cycles: not measured, since an engine compiles it; `dev/kernels.md` has what it gains in one of them.
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::families::sponge::Block;
use crate::internal::vector::wasm32::Simd128x2;
use crate::internal::vector::{Input, MAX};

/// # Safety
/// `inputs[..2]` must be `blocks` blocks long.
pub(super) unsafe fn absorb_2<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the type of the vectors proves their instructions, and the inputs are as long as demanded above.
    unsafe { soft::absorb_many::<Simd128x2, Compiled, 2, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// `blocks` blocks must be writable at `outputs[..2]`.
pub(super) unsafe fn squeeze_2<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the type of the vectors proves their instructions, and the outputs are as long as demanded above.
    unsafe { soft::squeeze_many::<Simd128x2, Compiled, 2, ROUNDS>(states, outputs, block, blocks, ready) }
}
