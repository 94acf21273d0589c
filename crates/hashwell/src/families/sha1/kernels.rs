//! The kernel tables of SHA-1.

use super::soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm32_simd128;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::{x86_sha_ni, x86_vectors};
use crate::families::md::{self, BatchTable, Chain};
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

/// All kernels, fastest first. The last row runs on every CPU.
pub(crate) static SHA1: Table<Chain<u32, 5, 64>> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel {
            name: "sha-ni",
            available: cpu::sha_ni,
            function: Chain { sse: true, ..Chain::plain(x86_sha_ni::compress) },
        },
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel {
            name: "sha-ni-avx512",
            available: cpu::sha_ni_avx512,
            function: Chain { sse: true, ..Chain::plain(x86_sha_ni::compress_vl) },
        },
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Kernel {
            name: "armv8-sha1",
            available: crate::internal::cpu::armv8_sha2,
            function: Chain::plain(super::aarch64_sha1::compress),
        },
        Kernel { name: "soft", available: always, function: Chain::plain(soft::compress) },
    ],
    || calibrate::chain(&SHA1, &["sha-ni", "sha-ni-avx512"], md::zeros),
);

/// All batch kernels, fastest first on Zen 4.
pub(crate) static SHA1_MANY: BatchTable<u32, 5> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x16", cpu::avx512, 16, 5, x86_vectors::compress_16),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("sha-ni-x4", cpu::sha_ni_avx, 4, 2, x86_sha_ni::compress_4),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x8", cpu::avx512, 8, 3, x86_vectors::compress_vl_8),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx2-x8", cpu::avx2, 8, 4, x86_vectors::compress_8),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("sha-ni-x2", cpu::sha_ni_avx, 2, 2, x86_sha_ni::compress_2),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        row("simd128-x4", always, 4, 3, wasm32_simd128::compress_4),
    ],
    || calibrate::batch(&SHA1, &SHA1_MANY, md::zeros),
);
