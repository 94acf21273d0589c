//! Keccak-p\[1600\] with AVX-512: four states in 256-bit registers, eight in 512-bit ones. (One state: `x86_avx512_one.rs`.)
//! Per round and vector: 25 rotations of one instruction in ρ, and χ and θ by three-operand booleans.
//!
//! A round is 95 operations. In core cycles on an Intel Xeon (family 6, model 85; three vector ports, two of them for 512 bits),
//! 24 rounds:
//!
//! | kernel | bound | a permutation | with absorbing 136 bytes |
//! |---|---:|---:|---:|
//! | one state in the compiler's order | 24 × 95 / 3 = 760 | 815 | 818 |
//! | `avx512-x4`, each state | 24 × 95 / 3 / 4 = 190 | 205 | 220 |
//! | `avx512-x8`, each state | 24 × 95 / 2 / 8 = 142.5 | 143 | 151 |
//!
//! Tried there and dropped: θ folded into booleans of three operands, 90 operations a round. One state took 832 (gcc 12: 829), four
//! 209 each (gcc 208); eight 137 each, 4 % less with 24 rounds and long messages, the same with 12 rounds, and 1 % less in calls as
//! short as the calibration's, which would not have chosen it.
#![allow(unsafe_code)]

use super::soft;
use crate::families::sponge::Block;
use crate::ground::vector::x86::{Avx512x4, Avx512x8};
use crate::ground::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..4]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::absorb_many::<Avx512x4, 4, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `blocks * rate` bytes must be writable at `outputs[..4]`.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn squeeze_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute names every instruction of the vectors, and the outputs are as long as demanded above.
    unsafe { soft::squeeze_many::<Avx512x4, 4, ROUNDS>(states, outputs, block, blocks, ready) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::absorb_many::<Avx512x8, 8, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `blocks * rate` bytes must be writable at `outputs[..8]`.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn squeeze_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute names every instruction of the vectors, and the outputs are as long as demanded above.
    unsafe { soft::squeeze_many::<Avx512x8, 8, ROUNDS>(states, outputs, block, blocks, ready) }
}
