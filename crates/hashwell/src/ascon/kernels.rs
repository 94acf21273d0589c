//! The kernel table of Ascon-p, 12 and 8 rounds.

use super::soft;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::x86_bmi2;
use crate::kernel::{Kernel, Table, always};
use crate::sponge::Permutation;

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static ASCON: Table<Permutation<5>> = Table(&[
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    Kernel {
        name: "bmi2",
        available: crate::cpu::bmi2,
        function: Permutation { full: x86_bmi2::permute::<12>, reduced: x86_bmi2::permute::<8> },
    },
    Kernel {
        name: "soft",
        available: always,
        function: Permutation { full: soft::permute::<12>, reduced: soft::permute::<8> },
    },
]);
