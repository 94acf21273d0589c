//! SHA-2 (FIPS 180-4 sections 6.2 to 6.7) and SHA256-90R (`docs/spec/sha256-90r.md`).

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64_sha256;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64_sha512;
mod constants;
mod kernels;
#[cfg(test)]
#[path = "../../../proofs/families/sha2.rs"]
pub(in crate::families) mod proof;
mod soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32_simd128;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_avx2;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_fours;
#[cfg(target_arch = "x86_64")] // 32-bit x86 has too few registers for its rounds
mod x86_scheduled;
#[cfg(target_arch = "x86_64")]
mod x86_scheduled_256;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_sha512;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_sha_ni;

use crate::families::md::{Md, Spec};
use constants::{H224, H384, H512, H512_224, H512_256};

/// SHA-224, SHA-256 or SHA256-90R in progress.
pub(crate) type State32 = Md<u32, 8, 64>;
/// SHA-384, SHA-512 or SHA-512/t in progress.
pub(crate) type State64 = Md<u64, 8, 128>;

pub(crate) static SHA224: Spec<u32, 8, 64> =
    Spec { initial: H224, kernels: &kernels::SHA256, many: &kernels::SHA256_MANY };
pub(crate) static SHA256: Spec<u32, 8, 64> =
    Spec { initial: H256, kernels: &kernels::SHA256, many: &kernels::SHA256_MANY };
pub(crate) static SHA256_90R: Spec<u32, 8, 64> =
    Spec { initial: H256, kernels: &kernels::SHA256_90R, many: &kernels::SHA256_90R_MANY };
pub(crate) static SHA384: Spec<u64, 8, 128> =
    Spec { initial: H384, kernels: &kernels::SHA512, many: &kernels::SHA512_MANY };
pub(crate) static SHA512: Spec<u64, 8, 128> =
    Spec { initial: H512, kernels: &kernels::SHA512, many: &kernels::SHA512_MANY };
pub(crate) static SHA512_224: Spec<u64, 8, 128> =
    Spec { initial: H512_224, kernels: &kernels::SHA512, many: &kernels::SHA512_MANY };
pub(crate) static SHA512_256: Spec<u64, 8, 128> =
    Spec { initial: H512_256, kernels: &kernels::SHA512, many: &kernels::SHA512_MANY };

pub use constants::{H256, K256};

pub(crate) use constants::H256 as BLAKE2S_INITIAL;
pub(crate) use constants::H512 as BLAKE2B_INITIAL;
