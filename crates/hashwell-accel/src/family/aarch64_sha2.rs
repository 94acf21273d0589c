//! The Armv8 instructions for SHA-256, with any number of rounds.
#![allow(unsafe_code)]

use crate::family::instructions::{Instructions, compress_block};
use crate::family::member::{Rotations, Sha256Family};
use core::arch::aarch64::*;

/// The existence of a value proves that this CPU has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct Armv8(());

impl Armv8 {
    /// Returns the proof, or the reason why the instructions cannot compute this member on this CPU.
    pub(crate) fn of(member: &Sha256Family) -> Result<Self, &'static str> {
        if *member.rotations() != Rotations::SHA256 {
            return Err("only the rotations of SHA-256 are supported");
        }
        let there = std::arch::is_aarch64_feature_detected!("sha2");
        if there { Ok(Self(())) } else { Err("this CPU lacks the SHA-256 instructions") }
    }

    pub(crate) fn compress(self, member: &Sha256Family, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        // SAFETY: `self` exists, and `of` makes it only if the CPU has these instructions.
        unsafe { compress(member, state, blocks) }
    }
}

/// # Safety
/// The CPU must have the SHA-256 instructions.
#[target_feature(enable = "neon,sha2")]
unsafe fn compress(member: &Sha256Family, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    // SAFETY: this loads the two halves of a 32-byte array; they need not be aligned.
    let mut halves = unsafe { [vld1q_u32(state.as_ptr()), vld1q_u32(state.as_ptr().add(4))] };
    for block in blocks {
        let (k, rounds) = (member.constants_in_fours(), member.rounds());
        // SAFETY: this function enables the features of `Sha2`.
        halves = unsafe { compress_block::<Sha2>(halves, block, k, rounds) };
    }
    // SAFETY: the same as for the loads above.
    unsafe {
        vst1q_u32(state.as_mut_ptr(), halves[0]);
        vst1q_u32(state.as_mut_ptr().add(4), halves[1]);
    }
}

/// The instructions, for a state in two registers: (abcd, efgh), with a and e in the lowest lanes.
struct Sha2;

impl Instructions for Sha2 {
    type Words = uint32x4_t;

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn block(block: &[u8; 64]) -> [uint32x4_t; 4] {
        let mut w = [vdupq_n_u32(0); 4];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: this loads 16 bytes of the block; they need not be aligned.
            *w = vreinterpretq_u32_u8(vrev32q_u8(unsafe { vld1q_u8(bytes.as_ptr()) }));
        }
        w
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn next(w: [uint32x4_t; 4]) -> uint32x4_t {
        vsha256su1q_u32(vsha256su0q_u32(w[0], w[1]), w[2], w[3])
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn four_rounds([abcd, efgh]: [uint32x4_t; 2], w: uint32x4_t, k: &[u32; 4]) -> [uint32x4_t; 2] {
        // SAFETY: this loads four words; they need not be aligned.
        let wk = vaddq_u32(w, unsafe { vld1q_u32(k.as_ptr()) });
        [vsha256hq_u32(abcd, efgh, wk), vsha256h2q_u32(efgh, abcd, wk)]
    }

    /// In each half of the state, a round moves three variables by one lane and computes one new word. So after r
    /// rounds, a half consists of the r newest words of the state after four rounds, followed by the first words of the
    /// old state.
    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn some_rounds(
        state: [uint32x4_t; 2],
        w: uint32x4_t,
        k: &[u32; 4],
        rounds: usize,
    ) -> [uint32x4_t; 2] {
        // SAFETY: this function enables the same features.
        let four = unsafe { Self::four_rounds(state, w, k) };
        let half = |i: usize| match rounds {
            1 => vextq_u32::<3>(four[i], state[i]),
            2 => vextq_u32::<2>(four[i], state[i]),
            _ => vextq_u32::<1>(four[i], state[i]),
        };
        [half(0), half(1)]
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn sum(a: [uint32x4_t; 2], b: [uint32x4_t; 2]) -> [uint32x4_t; 2] {
        [vaddq_u32(a[0], b[0]), vaddq_u32(a[1], b[1])]
    }
}
