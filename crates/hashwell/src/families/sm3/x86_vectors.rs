//! SM3 of eight (AVX2 or AVX-512) or sixteen (AVX-512) messages in parallel.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SM3 × 16 | 1668 operations: rounds of 19, schedule steps of 7 | 0.81 | 1.02 | 0.81 | 1.84, B |
//! | SM3 × 8 | 1652 | 0.81 | 1.28 | 1.08 | – |
//! | SM3 × 8, AVX2 | 3328 | 1.63 | 1.98 | 2.17 | 2.37, B |
//!
//! The difference from the bound comes from the chain of SS1 and P_0 (`soft.rs`). Hashing more messages than a register
//! has lanes would hide this chain.
#![allow(unsafe_code)]

use super::soft;
use crate::internal::vector::x86::{Avx2x8, Avx512x8u32, Avx512x16};
use crate::internal::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX2; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_8(states: &mut [[u32; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<Avx2x8, 8>(states, inputs, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..16]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_16(states: &mut [[u32; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<Avx512x16, 16>(states, inputs, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_8(states: &mut [[u32; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<Avx512x8u32, 8>(states, inputs, blocks) }
}
