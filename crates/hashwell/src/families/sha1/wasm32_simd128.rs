//! SHA-1 of four messages side by side, in vectors of WebAssembly.
//!
//! Budget and cycles: not measured, since an engine compiles it; `dev/kernels.md` has what it gains in one of them.
#![allow(unsafe_code)]

use super::soft;
use crate::internal::vector::wasm32::Simd128x4;
use crate::internal::vector::{Input, MAX};

/// # Safety
/// `inputs[..4]` must be `blocks` blocks long.
pub(super) unsafe fn compress_4(states: &mut [[u32; MAX]; 5], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the type of the vectors proves their instructions, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<Simd128x4, 4>(states, inputs, blocks) }
}
