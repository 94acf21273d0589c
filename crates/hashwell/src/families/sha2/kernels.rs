//! The kernel tables of SHA-2. SHA-256 and SHA256-90R share all kernels, with the number of rounds
//! as a parameter.

use super::soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm32_simd128;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use super::{aarch64_sha256, aarch64_sha512};
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::{x86_avx2, x86_avx512, x86_sha_ni, x86_sha512};
#[cfg(target_arch = "x86_64")]
use super::{x86_scheduled, x86_scheduled_256};
use crate::families::md::{self, BatchTable, Chain, CompressMany};
use crate::internal::batch::Batch;
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
use crate::internal::small;

/// All kernels for 32-bit words, fastest first. The last row runs on every CPU.
const fn rows<const ROUNDS: usize>() -> &'static [Kernel<Chain<u32, 8, 64>>] {
    const {
        &[
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            Kernel { name: "sha-ni", available: cpu::sha_ni, function: x86_sha_ni::chain::<ROUNDS>() },
            #[cfg(target_arch = "x86_64")]
            Kernel {
                name: "avx512",
                available: cpu::avx512,
                function: Chain::plain(x86_scheduled_256::compress_256_vl::<ROUNDS>),
            },
            #[cfg(target_arch = "x86_64")]
            Kernel {
                name: "avx2",
                available: cpu::avx2,
                function: Chain::plain(x86_scheduled_256::compress_256_avx2::<ROUNDS>),
            },
            #[cfg(target_arch = "x86_64")]
            Kernel {
                name: "ssse3",
                available: cpu::ssse3,
                function: Chain::plain(x86_scheduled_256::compress_256_ssse3::<ROUNDS>),
            },
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel {
                name: "armv8-sha2",
                available: crate::internal::cpu::armv8_sha2,
                function: Chain::plain(aarch64_sha256::compress::<ROUNDS>),
            },
            Kernel {
                name: "soft",
                available: always,
                function: Chain::plain(soft::compress::<u32, ROUNDS, 64>),
            },
        ]
    }
}

/// Chain kernels that differ only in how they compute the message schedule. Wide vectors slow down
/// some CPUs.
const SCHEDULED: &[&str] = &["avx512", "avx2"];

/// The kernels of [`SCHEDULED`], and `sha512-ni`, which has not been measured on any CPU. Calibration shows whether it
/// is faster.
const SHA512_RIVALS: &[&str] = &["sha512-ni", "avx512", "avx2"];

pub(crate) static SHA256: Table<Chain<u32, 8, 64>> =
    Table::measured(rows::<64>(), || calibrate::chain(&SHA256, SCHEDULED, md::zeros));
pub(crate) static SHA256_90R: Table<Chain<u32, 8, 64>> =
    Table::measured(rows::<90>(), || calibrate::chain(&SHA256_90R, SCHEDULED, md::zeros));

/// All batch kernels for 32-bit words, fastest first on Zen 4.
const fn many_rows<const ROUNDS: usize>() -> &'static [Kernel<Batch<CompressMany<u32, 8>>>] {
    const {
        &[
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            row("sha-ni-x4", cpu::sha_ni_avx, 4, 2, x86_sha_ni::compress_4::<ROUNDS>),
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            row("avx512-x16", cpu::avx512, 16, 5, x86_avx512::compress_16::<ROUNDS>),
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            row("sha-ni-x2", cpu::sha_ni_avx, 2, 2, x86_sha_ni::compress_2::<ROUNDS>),
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            row("avx512-x8", cpu::avx512, 8, 3, x86_avx512::compress_vl_8::<ROUNDS>),
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            row("avx2-x8", cpu::avx2, 8, 3, x86_avx2::compress_8::<ROUNDS>),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            row("simd128-x4", always, 4, 3, wasm32_simd128::compress_4::<ROUNDS>),
        ]
    }
}

pub(crate) static SHA256_MANY: BatchTable<u32, 8> =
    Table::measured(many_rows::<64>(), || calibrate::batch(&SHA256, &SHA256_MANY, md::zeros));
pub(crate) static SHA256_90R_MANY: BatchTable<u32, 8> =
    Table::measured(if small::FEW_BATCH_KERNELS { &[] } else { many_rows::<90>() }, || {
        calibrate::batch(&SHA256_90R, &SHA256_90R_MANY, md::zeros)
    });

/// All kernels for 64-bit words, fastest first. The last row runs on every CPU.
pub(crate) static SHA512: Table<Chain<u64, 8, 128>> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel { name: "sha512-ni", available: cpu::sha512_ni, function: Chain::plain(x86_sha512::compress) },
        #[cfg(target_arch = "x86_64")]
        Kernel {
            name: "avx512",
            available: cpu::avx512,
            function: Chain::plain(x86_scheduled::compress_512_vl),
        },
        #[cfg(target_arch = "x86_64")]
        Kernel {
            name: "avx2",
            available: cpu::avx2,
            function: Chain::plain(x86_scheduled::compress_512_avx2),
        },
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Kernel {
            name: "armv8-sha512",
            available: crate::internal::cpu::armv8_sha3,
            function: Chain::plain(aarch64_sha512::compress),
        },
        Kernel { name: "soft", available: always, function: Chain::plain(soft::compress::<u64, 80, 128>) },
    ],
    || calibrate::chain(&SHA512, SHA512_RIVALS, md::zeros),
);

/// All batch kernels for 64-bit words, fastest first on Zen 4.
pub(crate) static SHA512_MANY: BatchTable<u64, 8> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x8", cpu::avx512, 8, 3, x86_avx512::compress_8),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x4", cpu::avx512, 4, 2, x86_avx512::compress_vl_4),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx2-x4", cpu::avx2, 4, 2, x86_avx2::compress_4),
    ],
    || calibrate::batch(&SHA512, &SHA512_MANY, md::zeros),
);
