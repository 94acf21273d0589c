//! Ascon-p compiled for BMI1 and BMI2: the portable code, whose rotations become `rorx` (no copy, no flags) and
//! whose and-nots become `andn`.
#![allow(unsafe_code)]

use super::soft;
use crate::sponge::Block;

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) unsafe fn permute<const ROUNDS: usize>(s: &mut [u64; 5]) {
    soft::permute::<ROUNDS>(s);
}

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(s: &mut [u64; 5], data: &[u8], block: Block) {
    soft::absorb::<ROUNDS>(s, data, block);
}
