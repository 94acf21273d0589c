//! Eight SHA-256 or four SHA-512 messages in parallel with AVX2.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA-256 × 8 | 3384 operations; a rotation takes three | 1.65 | 1.99 | 2.20 | 2.31, B |
//! | SHA-512 × 4 | 4280 | 2.09 | 2.43 | 2.79 | 2.81, B |
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::internal::vector::x86::{Avx2x4, Avx2x8};
use crate::internal::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX2; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_8<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Avx2x8, Compiled, 8, ROUNDS>(states, inputs, blocks) }
}

/// # Safety
/// The CPU must have AVX2; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_4(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u64, Avx2x4, Compiled, 4, 80>(states, inputs, blocks) }
}
