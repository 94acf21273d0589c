//! SHA-1 with the x86 SHA extensions.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Four rounds an instruction:
///
/// ```text
/// abcd  = a, b, c, d from the top lane down; e rides in the top lane of its own vector
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
    // Reverses the 16 bytes: big-endian words, first word in the top lane.
    let reverse = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    // SAFETY: the first 16 bytes of a 20-byte array; unaligned load.
    let mut abcd = unsafe { _mm_loadu_si128(state.as_ptr().cast()) };
    abcd = _mm_shuffle_epi32::<0b00_01_10_11>(abcd);
    let mut e = _mm_set_epi32(state[4].cast_signed(), 0, 0, 0);

    for block in blocks {
        let (abcd_before, e_before) = (abcd, e);
        let mut w = [_mm_setzero_si128(); 4];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: 16 bytes; unaligned load.
            *w = _mm_shuffle_epi8(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }, reverse);
        }
        // The first group adds e as it is; later ones take it from the a of four rounds before.
        let mut previous = abcd;
        abcd = _mm_sha1rnds4_epu32::<0>(abcd, _mm_add_epi32(e, w[0]));
        macro_rules! four_rounds {
            ($g:expr) => {
                let ew = _mm_sha1nexte_epu32(previous, w[$g & 3]);
                previous = abcd;
                abcd = _mm_sha1rnds4_epu32::<{ $g / 5 }>(abcd, ew);
            };
        }
        macro_rules! schedule {
            ($g:expr) => {
                w[$g & 3] = _mm_sha1msg2_epu32(
                    _mm_xor_si128(_mm_sha1msg1_epu32(w[$g & 3], w[($g + 1) & 3]), w[($g + 2) & 3]),
                    w[($g + 3) & 3],
                );
            };
        }
        macro_rules! groups {
            ($($g:literal)*) => { $( if $g >= 4 { schedule!($g); } four_rounds!($g); )* };
        }
        groups!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        e = _mm_sha1nexte_epu32(previous, e_before);
        abcd = _mm_add_epi32(abcd, abcd_before);
    }

    abcd = _mm_shuffle_epi32::<0b00_01_10_11>(abcd);
    // SAFETY: as the load above.
    unsafe { _mm_storeu_si128(state.as_mut_ptr().cast(), abcd) };
    state[4] = _mm_extract_epi32::<3>(e).cast_unsigned();
}
