//! SHA-1 (FIPS 180-4 section 6.1). Practical collisions exist, so use it only to check existing data.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64_sha1;
mod kernels;
#[cfg(test)]
#[path = "../../../proofs/families/sha1.rs"]
pub(in crate::families) mod proof;
mod soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32_simd128;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_sha_ni;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_vectors;

use crate::families::md::{Md, Spec, root};

/// SHA-1 in progress.
pub(crate) type State = Md<u32, 5, 64>;

pub(crate) static SHA1: Spec<u32, 5, 64> =
    Spec { initial: INITIAL, kernels: &kernels::SHA1, many: &kernels::SHA1_MANY };

/// FIPS 180-4 section 5.3.1: the bytes 01 23 … EF, FE DC … 10 as little-endian words, then the
/// nibbles F0 E1 D2 C3.
pub(super) const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// FIPS 180-4 section 4.2.1: 2^30 times the square roots of 2, 3, 5 and 10, one for each 20 rounds.
const K: [u32; 4] = [root(2, 2), root(3, 2), root(5, 2), root(10, 2)];

#[cfg(test)]
mod tests {
    #[test]
    fn derived_constants_are_the_printed_ones() {
        assert_eq!(super::K, [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6]);
    }
}
