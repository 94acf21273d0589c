//! SHA-1 with the x86 SHA extensions.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | one | a chain of 20 `sha1rnds4` of 6 cycles each (Zen 4, measured) | 1.88 | 1.90 | 1.49 | 1.88, C; 1.93, D |
//! | one, `compress_vl` | the same | 1.88 | 1.90 | 1.49 | 1.55, D |
//! | × 2 | the same, for two messages | 0.94 | 1.12 | 0.94 | – |
//! | × 4 | 80 `sha1rnds4`, which take 2 cycles (Zen 4), 3 (Xeon) | 0.63 | 0.83 | 0.94 | – |
//!
//! On the Xeon, the chain takes 95.6 cycles including `sha1nexte` (C). Zen 4 hides the time of `sha1nexte`.
#![allow(unsafe_code)]

use crate::internal::vector::{Input, MAX};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Computes four rounds with one instruction:
///
/// ```text
/// abcd  = a, b, c, d from the top lane down; e is in the top lane of a separate vector
/// each four rounds g:
///   e'   = abcd                             kept: `sha1nexte` rotates its a by 30 into the next e
///   abcd = sha1rnds4(abcd, e + W[g], f)     f = round function and K of twenty rounds
///   W[g+4] = sha1msg2(sha1msg1(W[g], W[g+1]) ^ W[g+2], W[g+3])
/// ```
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(super) unsafe fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    // SAFETY: the attribute enables every instruction used.
    unsafe { compress_by::<false>(state, blocks) }
}

/// Like [`compress`], but computes the words from the 32nd on with vector operations in which no word depends on its
/// three neighbours. This is faster on CPUs with slow `sha1msg1` and `sha1msg2`. Substituting W[t] = (W[t-3] ^ W[t-8] ^
/// W[t-14] ^ W[t-16]) <<< 1 into itself gives
///
/// ```text
/// W[t] = (W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]) <<< 2
/// ```
///
/// # Safety
/// The CPU must have SHA, SSSE3, SSE4.1, and AVX-512F and VL.
#[target_feature(enable = "sha,ssse3,sse4.1,avx512f,avx512vl")]
pub(super) unsafe fn compress_vl(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    // SAFETY: the attribute enables every instruction used.
    unsafe { compress_by::<true>(state, blocks) }
}

/// If `VECTORS` is true, words are scheduled as in [`compress_vl`].
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1, and AVX-512F and VL if `VECTORS` is true.
#[inline(always)]
unsafe fn compress_by<const VECTORS: bool>(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    // SAFETY: the caller guarantees the instructions. Loads and stores access the first 16 bytes of a 20-byte array,
    // and each 16 bytes of a block. They need not be aligned.
    unsafe {
        // Reverses the 16 bytes, so that big-endian words become numbers and the first word is in the top lane.
        let reverse = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
        let mut abcd = _mm_loadu_si128(state.as_ptr().cast());
        abcd = _mm_shuffle_epi32::<0b00_01_10_11>(abcd);
        let mut e = _mm_set_epi32(state[4].cast_signed(), 0, 0, 0);

        for block in blocks {
            let (abcd_before, e_before) = (abcd, e);
            // Group g is at index g mod 8.
            let mut w = [_mm_setzero_si128(); 8];
            for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
                *w = _mm_shuffle_epi8(_mm_loadu_si128(bytes.as_ptr().cast()), reverse);
            }
            // The first group adds e itself. Later groups compute e from the value that a had four rounds before.
            let mut previous = abcd;
            abcd = _mm_sha1rnds4_epu32::<0>(abcd, _mm_add_epi32(e, w[0]));
            macro_rules! groups {
                ($($g:literal)*) => { $(
                    let before = |groups: usize| w[($g + 8 - groups) & 7];
                    if VECTORS && $g >= 8 {
                        const XOR: i32 = 0x96;
                        let sum = _mm_ternarylogic_epi32::<XOR>(before(4), before(7), before(8));
                        let words_6 = _mm_alignr_epi8::<8>(before(2), before(1));
                        w[$g & 7] = _mm_rol_epi32::<2>(_mm_xor_si128(sum, words_6));
                    } else if $g >= 4 {
                        let sum = _mm_xor_si128(_mm_sha1msg1_epu32(before(4), before(3)), before(2));
                        w[$g & 7] = _mm_sha1msg2_epu32(sum, before(1));
                    }
                    let ew = _mm_sha1nexte_epu32(previous, w[$g & 7]);
                    previous = abcd;
                    abcd = _mm_sha1rnds4_epu32::<{ $g / 5 }>(abcd, ew);
                )* };
            }
            groups!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
            e = _mm_sha1nexte_epu32(previous, e_before);
            abcd = _mm_add_epi32(abcd, abcd_before);
        }

        abcd = _mm_shuffle_epi32::<0b00_01_10_11>(abcd);
        _mm_storeu_si128(state.as_mut_ptr().cast(), abcd);
        state[4] = _mm_extract_epi32::<3>(e).cast_unsigned();
    }
}

