//! AVX-512: sixteen SHA-256 or eight SHA-512 messages side by side, or half as many in 256-bit registers.
//!
//! Operations of a block in all lanes: rounds of 17, schedule steps of 11, and what transposes and swaps the words. On an Intel
//! Xeon (family 6, model 85; three vector ports, two of them for 512 bits), in core cycles for each block of each message:
//!
//! | kernel | operations | bound | reached | cycles a byte |
//! |---|---:|---:|---:|---:|
//! | SHA-256 × 16 | 1704 | 1704 / 2 / 16 = 53 | 59 | 0.92 |
//! | SHA-256 × 8, 256 bits | 1688 | 1688 / 3 / 8 = 70 | 82 | 1.28 |
//! | SHA-512 × 4, 256 bits | 2120 | 2120 / 3 / 4 = 177 | 201 | 1.57 |
//!
//! Tried there for × 16 and dropped: the exchange of 128-bit parts done by loads merged by masks (0.92), and words laid out by
//! scalar loads and stores among the rounds, as Keccak's are (1.02).
#![allow(unsafe_code)]

use super::soft;
use crate::ground::vector::x86::{Avx512x4, Avx512x8, Avx512x8u32, Avx512x16};
use crate::ground::vector::{Input, MAX};

/// Sixteen messages: sums, rotations and three-operand booleans are one instruction each for all of them.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..16]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_16<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx512x16, 16, ROUNDS>(states, inputs, blocks) }
}

/// Eight messages, likewise.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_8(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx512x8, 8, 80>(states, inputs, blocks) }
}

/// Eight messages of SHA-256. On processors that execute three vector instructions of 256 bits a cycle but two of 512, a
/// block of eight takes two thirds of the time that one of sixteen takes.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_8<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx512x8u32, 8, ROUNDS>(states, inputs, blocks) }
}

/// Four messages of SHA-512, likewise.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..4]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_4(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx512x4, 4, 80>(states, inputs, blocks) }
}
