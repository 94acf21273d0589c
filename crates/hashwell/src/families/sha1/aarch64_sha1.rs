//! SHA-1 with the Armv8 SHA-1 instructions.
//!
//! Budget and cycles were not measured, because the code has run only in an emulator.
#![allow(unsafe_code)]

use super::K;
use core::arch::aarch64::*;

/// Computes four rounds with one instruction (FIPS 180-4 section 6.1.2, steps 1 and 3):
///
/// ```text
/// abcd = a, b, c, d from the lowest lane up; e in a scalar register
/// each four rounds g, wk = W[g] + K[g / 5]:
///   e'   = sha1h(a)                     a rotated by 30 is the e of four rounds later
///   e'   = sha1h(a)                     a rotated by 30 becomes e after four rounds
///   e    = e'
///   W[g+4] = sha1su1(sha1su0(W[g], W[g+1], W[g+2]), W[g+3])
/// ```
///
/// # Safety
/// The CPU must have the SHA-1 instructions (`sha2` is the feature's name).
#[target_feature(enable = "sha2")]
pub(super) unsafe fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    // SAFETY: loads the first 16 bytes of a 20-byte array; they need not be aligned.
    let mut abcd = unsafe { vld1q_u32(state.as_ptr()) };
    let mut e = state[4];

    for block in blocks {
        let (abcd_before, e_before) = (abcd, e);
        let mut w = [vdupq_n_u32(0); 4];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: loads 16 bytes; they need not be aligned.
            *w = vreinterpretq_u32_u8(vrev32q_u8(unsafe { vld1q_u8(bytes.as_ptr()) }));
        }
        macro_rules! four_rounds {
            ($f:ident $g:literal) => {
                if $g >= 4 {
                    let sum = vsha1su0q_u32(w[$g & 3], w[($g + 1) & 3], w[($g + 2) & 3]);
                    w[$g & 3] = vsha1su1q_u32(sum, w[($g + 3) & 3]);
                }
                let wk = vaddq_u32(w[$g & 3], vdupq_n_u32(K[$g / 5]));
                let next_e = vsha1h_u32(vgetq_lane_u32::<0>(abcd));
                abcd = $f(abcd, e, wk);
                e = next_e;
            };
        }
        macro_rules! twenty_rounds {
            ($f:ident $($g:literal)*) => { $( four_rounds!($f $g); )* };
        }
        twenty_rounds!(vsha1cq_u32 0 1 2 3 4);
        twenty_rounds!(vsha1pq_u32 5 6 7 8 9);
        twenty_rounds!(vsha1mq_u32 10 11 12 13 14);
        twenty_rounds!(vsha1pq_u32 15 16 17 18 19);
        // Step 4.
        abcd = vaddq_u32(abcd, abcd_before);
        e = e.wrapping_add(e_before);
    }

    // SAFETY: the same as for the load above.
    unsafe { vst1q_u32(state.as_mut_ptr(), abcd) };
    state[4] = e;
}
