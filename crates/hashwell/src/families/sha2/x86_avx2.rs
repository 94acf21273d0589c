//! AVX2: eight SHA-256 or four SHA-512 messages side by side.
//!
//! Budget, port bound and cycles a byte, of long messages (`dev/kernels.md`, Budgets):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA-256 × 8 | 3384 operations: a rotation is three | 1.65 | 1.99 | 2.20 | 2.31, B |
//! | SHA-512 × 4 | 4280 | 2.09 | 2.43 | 2.79 | 2.81, B |
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::internal::vector::x86::{Avx2x4, Avx2x8};
use crate::internal::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX2; `inputs[..8]` must be `blocks` blocks long.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_8<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx2x8, Compiled, 8, ROUNDS>(states, inputs, blocks) }
}

/// # Safety
/// The CPU must have AVX2; `inputs[..4]` must be `blocks` blocks long.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_4(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx2x4, Compiled, 4, 80>(states, inputs, blocks) }
}
