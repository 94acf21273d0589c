//! Keccak-p\[1600\] with AVX-512: one state with a word in each 128-bit register, four states in 256-bit
//! registers, eight in 512-bit ones. Per round and vector: 25 rotations of one instruction in ρ, and χ and θ
//! by three-operand booleans.
//!
//! A round is 95 operations. In core cycles on an Intel Xeon (family 6, model 85; three vector ports, two of them for 512 bits),
//! 24 rounds:
//!
//! | kernel | bound | a permutation | with absorbing 136 bytes |
//! |---|---:|---:|---:|
//! | `avx512` | 24 × 95 / 3 = 760 | 815 | 818 |
//! | `avx512-x4`, each state | 24 × 95 / 3 / 4 = 190 | 205 | 220 |
//! | `avx512-x8`, each state | 24 × 95 / 2 / 8 = 142.5 | 143 | 151 |
//!
//! Tried there and dropped: θ folded into booleans of three operands, 90 operations a round. One state took 832 (gcc 12: 829), four
//! 209 each (gcc 208); eight 137 each, 4 % less with 24 rounds and long messages, the same with 12 rounds, and 1 % less in calls as
//! short as the calibration's, which would not have chosen it.
#![allow(unsafe_code)]

use super::soft;
use crate::families::sponge::Block;
use crate::ground::vector::x86::{Avx512x1, Avx512x4, Avx512x8};
use crate::ground::vector::{Input, MAX, Vector};

/// Five sixths of its instructions run on any of the four vector ports, so a single state in vectors that
/// are mostly empty beats scalar code, which has no three-operand booleans and half the registers.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn permute<const ROUNDS: usize>(a: &mut [u64; 25]) {
    // SAFETY: the attribute names every instruction of the vectors, each of which holds one word.
    unsafe {
        let mut s = [Avx512x1::splat(0); 25];
        for (s, a) in s.iter_mut().zip(&*a) {
            *s = Avx512x1::load(a);
        }
        for (s, a) in soft::permuted::<Avx512x1, 1, ROUNDS>(s, |_| ()).into_iter().zip(a) {
            s.store(a);
        }
    }
}

/// # Safety
/// As [`permute`].
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(a: &mut [u64; 25], data: &[u8], block: Block) {
    // SAFETY: the attribute names every instruction of the vectors.
    unsafe { soft::absorb_one::<Avx512x1, ROUNDS>(a, data, block) }
}

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
