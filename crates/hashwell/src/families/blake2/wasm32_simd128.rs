//! BLAKE2b of two messages, or BLAKE2s of four, side by side, in vectors of WebAssembly. One message alone is slower in
//! them: rotations cost three instructions, and turning the rows a shuffle each.
#![allow(unsafe_code)]

use super::{Flags, Run, soft};
use crate::ground::vector::wasm32::{Simd128x2, Simd128x4};
use crate::ground::vector::{Input, MAX};

/// # Safety
/// `inputs[..2]` must reach as far as `run` goes.
pub(super) unsafe fn compress_b_2(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the type of the vectors proves their instructions, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Simd128x2, 2, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// `inputs[..4]` must reach as far as `run` goes.
pub(super) unsafe fn compress_s_4(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: the type of the vectors proves their instructions, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Simd128x4, 4, 64>(states, inputs, run, counters, flags) }
}
