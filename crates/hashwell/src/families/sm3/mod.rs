//! SM3 (GB/T 32905-2016, also ISO/IEC 10118-3:2018, dedicated hash-function 17). Section numbers are those of GB/T
//! 32905.

mod kernels;
#[cfg(test)]
#[path = "../../../proofs/families/sm3.rs"]
pub(in crate::families) mod proof;
mod soft;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_vectors;

use crate::families::md::Spec;

pub(crate) static SM3: Spec<u32, 8, 64> =
    Spec { initial: INITIAL, kernels: &kernels::SM3, many: &kernels::SM3_MANY };

/// The initial value (section 4.1), for which the standard gives no derivation.
const INITIAL: [u32; 8] =
    [0x7380_166f, 0x4914_b2b9, 0x1724_42d7, 0xda8a_0600, 0xa96f_30bc, 0x1631_38aa, 0xe38d_ee4d, 0xb0fb_0e4e];

/// T_j ⋘ j (sections 4.2 and 5.3.3). The standard gives no derivation of the two words of T.
static T: [u32; 64] = {
    let mut t = [0; 64];
    let mut j = 0;
    while j < 64 {
        let word: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        t[j] = word.rotate_left(j as u32 % 32);
        j += 1;
    }
    t
};
