//! Keccak-p\[1600\] compiled for BMI1 and BMI2: the portable code, with `rorx` for rotations, which needs no copy and
//! changes no flags, and `andn` for and-nots.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA3-256 | 130 operations per round, and the compiler's memory accesses | 5.74 | 9.26 | 5.74 | – |
#![allow(unsafe_code)]

use super::soft;
use crate::families::sponge::Block;

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) unsafe fn permute<const ROUNDS: usize>(a: &mut [u64; 25]) {
    soft::permute::<ROUNDS>(a);
}

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(a: &mut [u64; 25], data: &[u8], block: Block) {
    soft::absorb::<ROUNDS>(a, data, block);
}
