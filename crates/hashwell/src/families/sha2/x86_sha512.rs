//! SHA-512 with the SHA-512 instructions (`VSHA512RNDS2` and related instructions: Intel's manual, volume 2C; in Arrow
//! Lake and later CPUs).
//!
//! Budget and cycles were not measured, because neither a CPU with the instructions nor an emulator was available. A
//! block takes a chain of 40 dependent `vsha512rnds2` and 32 instructions for the schedule. A proof shows that the
//! machine code computes SHA-512, based on the manual's description of the instructions (`dev/verification.md`).
#![allow(unsafe_code)]

use super::constants::K512;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Swaps the halves of each 128 bits.
const SWAPPED: i32 = 0b01_00_11_10;

/// Computes four rounds with two instructions (FIPS 180-4 section 6.4.2, steps 1 and 3), listed from the lowest lane
/// up:
///
/// ```text
/// abef, cdgh = (f, e, b, a), (h, g, d, c)
/// each four rounds i, wk = W[i..i+4] + K[i..i+4]:
///   abef, cdgh = sha512rnds2(cdgh, abef, lower half of wk), abef      two rounds
///   abef, cdgh = sha512rnds2(cdgh, abef, upper half of wk), abef      two rounds
///   W[i+16..i+20] = sha512msg2(sha512msg1(W[i..i+4], W[i+4..i+6]) + W[i+9..i+13], W[i+12..i+16])
/// ```
///
/// # Safety
/// The CPU must have the SHA-512 instructions and AVX2.
#[target_feature(enable = "sha512,avx2")]
pub(super) unsafe fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // Reverses the bytes of each word.
    let order = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607));
    let (halves, _) = state.as_chunks_mut::<4>();
    let [abcd, efgh] = halves else { unreachable!("eight words are two halves") };
    // SAFETY: loads four words each; they need not be aligned.
    let [low, high] = [&*abcd, &*efgh].map(|four| unsafe { _mm256_loadu_si256(four.as_ptr().cast()) });
    let (low, high) = (_mm256_shuffle_epi32::<SWAPPED>(low), _mm256_shuffle_epi32::<SWAPPED>(high));
    let mut abef = _mm256_permute2x128_si256::<0x02>(low, high);
    let mut cdgh = _mm256_permute2x128_si256::<0x13>(low, high);

    for block in blocks {
        let before = [abef, cdgh];
        let mut w = [_mm256_setzero_si256(); 4];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<32>().0) {
            // SAFETY: loads 32 bytes; they need not be aligned.
            *w = _mm256_shuffle_epi8(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }, order);
        }
        macro_rules! four_rounds {
            ($k:ident $t:ident $i:literal) => {
                if $t > 0 {
                    let (w8, w12) = (w[($i + 2) & 3], w[($i + 3) & 3]);
                    let sum = _mm256_sha512msg1_epi64(w[$i], _mm256_castsi256_si128(w[($i + 1) & 3]));
                    let w9 = _mm256_permute4x64_epi64::<0b00_11_10_01>(_mm256_blend_epi32::<0b11>(w8, w12));
                    w[$i] = _mm256_sha512msg2_epi64(_mm256_add_epi64(sum, w9), w12);
                }
                // SAFETY: loads four of the sixteen words; they need not be aligned.
                let k = unsafe { _mm256_loadu_si256($k[4 * $i..4 * $i + 4].as_ptr().cast()) };
                let wk = _mm256_add_epi64(w[$i], k);
                cdgh = _mm256_sha512rnds2_epi64(cdgh, abef, _mm256_castsi256_si128(wk));
                abef = _mm256_sha512rnds2_epi64(abef, cdgh, _mm256_extracti128_si256::<1>(wk));
            };
        }
        for (t, k) in K512.as_chunks::<16>().0.iter().enumerate() {
            four_rounds!(k t 0);
            four_rounds!(k t 1);
            four_rounds!(k t 2);
            four_rounds!(k t 3);
        }
        // Step 4.
        abef = _mm256_add_epi64(abef, before[0]);
        cdgh = _mm256_add_epi64(cdgh, before[1]);
    }

    let low = _mm256_permute2x128_si256::<0x31>(abef, cdgh);
    let high = _mm256_permute2x128_si256::<0x20>(abef, cdgh);
    for (four, vector) in [(abcd, low), (efgh, high)] {
        // SAFETY: the same as for the loads above.
        unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), _mm256_shuffle_epi32::<SWAPPED>(vector)) };
    }
}
