//! The kernel table of Keccak-p\[1600\], 24 and 12 rounds.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use super::aarch64_sha3;
use super::soft;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::x86_bmi2;
use crate::kernel::{Kernel, Table, always};
use crate::sponge::Permutation;

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static KECCAK: Table<Permutation<25>> = Table(&[
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    Kernel {
        name: "bmi2",
        available: crate::cpu::bmi2,
        function: Permutation { full: x86_bmi2::permute::<24>, reduced: x86_bmi2::permute::<12> },
    },
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Kernel {
        name: "armv8-sha3",
        available: crate::cpu::armv8_sha3,
        function: Permutation { full: aarch64_sha3::permute::<24>, reduced: aarch64_sha3::permute::<12> },
    },
    Kernel {
        name: "soft",
        available: always,
        function: Permutation { full: soft::permute::<24>, reduced: soft::permute::<12> },
    },
]);
