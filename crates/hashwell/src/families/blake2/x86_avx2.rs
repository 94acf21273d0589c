//! BLAKE2 with AVX2: one message with a row of the working vector in each register (`x86_rows.rs`), and four BLAKE2b or
//! eight BLAKE2s messages in parallel.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | BLAKE2b × 4 | 1774 operations | 0.87 | 1.38 | 1.15 | – |
//! | BLAKE2s × 8 | 1662 | 0.81 | 1.14 | 1.08 | 1.34, B |
//!
//! `x86_rows.rs` contains the figures for one message.
#![allow(unsafe_code)]

use super::soft::{self, Arithmetic, Compiled, SIGMA};
use super::x86_rows::{hidden, rows, turn_b, turn_s};
use super::{Blake2Word, Flags, Last, Run};
use crate::internal::vector::x86::{Avx2x4, Avx2x8};
use crate::internal::vector::{Input, MAX};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

rows! {
    /// Rotations by whole bytes are shuffles. The rotation by 63 bits is an addition, a shift and a xor.
    ///
    /// # Safety
    /// The CPU must have AVX2.
    #[target_feature(enable = "avx2")]
    fn compress_b(u64, 128) by _mm256_loadu_si256 _mm256_storeu_si256 _mm256_add_epi64 _mm256_xor_si256;
    with {
        let shuffle = |high, low| _mm256_broadcastsi128_si256(_mm_set_epi64x(high, low));
        // The masks are hidden from the compiler, which would replace the second shuffle by two shuffles and so
        // lengthen the chain.
        let rotate_24 = hidden!(ymm_reg, shuffle(0x0a09_080f_0e0d_0c0b, 0x0201_0007_0605_0403));
        let rotate_16 = hidden!(ymm_reg, shuffle(0x0908_0f0e_0d0c_0b0a, 0x0100_0706_0504_0302));
        macro_rules! words {
            ($m:ident, $i:expr, $j:expr, $k:expr, $l:expr) => {{
                // The words are hidden from the compiler, which would otherwise use shuffles for all four words.
                let word = |at| hidden!(ymm_reg, _mm256_set1_epi64x($m.add(at).cast::<i64>().read_unaligned()));
                let low = _mm256_blend_epi32::<0b00_00_11_00>(word($i), word($j));
                let high = _mm256_blend_epi32::<0b11_00_00_00>(word($k), word($l));
                _mm256_blend_epi32::<0b11_11_00_00>(low, high)
            }};
        }
    }
    rotate
        |x| _mm256_shuffle_epi32::<0b10_11_00_01>(x),
        |x| _mm256_shuffle_epi8(x, rotate_24),
        |x| _mm256_shuffle_epi8(x, rotate_16),
        |x| _mm256_xor_si256(_mm256_add_epi64(x, x), _mm256_srli_epi64::<63>(x));
    turn turn_b; hide ymm_reg; words words;
}

rows! {
    /// Rotations by 16 and 8 bits are shuffles. The others are two shifts and a xor.
    ///
    /// # Safety
    /// The CPU must have AVX2.
    #[target_feature(enable = "avx2")]
    fn compress_s(u32, 64) by _mm_loadu_si128 _mm_storeu_si128 _mm_add_epi32 _mm_xor_si128;
    with {
        let rotate_16 = hidden!(xmm_reg, _mm_set_epi64x(0x0d0c_0f0e_0908_0b0a, 0x0504_0706_0100_0302));
        let rotate_8 = hidden!(xmm_reg, _mm_set_epi64x(0x0c0f_0e0d_080b_0a09, 0x0407_0605_0003_0201));
        macro_rules! words {
            ($m:ident, $i:expr, $j:expr, $k:expr, $l:expr) => {{
                let word = |at| hidden!(xmm_reg, _mm_set1_epi32($m.add(at).cast::<i32>().read_unaligned()));
                let low = _mm_blend_epi32::<0b0010>(word($i), word($j));
                let high = _mm_blend_epi32::<0b1000>(word($k), word($l));
                _mm_blend_epi32::<0b1100>(low, high)
            }};
        }
    }
    rotate
        |x| _mm_shuffle_epi8(x, rotate_16),
        |x| _mm_xor_si128(_mm_slli_epi32::<20>(x), _mm_srli_epi32::<12>(x)),
        |x| _mm_shuffle_epi8(x, rotate_8),
        |x| _mm_xor_si128(_mm_slli_epi32::<25>(x), _mm_srli_epi32::<7>(x));
    turn turn_s; hide xmm_reg; words words;
}

/// # Safety
/// The CPU must have AVX2; each of `inputs[..4]` must contain the blocks of `run`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_b_4(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u64, Avx2x4, Compiled, 4, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The CPU must have AVX2; each of `inputs[..8]` must contain the blocks of `run`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_s_8(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Avx2x8, Compiled, 8, 64>(states, inputs, run, counters, flags) }
}
