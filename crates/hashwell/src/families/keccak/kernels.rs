//! The kernel tables of Keccak-p\[1600\] with 24 and 12 rounds.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use super::aarch64_sha3;
use super::soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm32_simd128;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::{x86_avx2, x86_avx512, x86_bmi2};
#[cfg(target_arch = "x86_64")]
use super::{x86_avx512_lines, x86_avx512_one};
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use crate::families::sponge::PermutationMany;
use crate::families::sponge::{self, BatchTable, ByRounds, Permutation, Spec};
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use crate::internal::batch::row;
use crate::internal::calibrate;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::internal::cpu;
use crate::internal::kernel::{Kernel, Table, always};

/// Instantiates a generic function for both numbers of rounds.
macro_rules! by_rounds {
    ($function:path) => {{
        use $function as function;
        ByRounds { full: function::<24>, reduced: function::<12> }
    }};
}

/// All kernels, fastest first. The last row runs on every CPU.
pub(crate) static KECCAK: Table<Permutation<25>> = Table::measured(
    &[
        #[cfg(target_arch = "x86_64")]
        Kernel {
            name: "avx512",
            available: cpu::avx512,
            function: Permutation {
                permute: by_rounds!(x86_avx512_one::permute),
                absorb: by_rounds!(x86_avx512_one::absorb),
            },
        },
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel {
            name: "bmi2",
            available: cpu::bmi2,
            function: Permutation {
                permute: by_rounds!(x86_bmi2::permute),
                absorb: by_rounds!(x86_bmi2::absorb),
            },
        },
        #[cfg(target_arch = "x86_64")]
        Kernel {
            name: "avx512-lines",
            available: cpu::avx512,
            function: Permutation {
                permute: by_rounds!(x86_avx512_lines::permute),
                absorb: by_rounds!(x86_avx512_lines::absorb),
            },
        },
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Kernel {
            name: "armv8-sha3",
            available: crate::internal::cpu::armv8_sha3,
            function: Permutation {
                permute: by_rounds!(aarch64_sha3::permute),
                absorb: by_rounds!(aarch64_sha3::absorb),
            },
        },
        Kernel {
            name: "soft",
            available: always,
            function: Permutation { permute: by_rounds!(soft::permute), absorb: by_rounds!(soft::absorb) },
        },
    ],
    || calibrate::chain(&KECCAK, RIVALS, |kernels| sponge::zeros(kernels, &ZEROS)),
);

/// All batch kernels, fastest first on Zen 4.
pub(crate) static KECCAK_MANY: BatchTable<25> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row(
            "avx512-x8",
            cpu::avx512,
            8,
            3,
            PermutationMany {
                absorb: by_rounds!(x86_avx512::absorb_8),
                squeeze: by_rounds!(x86_avx512::squeeze_8),
            },
        ),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row(
            "avx512-folded-x8",
            cpu::avx512,
            8,
            3,
            PermutationMany {
                absorb: by_rounds!(x86_avx512::absorb_folded_8),
                squeeze: by_rounds!(x86_avx512::squeeze_folded_8),
            },
        ),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row(
            "avx512-x4",
            cpu::avx512,
            4,
            2,
            PermutationMany {
                absorb: by_rounds!(x86_avx512::absorb_4),
                squeeze: by_rounds!(x86_avx512::squeeze_4),
            },
        ),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row(
            "avx2-x4",
            cpu::avx2,
            4,
            2,
            PermutationMany {
                absorb: by_rounds!(x86_avx2::absorb_4),
                squeeze: by_rounds!(x86_avx2::squeeze_4),
            },
        ),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        row(
            "simd128-x2",
            always,
            2,
            2,
            PermutationMany {
                absorb: by_rounds!(wasm32_simd128::absorb_2),
                squeeze: by_rounds!(wasm32_simd128::squeeze_2),
            },
        ),
    ],
    || calibrate::batch(&KECCAK, &KECCAK_MANY, |kernels| sponge::zeros(kernels, &ZEROS)),
);

/// Chain kernels whose order of speed depends on the CPU. On Zen 4, the kernel with one word in each vector register is
/// a third faster. On an Intel Xeon, the kernel with five lines is a fifth faster. Some Arm cores execute the SHA-3
/// instructions on only one of several vector units.
const RIVALS: &[&str] =
    if cfg!(target_arch = "aarch64") { &["armv8-sha3", "soft"] } else { &["avx512", "bmi2", "avx512-lines"] };

/// The sponge used for calibration, with the rate of SHA3-256.
static ZEROS: Spec<25> = Spec::zeros(&KECCAK, &KECCAK_MANY, 136);
