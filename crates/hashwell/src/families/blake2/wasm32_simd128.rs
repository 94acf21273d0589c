//! BLAKE2s of four messages side by side, in vectors of WebAssembly. Two of BLAKE2b do not beat one after the other, and
//! one message alone is slower in them: rotations cost three instructions, and turning the rows a shuffle each.
//!
//! Budget and cycles: not measured, since an engine compiles it; `dev/kernels.md` has what it gains in one of them.
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use super::{Flags, Run};
use crate::internal::vector::wasm32::Simd128x4;
use crate::internal::vector::{Input, MAX};

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
    unsafe { soft::compress_many::<u32, Simd128x4, Compiled, 4, 64>(states, inputs, run, counters, flags) }
}
