//! SHA-256 with the Armv8 SHA-256 instructions, for any even number of rounds.
//!
//! Budget and cycles were not measured, because the code has run only in an emulator.
#![allow(unsafe_code)]

use super::constants::K256;
use core::arch::aarch64::*;

/// Computes four rounds with a pair of instructions (FIPS 180-4 section 6.2.2, steps 1 and 3):
///
/// ```text
/// abcd, efgh = the eight variables from the lowest lane up
/// each four rounds g, wk = W[g] + K[g]:
///   abcd, efgh = sha256h(abcd, efgh, wk), sha256h2(efgh, abcd, wk)
///   W[g+4] = sha256su1(sha256su0(W[g], W[g+1]), W[g+2], W[g+3])
/// ```
///
/// 90 is not a multiple of four, so SHA256-90R computes 92 rounds and undoes the last two. A round only moves three
/// variables of each half by one lane. So after two rounds, each half consists of the two newest words of the state
/// after four rounds, followed by the first two words of the old state. Therefore one `ext` for each half undoes the
/// last two rounds.
///
/// # Safety
/// The CPU must have the SHA-256 instructions.
#[target_feature(enable = "sha2")]
pub(super) unsafe fn compress<const ROUNDS: usize>(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    const { assert!(ROUNDS >= 16 && ROUNDS.is_multiple_of(2) && ROUNDS.next_multiple_of(4) <= K256.len()) };

    // SAFETY: loads the two halves of a 32-byte array; they need not be aligned.
    let (mut abcd, mut efgh) = unsafe { (vld1q_u32(state.as_ptr()), vld1q_u32(state.as_ptr().add(4))) };

    for block in blocks {
        let (abcd_before, efgh_before) = (abcd, efgh);
        let mut w = [vdupq_n_u32(0); 4];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: loads 16 bytes; they need not be aligned.
            *w = vreinterpretq_u32_u8(vrev32q_u8(unsafe { vld1q_u8(bytes.as_ptr()) }));
        }
        macro_rules! schedule {
            ($i:literal) => {
                let sum = vsha256su0q_u32(w[$i], w[($i + 1) & 3]);
                w[$i] = vsha256su1q_u32(sum, w[($i + 2) & 3], w[($i + 3) & 3]);
            };
        }
        macro_rules! four_rounds {
            ($t:ident $i:literal) => {
                // SAFETY: `t + 4i` is a multiple of four below ROUNDS, and K256 has at least ROUNDS words, rounded up
                // to a multiple of four (asserted above).
                let k = unsafe { vld1q_u32(K256.as_ptr().add($t + 4 * $i)) };
                let wk = vaddq_u32(w[$i], k);
                (abcd, efgh) = (vsha256hq_u32(abcd, efgh, wk), vsha256h2q_u32(efgh, abcd, wk));
            };
        }
        let mut t = 0;
        four_rounds!(t 0);
        four_rounds!(t 1);
        four_rounds!(t 2);
        four_rounds!(t 3);
        t += 16;
        while t + 16 <= ROUNDS {
            schedule!(0);
            four_rounds!(t 0);
            schedule!(1);
            four_rounds!(t 1);
            schedule!(2);
            four_rounds!(t 2);
            schedule!(3);
            four_rounds!(t 3);
            t += 16;
        }
        macro_rules! rest {
            ($($i:literal)*) => { $(
                if ROUNDS % 16 > 4 * $i {
                    schedule!($i);
                    let (abcd_old, efgh_old) = (abcd, efgh);
                    four_rounds!(t $i);
                    if ROUNDS % 16 == 4 * $i + 2 {
                        abcd = vextq_u32::<2>(abcd, abcd_old);
                        efgh = vextq_u32::<2>(efgh, efgh_old);
                    }
                }
            )* };
        }
        rest!(0 1 2 3);
        // Step 4.
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }

    // SAFETY: the same as for the loads above.
    unsafe {
        vst1q_u32(state.as_mut_ptr(), abcd);
        vst1q_u32(state.as_mut_ptr().add(4), efgh);
    }
}
