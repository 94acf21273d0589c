//! SHA-256 with the x86 SHA extensions, for any even number of rounds.
#![allow(unsafe_code)]

use super::constants::K256;
use crate::lanes::MAX;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Two rounds an instruction:
///
/// ```text
/// state = (abef, cdgh)                     the layout that `sha256rnds2` wants
/// each four rounds g, wk = W[g] + K[g]:
///   cdgh = sha256rnds2(cdgh, abef, wk)     rounds 4g, 4g+1; the pair swaps roles
///   abef = sha256rnds2(abef, cdgh, wk >> 64)
///   W[g+4] = sha256msg2(sha256msg1(W[g], W[g+1]) + (W[g+2], W[g+3] shifted by a word), W[g+3])
/// ```
///
/// 90 is not a multiple of four: the last group stops after its first instruction, so the two halves
/// end with their roles swapped.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(super) unsafe fn compress<const ROUNDS: usize>(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    const { assert!(ROUNDS >= 16 && ROUNDS.is_multiple_of(2) && ROUNDS.next_multiple_of(4) <= K256_LEN) };
    // Swaps the bytes of each 32-bit word.
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);

    // SAFETY: two halves of a 32-byte array; unaligned loads.
    let (dcba, hgfe) = unsafe {
        let p: *const __m128i = state.as_ptr().cast();
        (_mm_loadu_si128(p), _mm_loadu_si128(p.add(1)))
    };
    let cdab = _mm_shuffle_epi32::<0b10_11_00_01>(dcba);
    let efgh = _mm_shuffle_epi32::<0b00_01_10_11>(hgfe);
    let mut abef = _mm_alignr_epi8::<8>(cdab, efgh);
    let mut cdgh = _mm_blend_epi16::<0b1111_0000>(efgh, cdab);

    for block in blocks {
        let (abef_before, cdgh_before) = (abef, cdgh);
        let mut w = [_mm_setzero_si128(); 4];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: 16 bytes; unaligned load.
            *w = _mm_shuffle_epi8(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }, big_endian);
        }
        macro_rules! four_rounds {
            ($t:ident $i:literal) => {
                let t = $t + 4 * $i;
                if t < ROUNDS {
                    if t >= 16 {
                        let w7 = _mm_alignr_epi8::<4>(w[($i + 3) & 3], w[($i + 2) & 3]);
                        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[$i], w[($i + 1) & 3]), w7);
                        w[$i] = _mm_sha256msg2_epu32(sum, w[($i + 3) & 3]);
                    }
                    // SAFETY: `t` is a multiple of four below ROUNDS, and K256 reaches to ROUNDS rounded
                    // up to one (asserted above).
                    let k = unsafe { _mm_loadu_si128(K256.as_ptr().add(t).cast()) };
                    let wk = _mm_add_epi32(w[$i], k);
                    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
                    if t + 2 < ROUNDS {
                        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32::<0b00_00_11_10>(wk));
                    } else {
                        (abef, cdgh) = (cdgh, abef);
                    }
                }
            };
        }
        let mut t = 0;
        while t < ROUNDS {
            four_rounds!(t 0);
            four_rounds!(t 1);
            four_rounds!(t 2);
            four_rounds!(t 3);
            t += 16;
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }

    let feba = _mm_shuffle_epi32::<0b00_01_10_11>(abef);
    let dchg = _mm_shuffle_epi32::<0b10_11_00_01>(cdgh);
    // SAFETY: as the loads above.
    unsafe {
        let p: *mut __m128i = state.as_mut_ptr().cast();
        _mm_storeu_si128(p, _mm_blend_epi16::<0b1111_0000>(feba, dchg));
        _mm_storeu_si128(p.add(1), _mm_alignr_epi8::<8>(dchg, feba));
    }
}

const K256_LEN: usize = K256.len();

/// Two messages, for the latency of `sha256rnds2` leaves room for a second one.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1; `inputs[..2]` must be `blocks` blocks long.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(super) unsafe fn compress_2<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[&[u8]; MAX],
    blocks: usize,
) {
    // SAFETY: the caller's.
    unsafe { compress_many::<2, ROUNDS>(states, inputs, blocks) }
}

/// Four messages, in the 32 registers of AVX-512VL.
///
/// # Safety
/// The CPU must have SHA and AVX-512VL; `inputs[..4]` must be `blocks` blocks long.
#[target_feature(enable = "sha,avx512f,avx512vl,avx2,ssse3,sse4.1")]
pub(super) unsafe fn compress_4<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[&[u8]; MAX],
    blocks: usize,
) {
    // SAFETY: the caller's.
    unsafe { compress_many::<4, ROUNDS>(states, inputs, blocks) }
}

