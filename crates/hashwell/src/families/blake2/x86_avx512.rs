//! BLAKE2 of many messages with AVX-512: four BLAKE2b (the leaves of BLAKE2bp) or eight, sixteen BLAKE2s.
#![allow(unsafe_code)]

use super::soft;
use super::{Flags, Run};
use crate::ground::vector::x86::{Avx512x4, Avx512x8, Avx512x16};
use crate::ground::vector::{Input, MAX};

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..4]` must reach as far as `run` goes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_b_4(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx512x4, 4, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must reach as far as `run` goes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_b_8(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx512x8, 8, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..16]` must reach as far as `run` goes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_s_16(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx512x16, 16, 64>(states, inputs, run, counters, flags) }
}
