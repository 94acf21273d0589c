//! BLAKE2 with AVX2: one message with a row of the working vector in each register, and four BLAKE2b or eight
//! BLAKE2s messages side by side.
#![allow(unsafe_code)]

use super::soft::{self, SIGMA};
use super::{Blake2Word, Flags, Last, Run};
use crate::ground::vector::x86::{Avx2x4, Avx2x8};
use crate::ground::vector::{Input, MAX};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Four G at a time:
///
/// ```text
/// a = v0..v3   b = v4..v7   c = v8..v11   d = v12..v15        one register each
/// each round:   G on the columns (a, b, c, d)
///               turn a, c, d by lanes so that diagonals become columns; b, the last one ready, stays
///               G again, turn back
/// ```
///
/// Rotations by whole bytes are shuffles, the one by 63 is two shifts. The chain of sums decides the time,
/// so the message words are simply picked from memory beside it.
///
/// # Safety
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_b(h: &mut [u64; 8], blocks: &[[u8; 128]], counter: u128, last: Last) {
    // SAFETY: AVX2, says the caller; all loads and stores are of 32 bytes inside arrays.
    unsafe {
        let rotate_24 =
            _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0a09_080f_0e0d_0c0b, 0x0201_0007_0605_0403));
        let rotate_16 =
            _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0908_0f0e_0d0c_0b0a, 0x0100_0706_0504_0302));
        // Hidden from the compiler, which would make two shuffles of the second, and so lengthen the chain.
        let (mut rotate_24, mut rotate_16) = (rotate_24, rotate_16);
        core::arch::asm!("/* {0} {1} */", inout(ymm_reg) rotate_24, inout(ymm_reg) rotate_16, options(pure, nomem, nostack, preserves_flags));
        let load = |words: &[u64]| _mm256_loadu_si256(words[..4].as_ptr().cast());
        let initial = [load(&u64::INITIAL[..4]), load(&u64::INITIAL[4..])];
        let mut h0 = load(&h[..4]);
        let mut h1 = load(&h[4..]);
        let mut t = counter;
        for block in blocks {
            t = t.wrapping_add(128);
            let m = block.as_ptr().cast::<u64>();
            let mask = |set: bool| -i64::from(set);
            let tweak = _mm256_set_epi64x(
                mask(last == Last::BlockOfLastNode),
                mask(last != Last::No),
                (t >> 64) as i64,
                t as i64,
            );
            let (mut a, mut b, mut c, mut d) = (h0, h1, initial[0], _mm256_xor_si256(initial[1], tweak));
            macro_rules! mix {
                ($x:expr, $y:expr) => {
                    a = _mm256_add_epi64(_mm256_add_epi64(a, $x), b);
                    d = _mm256_shuffle_epi32::<0b10_11_00_01>(_mm256_xor_si256(d, a));
                    c = _mm256_add_epi64(c, d);
                    b = _mm256_shuffle_epi8(_mm256_xor_si256(b, c), rotate_24);
                    a = _mm256_add_epi64(_mm256_add_epi64(a, $y), b);
                    d = _mm256_shuffle_epi8(_mm256_xor_si256(d, a), rotate_16);
                    c = _mm256_add_epi64(c, d);
                    b = _mm256_xor_si256(b, c);
                    b = _mm256_xor_si256(_mm256_add_epi64(b, b), _mm256_srli_epi64::<63>(b));
                };
            }
            macro_rules! words {
                ($i:expr, $j:expr, $k:expr, $l:expr) => {{
                    let pair = |i: usize, j: usize| {
                        _mm_castpd_si128(_mm_loadh_pd(
                            _mm_castsi128_pd(_mm_loadl_epi64(m.add(i).cast())),
                            m.add(j).cast(),
                        ))
                    };
                    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(pair($i, $j)), pair($k, $l))
                }};
            }
            macro_rules! rounds {
                ($($r:literal)*) => { $(
                    let s = const { &SIGMA[$r % 10] };
                    mix!(words!(s[0], s[2], s[4], s[6]), words!(s[1], s[3], s[5], s[7]));
                    a = _mm256_permute4x64_epi64::<0b10_01_00_11>(a);
                    d = _mm256_permute4x64_epi64::<0b01_00_11_10>(d);
                    c = _mm256_permute4x64_epi64::<0b00_11_10_01>(c);
                    // `a` has turned by one, so the first diagonal stands in column 1.
                    mix!(words!(s[14], s[8], s[10], s[12]), words!(s[15], s[9], s[11], s[13]));
                    a = _mm256_permute4x64_epi64::<0b00_11_10_01>(a);
                    d = _mm256_permute4x64_epi64::<0b01_00_11_10>(d);
                    c = _mm256_permute4x64_epi64::<0b10_01_00_11>(c);
                )* };
            }
            rounds!(0 1 2 3 4 5 6 7 8 9 10 11);
            h0 = _mm256_xor_si256(h0, _mm256_xor_si256(a, c));
            h1 = _mm256_xor_si256(h1, _mm256_xor_si256(b, d));
        }
        _mm256_storeu_si256(h[..4].as_mut_ptr().cast(), h0);
        _mm256_storeu_si256(h[4..].as_mut_ptr().cast(), h1);
    }
}

/// # Safety
/// The CPU must have AVX2; `inputs[..4]` must reach as far as `run` goes.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_b_4(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx2x4, 4, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The CPU must have AVX2; `inputs[..8]` must reach as far as `run` goes.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compress_s_8(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx2x8, 8, 64>(states, inputs, run, counters, flags) }
}
