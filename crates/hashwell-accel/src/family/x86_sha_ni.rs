//! The x86 instructions for SHA-256, with any number of rounds.
#![allow(unsafe_code)]

use crate::family::instructions::{Instructions, compress_block};
use crate::family::member::{Rotations, Sha256Family};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// The existence of a value proves that this CPU has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct ShaNi(());

impl ShaNi {
    /// Returns the proof, or the reason why the instructions cannot compute this member on this CPU.
    pub(crate) fn of(member: &Sha256Family) -> Result<Self, &'static str> {
        if *member.rotations() != Rotations::SHA256 {
            return Err("only the rotations of SHA-256 are supported");
        }
        let there = is_x86_feature_detected!("sha")
            && is_x86_feature_detected!("ssse3")
            && is_x86_feature_detected!("sse4.1");
        if there { Ok(Self(())) } else { Err("this CPU lacks the SHA extensions") }
    }

    pub(crate) fn compress(self, member: &Sha256Family, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        // SAFETY: `self` exists, and `of` makes it only if the CPU has these instructions.
        unsafe { compress(member, state, blocks) }
    }
}

/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
unsafe fn compress(member: &Sha256Family, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let mut halves = load_state(state);
    for block in blocks {
        let (k, rounds) = (member.constants_in_fours(), member.rounds());
        // SAFETY: this function enables the features of `Sha`.
        halves = unsafe { compress_block::<Sha>(halves, block, k, rounds) };
    }
    store_state(halves, state);
}

/// The instructions, for a state in two registers: (abef, cdgh), with a and c in the highest lanes. `sha256rnds2`
/// requires this layout.
struct Sha;

impl Instructions for Sha {
    type Words = __m128i;

    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    unsafe fn block(block: &[u8; 64]) -> [__m128i; 4] {
        // Swaps the bytes of each 32-bit word.
        let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
        let mut w = [_mm_setzero_si128(); 4];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: this loads 16 bytes of the block; they need not be aligned.
            *w = _mm_shuffle_epi8(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }, big_endian);
        }
        w
    }

    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    unsafe fn next(w: [__m128i; 4]) -> __m128i {
        let w7 = _mm_alignr_epi8::<4>(w[3], w[2]);
        _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), w7), w[3])
    }

    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    unsafe fn four_rounds([abef, cdgh]: [__m128i; 2], w: __m128i, k: &[u32; 4]) -> [__m128i; 2] {
        // SAFETY: this loads four words; they need not be aligned.
        let wk = _mm_add_epi32(w, unsafe { _mm_loadu_si128(k.as_ptr().cast()) });
        let two = _mm_sha256rnds2_epu32(cdgh, abef, wk);
        [_mm_sha256rnds2_epu32(abef, two, _mm_shuffle_epi32::<0b00_00_11_10>(wk)), two]
    }

    /// The instruction computes two rounds. A round moves three variables of each half by one lane, so the state after
    /// one round can be made from the state before both rounds and the state after them: a1 b1 e1 f1 are b2 a0 f2 e0,
    /// and c1 d1 g1 h1 are b0 c0 f0 g0.
    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    unsafe fn some_rounds(
        [mut abef, mut cdgh]: [__m128i; 2],
        w: __m128i,
        k: &[u32; 4],
        rounds: usize,
    ) -> [__m128i; 2] {
        // SAFETY: this loads four words; they need not be aligned.
        let mut wk = _mm_add_epi32(w, unsafe { _mm_loadu_si128(k.as_ptr().cast()) });
        if rounds >= 2 {
            (abef, cdgh) = (_mm_sha256rnds2_epu32(cdgh, abef, wk), abef);
            wk = _mm_shuffle_epi32::<0b00_00_11_10>(wk);
        }
        if rounds % 2 == 1 {
            let two = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            let one = |two, before| _mm_or_si128(_mm_slli_epi64::<32>(two), _mm_srli_epi64::<32>(before));
            (abef, cdgh) = (one(two, abef), one(abef, cdgh));
        }
        [abef, cdgh]
    }

    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    unsafe fn sum(a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] {
        [_mm_add_epi32(a[0], b[0]), _mm_add_epi32(a[1], b[1])]
    }
}

/// Converts the words in order to (abef, cdgh).
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn load_state(state: &[u32; 8]) -> [__m128i; 2] {
    let [a, b, c, d, e, f, g, h] = state.map(u32::cast_signed);
    [_mm_set_epi32(a, b, e, f), _mm_set_epi32(c, d, g, h)]
}

/// Computes the inverse of [`load_state`].
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn store_state(halves: [__m128i; 2], state: &mut [u32; 8]) {
    let mut lanes = [[0_u32; 4]; 2];
    for (lanes, half) in lanes.iter_mut().zip(halves) {
        // SAFETY: this stores four words; they need not be aligned.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), half) };
    }
    let [[f, e, b, a], [h, g, d, c]] = lanes;
    *state = [a, b, c, d, e, f, g, h];
}
