//! The kernel tables of RIPEMD-160.

use super::soft;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::x86_vectors;
use crate::families::md::{self, BatchTable, Chain, Little};
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::internal::batch::row;
use crate::internal::calibrate;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::internal::cpu;
use crate::internal::kernel::{Kernel, Table, always};

/// All kernels, fastest first. The last row runs on every CPU.
pub(crate) static RIPEMD160: Table<Chain<Little, 5, 64>> =
    Table::written(&[Kernel { name: "soft", available: always, function: Chain::plain(soft::compress) }]);

/// All batch kernels, in the expected order of speed. None of them was measured on Zen 4.
pub(crate) static RIPEMD160_MANY: BatchTable<Little, 5> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x16", cpu::avx512, 16, 3, x86_vectors::compress_16),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x8", cpu::avx512, 8, 3, x86_vectors::compress_vl_8),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx2-x8", cpu::avx2, 8, 3, x86_vectors::compress_8),
    ],
    || calibrate::batch(&RIPEMD160, &RIPEMD160_MANY, md::zeros),
);
