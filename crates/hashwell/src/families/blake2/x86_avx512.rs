//! BLAKE2 with AVX-512: one message with a row of the working vector in each register (`x86_rows.rs`), and of many
//! messages four BLAKE2b (the leaves of BLAKE2bp) or eight, eight BLAKE2s (the leaves of BLAKE2sp) or sixteen.
//!
//! Budget, port bound and cycles a byte, of long messages (`docs/backends.md`, Budgets):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | BLAKE2b × 4 | 1384 operations: 14 in each G, transposition; a chain of 24 × 15 | 0.71 | 1.02 | 0.90 | 1.07, B |
//! | BLAKE2b × 8 | 1400 | 0.68 | 0.85 | 0.68 | 0.74, B |
//! | BLAKE2s × 8 | 1179; a chain of 20 × 15 | 0.59 | 0.89 | 0.77 | 0.88, B |
//! | BLAKE2s × 16 | 1195 | 0.58 | 0.71 | 0.58 | 0.61, B |
//!
//! BLAKE2b × 4 without any transposition takes 530 cycles a block on Xeon B, so that its rounds alone are a sixth behind the bound; two
//! pairs of G out of step take 544. On Zen 4 rounds alone take 490 of 520 so, and in none of 5000 orders less than 478: half a round is
//! 20 cycles, 15.1 of the chain (measured) and one for each time that four G in step wait for the two units that rotate. Dropped there:
//! words laid out by scalar loads and stores among the rounds (BLAKE2bp 1 % less, four messages of 128 bytes 2 % more).
#![allow(unsafe_code)]

use super::soft::{self, Arithmetic, SIGMA};
use super::x86_rows::{hidden, rows, turn_b, turn_s};
use super::{Blake2Word, Flags, Last, Run};
use crate::ground::vector::x86::{Avx512x4, Avx512x8, Avx512x8u32, Avx512x16};
use crate::ground::vector::{Input, MAX};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Masks of lanes 1, 2 and 3, hidden from the compiler, which would make shuffles of what they merge.
macro_rules! masks {
    () => {
        [hidden!(kreg, 0b0010_u8), hidden!(kreg, 0b0100_u8), hidden!(kreg, 0b1000_u8)]
    };
}

rows! {
    /// # Safety
    /// The CPU must have AVX-512F, BW and VL.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
    fn compress_b(u64, 128) by _mm256_loadu_si256 _mm256_storeu_si256 _mm256_add_epi64 _mm256_xor_si256;
    with {
        let masks = masks!();
        macro_rules! words {
            ($m:ident, $i:expr, $j:expr, $k:expr, $l:expr) => {{
                let word = |at| $m.add(at).cast::<i64>().read_unaligned();
                let x = _mm256_mask_set1_epi64(_mm256_set1_epi64x(word($i)), masks[0], word($j));
                _mm256_mask_set1_epi64(_mm256_mask_set1_epi64(x, masks[1], word($k)), masks[2], word($l))
            }};
        }
    }
    rotate
        |x| _mm256_ror_epi64::<32>(x),
        |x| _mm256_ror_epi64::<24>(x),
        |x| _mm256_ror_epi64::<16>(x),
        |x| _mm256_ror_epi64::<63>(x);
    turn turn_b; hide ymm_reg; words words;
}

rows! {
    /// # Safety
    /// The CPU must have AVX-512F, BW and VL.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
    fn compress_s(u32, 64) by _mm_loadu_si128 _mm_storeu_si128 _mm_add_epi32 _mm_xor_si128;
    with {
        let masks = masks!();
        macro_rules! words {
            ($m:ident, $i:expr, $j:expr, $k:expr, $l:expr) => {{
                let word = |at| $m.add(at).cast::<i32>().read_unaligned();
                let x = _mm_mask_set1_epi32(_mm_set1_epi32(word($i)), masks[0], word($j));
                _mm_mask_set1_epi32(_mm_mask_set1_epi32(x, masks[1], word($k)), masks[2], word($l))
            }};
        }
    }
    rotate
        |x| _mm_ror_epi32::<16>(x),
        |x| _mm_ror_epi32::<12>(x),
        |x| _mm_ror_epi32::<8>(x),
        |x| _mm_ror_epi32::<7>(x);
    turn turn_s; hide xmm_reg; words words;
}

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

/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must reach as far as `run` goes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_s_8(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx512x8u32, 8, 64>(states, inputs, run, counters, flags) }
}
