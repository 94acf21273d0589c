//! RIPEMD-160 of eight (AVX2 or AVX-512) or sixteen (AVX-512) messages in parallel.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | RIPEMD-160 × 16 | 1224 operations, including 160 steps of 7 | 0.60 | 0.80 | 0.60 | 1.61, B |
//! | RIPEMD-160 × 8 | 1208 | 0.59 | 1.09 | 0.79 | – |
//! | RIPEMD-160 × 8, AVX2 | 2060 | 1.01 | 1.19 | 1.34 | 1.56, B |
#![allow(unsafe_code)]

use super::soft;
use crate::families::md::Little;
use crate::internal::vector::x86::{Avx2x8, Avx512x8u32, Avx512x16};
use crate::internal::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX2; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_8(states: &mut [[Little; MAX]; 5], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<Avx2x8, 8>(states, inputs, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..16]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_16(states: &mut [[Little; MAX]; 5], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<Avx512x16, 16>(states, inputs, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_8(
    states: &mut [[Little; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<Avx512x8u32, 8>(states, inputs, blocks) }
}
