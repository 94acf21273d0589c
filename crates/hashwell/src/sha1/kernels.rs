//! The kernel table of SHA-1.

use crate::kernel::{Kernel, Table, always};
use crate::md::Compress;

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static SHA1: Table<Compress<u32, 5, 64>> = Table(&[
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    Kernel { name: "sha-ni", available: crate::cpu::sha_ni, function: super::x86_sha_ni::compress },
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Kernel { name: "armv8-sha1", available: crate::cpu::armv8_sha2, function: super::aarch64_sha1::compress },
    Kernel { name: "soft", available: always, function: super::soft::compress },
]);
