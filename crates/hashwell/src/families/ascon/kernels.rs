//! The kernel tables of Ascon-p with 12 and 8 rounds.

use super::soft;
#[cfg(target_arch = "x86_64")]
use super::x86_bmi2;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::x86_vectors;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::families::sponge::PermutationMany;
use crate::families::sponge::{self, BatchTable, ByRounds, Permutation, Spec};
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::internal::batch::row;
use crate::internal::calibrate;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::internal::cpu;
use crate::internal::kernel::{Kernel, Table, always};

/// Instantiates a generic function for both numbers of rounds.
macro_rules! by_rounds {
    ($function:path) => {{
        use $function as function;
        ByRounds { full: function::<12>, reduced: function::<8> }
    }};
}

/// All kernels, fastest first. The last row runs on every CPU.
pub(crate) static ASCON: Table<Permutation<5>> = Table::written(&[
    #[cfg(target_arch = "x86_64")]
    Kernel {
        name: "bmi2",
        available: cpu::bmi2,
        function: Permutation {
            permute: by_rounds!(x86_bmi2::permute),
            absorb: by_rounds!(x86_bmi2::absorb),
        },
    },
    Kernel {
        name: "soft",
        available: always,
        function: Permutation { permute: by_rounds!(soft::permute), absorb: by_rounds!(soft::absorb) },
    },
]);

/// All batch kernels, fastest first on Zen 4.
pub(crate) static ASCON_MANY: BatchTable<5> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row(
            "avx512-x8",
            cpu::avx512,
            8,
            3,
            PermutationMany {
                absorb: by_rounds!(x86_vectors::absorb_8),
                squeeze: by_rounds!(x86_vectors::squeeze_8),
            },
        ),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row(
            "avx512-x4",
            cpu::avx512,
            4,
            3,
            PermutationMany {
                absorb: by_rounds!(x86_vectors::absorb_vl_4),
                squeeze: by_rounds!(x86_vectors::squeeze_vl_4),
            },
        ),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row(
            "avx2-x4",
            cpu::avx2,
            4,
            3,
            PermutationMany {
                absorb: by_rounds!(x86_vectors::absorb_4),
                squeeze: by_rounds!(x86_vectors::squeeze_4),
            },
        ),
    ],
    || calibrate::batch(&ASCON, &ASCON_MANY, |kernels| sponge::zeros(kernels, &ZEROS)),
);

/// The sponge used for calibration, with the rate of Ascon-XOF128.
static ZEROS: Spec<5> = Spec::zeros(&ASCON, &ASCON_MANY, 8);
