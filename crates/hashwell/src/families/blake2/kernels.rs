//! The kernel tables of BLAKE2.

use super::many::zeros;
use super::{BatchTable, Compress, soft};
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::{x86_avx2, x86_avx512};
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::ground::batch::row;
use crate::ground::calibrate;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::ground::cpu;
use crate::ground::kernel::{Kernel, Table, always};

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static BLAKE2B: Table<Compress<u64, 128>> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel { name: "avx2", available: cpu::avx2, function: x86_avx2::compress_b },
        Kernel { name: "soft", available: always, function: soft::compress::<u64, 128> },
    ],
    || calibrate::chain(&BLAKE2B, &["avx2", "soft"], zeros),
);

/// Every batch kernel, fastest first on Zen 4.
pub(crate) static BLAKE2B_MANY: BatchTable<u64> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x8", cpu::avx512, 8, 3, x86_avx512::compress_b_8),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x4", cpu::avx512, 4, 2, x86_avx512::compress_b_4),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx2-x4", cpu::avx2, 4, 2, x86_avx2::compress_b_4),
    ],
    || calibrate::batch(&BLAKE2B, &BLAKE2B_MANY, zeros),
);

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static BLAKE2S: Table<Compress<u32, 64>> =
    Table::written(&[Kernel { name: "soft", available: always, function: soft::compress::<u32, 64> }]);

/// Every batch kernel, fastest first on Zen 4.
pub(crate) static BLAKE2S_MANY: BatchTable<u32> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x16", cpu::avx512, 16, 3, x86_avx512::compress_s_16),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx2-x8", cpu::avx2, 8, 2, x86_avx2::compress_s_8),
    ],
    || calibrate::batch(&BLAKE2S, &BLAKE2S_MANY, zeros),
);
