//! Ascon-p of eight (AVX-512) or four (AVX-512 or AVX2) states in parallel.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | Ascon × 8 | 27 operations per round, 12 rounds for 8 bytes | 2.5 | 4.05 | 2.5 | 3.68, C, 1 KiB |
//! | Ascon × 4 | the same | 2.5 | 4.84 | 3.4 | – |
//! | Ascon × 4, AVX2 | 57 operations per round | 5.3 | 8.48 | 7.1 | – |
//!
//! Each round waits for the previous one, and the lanes of one register are too few to hide this latency.
#![allow(unsafe_code)]

use super::soft;
use crate::families::sponge::Block;
use crate::internal::vector::x86::{Avx2x4, Avx512x4, Avx512x8};
use crate::internal::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn absorb_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Avx512x8, 8, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `outputs[..8]` must be writable for `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn squeeze_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Avx512x8, 8, ROUNDS>(states, outputs, block, blocks, ready) }
}

/// # Safety
/// The CPU must have AVX2; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn absorb_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Avx2x4, 4, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX2; each of `outputs[..4]` must be writable for `blocks` blocks.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn squeeze_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Avx2x4, 4, ROUNDS>(states, outputs, block, blocks, ready) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn absorb_vl_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Avx512x4, 4, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `outputs[..4]` must be writable for `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn squeeze_vl_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Avx512x4, 4, ROUNDS>(states, outputs, block, blocks, ready) }
}
