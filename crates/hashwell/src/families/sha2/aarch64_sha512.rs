//! SHA-512 with the Armv8.2 SHA-512 instructions.
//!
//! Budget and cycles were not measured, because the code has run only in an emulator.
#![allow(unsafe_code)]

use super::constants::K512;
use core::arch::aarch64::*;

/// Computes two rounds with a pair of instructions (FIPS 180-4 section 6.4.2, steps 1 and 3):
///
/// ```text
/// ab, cd, ef, gh = the eight variables, two in each vector, the first in the lower lane
/// each two rounds i, wk = W[i] + K[i]:
///   t1 = sha512h(gh + swapped wk, (f, g), (d, e))     T1 of both rounds; the first in the upper lane
///   ab, cd, ef, gh = sha512h2(t1, cd, ab), ab, cd + t1, ef
///   W[i+8] = sha512su1(sha512su0(W[i], W[i+1]), W[i+7], (upper of W[i+4], lower of W[i+5]))
/// ```
///
/// The four vectors are renamed from step to step instead of moved.
///
/// # Safety
/// The CPU must have the SHA-512 instructions (`sha3` is the feature's name).
#[target_feature(enable = "sha3")]
pub(super) unsafe fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    let [mut ab, mut cd, mut ef, mut gh] = {
        let (pairs, _) = state.as_chunks::<2>();
        // SAFETY: loads two words each; they need not be aligned.
        core::array::from_fn(|i| unsafe { vld1q_u64(pairs[i].as_ptr()) })
    };

    for block in blocks {
        let before = [ab, cd, ef, gh];
        let mut w = [vdupq_n_u64(0); 8];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: loads 16 bytes; they need not be aligned.
            *w = vreinterpretq_u64_u8(vrev64q_u8(unsafe { vld1q_u8(bytes.as_ptr()) }));
        }
        macro_rules! two_rounds {
            ($ab:ident $cd:ident $ef:ident $gh:ident $k:ident $t:ident $i:literal) => {
                if $t > 0 {
                    let sum = vsha512su0q_u64(w[$i], w[($i + 1) & 7]);
                    let w7 = vextq_u64::<1>(w[($i + 4) & 7], w[($i + 5) & 7]);
                    w[$i] = vsha512su1q_u64(sum, w[($i + 7) & 7], w7);
                }
                // SAFETY: loads two of the sixteen words; they need not be aligned.
                let wk = vaddq_u64(w[$i], unsafe { vld1q_u64($k[2 * $i..2 * $i + 2].as_ptr()) });
                let sum = vaddq_u64($gh, vextq_u64::<1>(wk, wk));
                let t1 = vsha512hq_u64(sum, vextq_u64::<1>($ef, $gh), vextq_u64::<1>($cd, $ef));
                $gh = vsha512h2q_u64(t1, $cd, $ab);
                $cd = vaddq_u64($cd, t1);
            };
        }
        for (t, k) in K512.as_chunks::<16>().0.iter().enumerate() {
            two_rounds!(ab cd ef gh k t 0);
            two_rounds!(gh ab cd ef k t 1);
            two_rounds!(ef gh ab cd k t 2);
            two_rounds!(cd ef gh ab k t 3);
            two_rounds!(ab cd ef gh k t 4);
            two_rounds!(gh ab cd ef k t 5);
            two_rounds!(ef gh ab cd k t 6);
            two_rounds!(cd ef gh ab k t 7);
        }
        // Step 4.
        ab = vaddq_u64(ab, before[0]);
        cd = vaddq_u64(cd, before[1]);
        ef = vaddq_u64(ef, before[2]);
        gh = vaddq_u64(gh, before[3]);
    }

    for (pair, vector) in state.as_chunks_mut::<2>().0.iter_mut().zip([ab, cd, ef, gh]) {
        // SAFETY: the same as for the loads above.
        unsafe { vst1q_u64(pair.as_mut_ptr(), vector) };
    }
}