/// Compresses two messages. While one message waits for `sha1rnds4`, the instructions of the other run.
///
/// # Safety
/// The CPU must have SHA and AVX; each of `inputs[..2]` must contain `blocks` blocks.
#[target_feature(enable = "sha,avx,ssse3,sse4.1")]
pub(super) unsafe fn compress_2(states: &mut [[u32; MAX]; 5], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { compress_many::<2>(states, inputs, blocks) }
}

/// Compresses four messages. With three or more messages, the unit that executes `sha1rnds4` is always busy.
///
/// # Safety
/// The CPU must have SHA and AVX; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "sha,avx,ssse3,sse4.1")]
pub(super) unsafe fn compress_4(states: &mut [[u32; MAX]; 5], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { compress_many::<4>(states, inputs, blocks) }
}

/// Computes the steps of [`compress`] for `S` messages in turn.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1; each of `inputs[..S]` must contain `blocks` blocks.
#[inline(always)]
unsafe fn compress_many<const S: usize>(
    states: &mut [[u32; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs.
    unsafe {
        let reverse = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
        let mut abcd = [_mm_setzero_si128(); S];
        let mut e = [_mm_setzero_si128(); S];
        for s in 0..S {
            let word = |i: usize| states[i][s].cast_signed();
            abcd[s] = _mm_set_epi32(word(0), word(1), word(2), word(3));
            e[s] = _mm_set_epi32(word(4), 0, 0, 0);
        }
        for block in 0..blocks {
            let (abcd_before, e_before) = (abcd, e);
            let mut w = [[_mm_setzero_si128(); 4]; S];
            let mut previous = abcd;
            for s in 0..S {
                let from = inputs[s].block(block, 64);
                for (i, w) in w[s].iter_mut().enumerate() {
                    *w = _mm_shuffle_epi8(_mm_loadu_si128(from.add(16 * i).cast()), reverse);
                }
                abcd[s] = _mm_sha1rnds4_epu32::<0>(abcd[s], _mm_add_epi32(e[s], w[s][0]));
            }
            macro_rules! groups {
                ($($g:literal)*) => { $(
                    for s in 0..S {
                        if $g >= 4 {
                            let older = _mm_sha1msg1_epu32(w[s][$g & 3], w[s][($g + 1) & 3]);
                            let sum = _mm_xor_si128(older, w[s][($g + 2) & 3]);
                            w[s][$g & 3] = _mm_sha1msg2_epu32(sum, w[s][($g + 3) & 3]);
                        }
                        let ew = _mm_sha1nexte_epu32(previous[s], w[s][$g & 3]);
                        previous[s] = abcd[s];
                        abcd[s] = _mm_sha1rnds4_epu32::<{ $g / 5 }>(abcd[s], ew);
                    }
                )* };
            }
            groups!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
            for s in 0..S {
                e[s] = _mm_sha1nexte_epu32(previous[s], e_before[s]);
                abcd[s] = _mm_add_epi32(abcd[s], abcd_before[s]);
            }
        }
        for s in 0..S {
            states[0][s] = _mm_extract_epi32::<3>(abcd[s]).cast_unsigned();
            states[1][s] = _mm_extract_epi32::<2>(abcd[s]).cast_unsigned();
            states[2][s] = _mm_extract_epi32::<1>(abcd[s]).cast_unsigned();
            states[3][s] = _mm_extract_epi32::<0>(abcd[s]).cast_unsigned();
            states[4][s] = _mm_extract_epi32::<3>(e[s]).cast_unsigned();
        }
    }
}
