//! Keccak-p\[1600\] of four states in parallel with AVX2.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA3-256 × 4 | 188 operations per round, 24 rounds for 136 bytes | 2.07 | 2.53 | 2.76 | – |
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::families::sponge::Block;
use crate::internal::vector::x86::Avx2x4;
use crate::internal::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX2; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn absorb_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Avx2x4, Compiled, 4, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX2; each of `outputs[..4]` must be writable for `blocks * rate` bytes.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn squeeze_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Avx2x4, Compiled, 4, ROUNDS>(states, outputs, block, blocks, ready) }
}
