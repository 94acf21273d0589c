//! The kernel tables of BLAKE2.

use super::many::zeros;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm32_simd128;
use super::{BatchTable, Compress, soft};
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::{x86_avx2, x86_avx512};
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

/// All kernels, fastest first on Zen 4. The last row runs on every CPU.
pub(crate) static BLAKE2B: Table<Compress<u64, 128>> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel { name: "avx2", available: cpu::avx2, function: x86_avx2::compress_b },
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel { name: "avx512", available: cpu::avx512, function: x86_avx512::compress_b },
        Kernel { name: "soft", available: always, function: soft::compress::<u64, 128> },
    ],
    || calibrate::chain(&BLAKE2B, RIVALS, zeros),
);

/// All batch kernels, fastest first on Zen 4.
pub(crate) static BLAKE2B_MANY: BatchTable<u64> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x8", cpu::avx512, 8, 3, x86_avx512::compress_b_8),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x4", cpu::avx512, 4, 2, x86_avx512::compress_b_4),
        #[cfg(target_arch = "x86_64")]
        row("avx512-mixed-x4", cpu::avx512, 4, 2, x86_avx512::compress_b_mixed_4),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx2-x4", cpu::avx2, 4, 2, x86_avx2::compress_b_4),
    ],
    || calibrate::batch(&BLAKE2B, &BLAKE2B_MANY, zeros),
);

/// All kernels, fastest first. The last row runs on every CPU.
pub(crate) static BLAKE2S: Table<Compress<u32, 64>> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel { name: "avx512", available: cpu::avx512, function: x86_avx512::compress_s },
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Kernel { name: "avx2", available: cpu::avx2, function: x86_avx2::compress_s },
        Kernel { name: "soft", available: always, function: soft::compress::<u32, 64> },
    ],
    || calibrate::chain(&BLAKE2S, RIVALS, zeros),
);

/// All batch kernels, fastest first on Zen 4.
pub(crate) static BLAKE2S_MANY: BatchTable<u32> = Table::measured(
    &[
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x16", cpu::avx512, 16, 3, x86_avx512::compress_s_16),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx512-x8", cpu::avx512, 8, 2, x86_avx512::compress_s_8),
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        row("avx2-x8", cpu::avx2, 8, 2, x86_avx2::compress_s_8),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        row("simd128-x4", always, 4, 3, wasm32_simd128::compress_s_4),
    ],
    || calibrate::batch(&BLAKE2S, &BLAKE2S_MANY, zeros),
);

/// Chain kernels whose order of speed depends on the CPU. On some CPUs, one of them is a tenth faster than the next
/// one.
const RIVALS: &[&str] = &["avx512", "avx2", "soft"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::blake2::{Blake2Word, Last};

    /// Compares the kernels for every flag. Some of the counters carry into the second word, and one starts below zero,
    /// as for a padded first block.
    fn agree<W: Blake2Word + core::fmt::Debug, const B: usize>(table: &Table<Compress<W, B>>) {
        let mut blocks = [[0; B]; 3];
        let bytes = blocks.as_flattened_mut().iter_mut();
        bytes.enumerate().for_each(|(i, byte)| *byte = (i * i % 251) as u8);
        let soft = table.named("soft").unwrap();
        let len = B as u128;
        for before in [0, 5, (1 << 32) - 2 * len, (1 << 64) - 2 * len, 5_u128.wrapping_sub(len)] {
            for last in [Last::No, Last::Block, Last::BlockOfLastNode] {
                let digest = |kernel: crate::internal::kernel::Chosen<Compress<W, B>>, blocks| {
                    let mut h = W::INITIAL;
                    kernel.compress(&mut h, blocks, before, last);
                    h
                };
                for (_, kernel) in table.available() {
                    assert_eq!(
                        digest(kernel, &blocks),
                        digest(soft, &blocks),
                        "{} from {before}",
                        kernel.name()
                    );
                    // The first block must affect the result, too.
                    assert_ne!(digest(kernel, &blocks), digest(kernel, &blocks[1..]));
                }
            }
        }
    }

    #[test]
    fn every_chain_kernel_counts_and_flags_as_soft() {
        agree(&BLAKE2B);
        agree(&BLAKE2S);
    }
}
