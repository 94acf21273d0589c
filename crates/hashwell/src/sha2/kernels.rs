//! The kernel tables of SHA-2. SHA-256 and SHA256-90R share every kernel: the rounds are a parameter.

use super::soft;
use crate::kernel::{Kernel, Table, always};
use crate::md::Compress;

type Compress32 = Compress<u32, 8, 64>;

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
const ROWS_32: usize = 2;
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
const ROWS_32: usize = 1;

/// Every kernel for 32-bit words, fastest first. The last row runs anywhere.
const fn rows<const ROUNDS: usize>() -> [Kernel<Compress32>; ROWS_32] {
    [
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel {
            name: "sha-ni",
            available: crate::cpu::sha_ni,
            function: super::x86_sha_ni::compress::<ROUNDS>,
        },
        Kernel { name: "soft", available: always, function: soft::compress::<u32, ROUNDS, 64> },
    ]
}

pub(crate) static SHA256: Table<Compress32> = Table(const { &rows::<64>() });
pub(crate) static SHA256_90R: Table<Compress32> = Table(const { &rows::<90>() });

pub(crate) static SHA512: Table<Compress<u64, 8, 128>> =
    Table(&[Kernel { name: "soft", available: always, function: soft::compress::<u64, 80, 128> }]);