/// `S` messages at once, at most four. The steps are those of [`compress`], each done for one message
/// after the other, so that none waits for itself.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1; `inputs[..S]` must be `blocks` blocks long.
#[inline(always)]
unsafe fn compress_many<const S: usize, const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[&[u8]; MAX],
    blocks: usize,
) {
    const { assert!(S <= 4 && ROUNDS >= 16 && ROUNDS.is_multiple_of(2)) };
    // SAFETY: the instructions are the caller's; rows are four words and more; inputs are long enough; K256
    // reaches to ROUNDS rounded up to a multiple of four.
    unsafe {
        let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
        let row = |i: usize| _mm_loadu_si128(states[i].as_ptr().cast());
        let mut abef = transpose([row(5), row(4), row(1), row(0)]);
        let mut cdgh = transpose([row(7), row(6), row(3), row(2)]);
        for block in 0..blocks {
            let (abef_before, cdgh_before) = (abef, cdgh);
            let mut w = [[_mm_setzero_si128(); 4]; S];
            macro_rules! four_rounds {
                ($t:expr, $i:literal) => {
                    let t = $t + 4 * $i;
                    if t < ROUNDS {
                        let k = _mm_loadu_si128(K256.as_ptr().add(t).cast());
                        let mut wk = [k; S];
                        for s in 0..S {
                            if t < 16 {
                                let bytes = inputs[s].as_ptr().add(64 * block + 16 * $i);
                                w[s][$i] = _mm_shuffle_epi8(_mm_loadu_si128(bytes.cast()), big_endian);
                            } else {
                                let w7 = _mm_alignr_epi8::<4>(w[s][($i + 3) & 3], w[s][($i + 2) & 3]);
                                let sum =
                                    _mm_add_epi32(_mm_sha256msg1_epu32(w[s][$i], w[s][($i + 1) & 3]), w7);
                                w[s][$i] = _mm_sha256msg2_epu32(sum, w[s][($i + 3) & 3]);
                            }
                            wk[s] = _mm_add_epi32(w[s][$i], k);
                            cdgh[s] = _mm_sha256rnds2_epu32(cdgh[s], abef[s], wk[s]);
                        }
                        for s in 0..S {
                            if t + 2 < ROUNDS {
                                let high = _mm_shuffle_epi32::<0b00_00_11_10>(wk[s]);
                                abef[s] = _mm_sha256rnds2_epu32(abef[s], cdgh[s], high);
                            } else {
                                (abef[s], cdgh[s]) = (cdgh[s], abef[s]);
                            }
                        }
                    }
                };
            }
            let mut t = 0;
            four_rounds!(0, 0);
            four_rounds!(0, 1);
            four_rounds!(0, 2);
            four_rounds!(0, 3);
            t += 16;
            while t < ROUNDS {
                four_rounds!(t, 0);
                four_rounds!(t, 1);
                four_rounds!(t, 2);
                four_rounds!(t, 3);
                t += 16;
            }
            for s in 0..S {
                abef[s] = _mm_add_epi32(abef[s], abef_before[s]);
                cdgh[s] = _mm_add_epi32(cdgh[s], cdgh_before[s]);
            }
        }
        let [f, e, b, a] = transpose(abef);
        let [h, g, d, c] = transpose(cdgh);
        for (row, words) in states.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            _mm_storeu_si128(row.as_mut_ptr().cast(), words);
        }
    }
}

/// Four words of each of four messages: rows become messages, and back.
///
/// # Safety
/// The CPU must have SSE2.
#[inline(always)]
unsafe fn transpose(r: [__m128i; 4]) -> [__m128i; 4] {
    // SAFETY: the caller's.
    unsafe {
        let t = [
            _mm_unpacklo_epi32(r[0], r[1]),
            _mm_unpackhi_epi32(r[0], r[1]),
            _mm_unpacklo_epi32(r[2], r[3]),
            _mm_unpackhi_epi32(r[2], r[3]),
        ];
        [
            _mm_unpacklo_epi64(t[0], t[2]),
            _mm_unpackhi_epi64(t[0], t[2]),
            _mm_unpacklo_epi64(t[1], t[3]),
            _mm_unpackhi_epi64(t[1], t[3]),
        ]
    }
}
