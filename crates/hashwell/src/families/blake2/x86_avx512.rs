//! BLAKE2 with AVX-512: one message with a row of the working vector in each register (`x86_rows.rs`), four or eight
//! BLAKE2b messages in parallel, and eight or sixteen BLAKE2s messages in parallel. The four leaves of BLAKE2bp and the
//! eight leaves of BLAKE2sp are hashed like messages.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | BLAKE2b × 4 | 1384 operations: 14 in each G, transposition; a chain of 24 × 15 | 0.71 | 1.02 | 0.90 | 1.07, B |
//! | BLAKE2b × 4, mixed | the same | 0.71 | 1.02 | 0.90 | 0.97, D |
//! | BLAKE2b × 8 | 1400 | 0.68 | 0.85 | 0.68 | 0.74, B |
//! | BLAKE2s × 8 | 1179; a chain of 20 × 15 | 0.59 | 0.89 | 0.77 | 0.88, B |
//! | BLAKE2s × 16 | 1195 | 0.58 | 0.71 | 0.58 | 0.61, B |
//!
//! On Xeon B, the rounds of BLAKE2b × 4 without transposition take 530 cycles per block, so they alone exceed the bound
//! by a sixth. If the four G are computed as two pairs that are not in step, the rounds take 544 cycles. On Zen 4, a
//! block takes 520 cycles, and the rounds alone take 490. In each of 5000 other orders of the instructions, the rounds
//! took at least 478. Half a round takes 20 cycles: 15.1 for the chain (measured), and one more each time that four G
//! in step wait for the two units that rotate. One change was tried on Zen 4 and dropped: laying out words with scalar
//! loads and stores between the rounds took 1 % less time for BLAKE2bp and 2 % more for four messages of 128 bytes.
//!
//! On Xeon D, the rounds alone take 514 cycles if the four G are in step and all rotations are `vprorq`. They take 516
//! cycles with shuffles for all rotations by 32 bits, 492 with shuffles for the three byte rotations of every other G,
//! and 484 in the order of `Mixed` (on the same core in the same run). In the order of `Mixed`, four long messages take
//! 6.7 % less time than in the compiler's order. On Zen 4, this order takes 0 to 1 % more time, and 3 % more for
//! messages of one block. The compiler itself replaces the shuffles that lay out words by 128-bit loads into one half
//! of a register.
#![allow(unsafe_code)]

use super::soft::{self, Arithmetic, Compiled, SIGMA};
use super::x86_rows::{hidden, rows, turn_b, turn_s};
use super::{Blake2Word, Flags, Last, Run};
use crate::internal::vector::x86::{Avx512x4, Avx512x8, Avx512x8u32, Avx512x16};
use crate::internal::vector::{Input, MAX};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::{asm, x86_64::*};

/// The masks of lanes 1, 2 and 3. They are hidden from the compiler, which would otherwise use shuffles for the
/// merging.
macro_rules! masks {
    () => {
        [hidden!(kreg, 0b0010_u8), hidden!(kreg, 0b0100_u8), hidden!(kreg, 0b1000_u8)]
    };
}

rows! {
    /// # Safety
    /// The CPU must have AVX-512F, BW and VL.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
    fn compress_b(u64, 128) by _mm256_loadu_si256 _mm256_storeu_si256 _mm256_add_epi64 _mm256_xor_si256;
    with {
        let masks = masks!();
        macro_rules! words {
            ($m:ident, $i:expr, $j:expr, $k:expr, $l:expr) => {{
                let word = |at| $m.add(at).cast::<i64>().read_unaligned();
                let x = _mm256_mask_set1_epi64(_mm256_set1_epi64x(word($i)), masks[0], word($j));
                _mm256_mask_set1_epi64(_mm256_mask_set1_epi64(x, masks[1], word($k)), masks[2], word($l))
            }};
        }
    }
    rotate
        |x| _mm256_ror_epi64::<32>(x),
        |x| _mm256_ror_epi64::<24>(x),
        |x| _mm256_ror_epi64::<16>(x),
        |x| _mm256_ror_epi64::<63>(x);
    turn turn_b; hide ymm_reg; words words;
}

rows! {
    /// # Safety
    /// The CPU must have AVX-512F, BW and VL.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
    fn compress_s(u32, 64) by _mm_loadu_si128 _mm_storeu_si128 _mm_add_epi32 _mm_xor_si128;
    with {
        let masks = masks!();
        macro_rules! words {
            ($m:ident, $i:expr, $j:expr, $k:expr, $l:expr) => {{
                let word = |at| $m.add(at).cast::<i32>().read_unaligned();
                let x = _mm_mask_set1_epi32(_mm_set1_epi32(word($i)), masks[0], word($j));
                _mm_mask_set1_epi32(_mm_mask_set1_epi32(x, masks[1], word($k)), masks[2], word($l))
            }};
        }
    }
    rotate
        |x| _mm_ror_epi32::<16>(x),
        |x| _mm_ror_epi32::<12>(x),
        |x| _mm_ror_epi32::<8>(x),
        |x| _mm_ror_epi32::<7>(x);
    turn turn_s; hide xmm_reg; words words;
}

/// Computes half a round (RFC 7693 section 3.1): G on the words `a`, `b`, `c`, `d` of each column or diagonal, with a
/// row of the message schedule from entry `$half` on.
#[cfg(target_arch = "x86_64")]
macro_rules! half_round {
    ($v:ident, $m:ident, $row:ident, $half:literal, $by_3:ident, $by_2:ident,
        [$a0:literal $a1:literal $a2:literal $a3:literal] [$b0:literal $b1:literal $b2:literal $b3:literal]
        [$c0:literal $c1:literal $c2:literal $c3:literal] [$d0:literal $d1:literal $d2:literal $d3:literal]) => {
        asm!(
            "vpaddq {a0:y}, {a0:y}, [{m} + {x0}]",
            "vpaddq {a0:y}, {a0:y}, {b0:y}",
            "vpaddq {a1:y}, {a1:y}, [{m} + {x1}]",
            "vpaddq {a3:y}, {a3:y}, [{m} + {x3}]",
            "vpaddq {a2:y}, {a2:y}, [{m} + {x2}]",
            "vpaddq {a1:y}, {a1:y}, {b1:y}",
            "vpaddq {a3:y}, {a3:y}, {b3:y}",
            "vpaddq {a2:y}, {a2:y}, {b2:y}",
            "vpxorq {d0:y}, {d0:y}, {a0:y}",
            "vpxorq {d3:y}, {d3:y}, {a3:y}",
            "vpshufd {d0:y}, {d0:y}, 0xb1",
            "vpaddq {c0:y}, {c0:y}, {d0:y}",
            "vpxorq {d1:y}, {d1:y}, {a1:y}",
            "vpxorq {d2:y}, {d2:y}, {a2:y}",
            "vprorq {d1:y}, {d1:y}, 32",
            "vpshufd {d3:y}, {d3:y}, 0xb1",
            "vprorq {d2:y}, {d2:y}, 32",
            "vpaddq {c1:y}, {c1:y}, {d1:y}",
            "vpaddq {c3:y}, {c3:y}, {d3:y}",
            "vpxorq {b1:y}, {b1:y}, {c1:y}",
            "vpxorq {b0:y}, {b0:y}, {c0:y}",
            "vpaddq {c2:y}, {c2:y}, {d2:y}",
            "vpxorq {b3:y}, {b3:y}, {c3:y}",
            "vpxorq {b2:y}, {b2:y}, {c2:y}",
            "vprorq {b0:y}, {b0:y}, 24",
            "vpshufb {b1:y}, {b1:y}, {by_3:y}",
            "vprorq {b2:y}, {b2:y}, 24",
            "vpshufb {b3:y}, {b3:y}, {by_3:y}",
            "vpaddq {a1:y}, {a1:y}, [{m} + {y1}]",
            "vpaddq {a1:y}, {a1:y}, {b1:y}",
            "vpaddq {a0:y}, {a0:y}, [{m} + {y0}]",
            "vpaddq {a3:y}, {a3:y}, [{m} + {y3}]",
            "vpaddq {a2:y}, {a2:y}, [{m} + {y2}]",
            "vpaddq {a0:y}, {a0:y}, {b0:y}",
            "vpaddq {a3:y}, {a3:y}, {b3:y}",
            "vpaddq {a2:y}, {a2:y}, {b2:y}",
            "vpxorq {d0:y}, {d0:y}, {a0:y}",
            "vpxorq {d1:y}, {d1:y}, {a1:y}",
            "vpshufb {d0:y}, {d0:y}, {by_2:y}",
            "vpxorq {d2:y}, {d2:y}, {a2:y}",
            "vpxorq {d3:y}, {d3:y}, {a3:y}",
            "vprorq {d2:y}, {d2:y}, 16",
            "vpshufb {d3:y}, {d3:y}, {by_2:y}",
            "vprorq {d1:y}, {d1:y}, 16",
            "vpaddq {c3:y}, {c3:y}, {d3:y}",
            "vpaddq {c1:y}, {c1:y}, {d1:y}",
            "vpaddq {c2:y}, {c2:y}, {d2:y}",
            "vpaddq {c0:y}, {c0:y}, {d0:y}",
            "vpxorq {b0:y}, {b0:y}, {c0:y}",
            "vprorq {b0:y}, {b0:y}, 63",
            "vpxorq {b1:y}, {b1:y}, {c1:y}",
            "vpxorq {b2:y}, {b2:y}, {c2:y}",
            "vprorq {b2:y}, {b2:y}, 63",
            "vpxorq {b3:y}, {b3:y}, {c3:y}",
            "vprorq {b3:y}, {b3:y}, 63",
            "vprorq {b1:y}, {b1:y}, 63",
            a0 = inout(zmm_reg) $v[$a0], a1 = inout(zmm_reg) $v[$a1], a2 = inout(zmm_reg) $v[$a2], a3 = inout(zmm_reg) $v[$a3],
            b0 = inout(zmm_reg) $v[$b0], b1 = inout(zmm_reg) $v[$b1], b2 = inout(zmm_reg) $v[$b2], b3 = inout(zmm_reg) $v[$b3],
            c0 = inout(zmm_reg) $v[$c0], c1 = inout(zmm_reg) $v[$c1], c2 = inout(zmm_reg) $v[$c2], c3 = inout(zmm_reg) $v[$c3],
            d0 = inout(zmm_reg) $v[$d0], d1 = inout(zmm_reg) $v[$d1], d2 = inout(zmm_reg) $v[$d2], d3 = inout(zmm_reg) $v[$d3],
            x0 = const 32 * SIGMA[$row][$half], y0 = const 32 * SIGMA[$row][$half + 1],
            x1 = const 32 * SIGMA[$row][$half + 2], y1 = const 32 * SIGMA[$row][$half + 3],
            x2 = const 32 * SIGMA[$row][$half + 4], y2 = const 32 * SIGMA[$row][$half + 5],
            x3 = const 32 * SIGMA[$row][$half + 6], y3 = const 32 * SIGMA[$row][$half + 7],
            m = in(reg) $m.as_ptr(), by_3 = in(zmm_reg) $by_3, by_2 = in(zmm_reg) $by_2,
            options(pure, readonly, nostack, preserves_flags)
        )
    };
}

/// The rounds of four BLAKE2b messages in a fixed order, the best of about ten thousand that were measured on Xeon D.
/// The four G are slightly out of step, and some of their rotations by whole bytes are shuffles, so that all ports are
/// busy. On that CPU, two ports rotate and two shuffle.
#[cfg(target_arch = "x86_64")]
struct Mixed;

#[cfg(target_arch = "x86_64")]
impl soft::Round<u64, Avx512x4, 4> for Mixed {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
    unsafe fn round<const ROW: usize>(v: &mut [Avx512x4; 16], m: &[Avx512x4; 16]) {
        // The source positions of the bytes of a word that is rotated to the right by three bytes and by two bytes.
        let [by_3, by_2] = [0x0201_0007_0605_0403, 0x0100_0706_0504_0302].map(|of_first: i64| {
            let of_second = of_first + 0x0808_0808_0808_0808;
            _mm256_set_epi64x(of_second, of_first, of_second, of_first)
        });
        let mut registers = v.map(Avx512x4::register);
        // SAFETY: the attribute enables every instruction used. The assembly uses its registers and reads words of the
        // message, each of which is a register of 32 bytes.
        unsafe {
            half_round!(registers, m, ROW, 0, by_3, by_2, [0 1 2 3] [4 5 6 7] [8 9 10 11] [12 13 14 15]);
            half_round!(registers, m, ROW, 8, by_3, by_2, [0 1 2 3] [5 6 7 4] [10 11 8 9] [15 12 13 14]);
            for (v, register) in v.iter_mut().zip(registers) {
                *v = Avx512x4::of(register);
            }
        }
    }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..4]` must contain the blocks of `run`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_b_4(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u64, Avx512x4, Compiled, 4, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The same as for [`compress_b_4`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_b_mixed_4(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u64, Avx512x4, Mixed, 4, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain the blocks of `run`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_b_8(
    states: &mut [[u64; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u64; MAX],
    flags: &Flags<u64>,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u64, Avx512x8, Compiled, 8, 128>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..16]` must contain the blocks of `run`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_s_16(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Avx512x16, Compiled, 16, 64>(states, inputs, run, counters, flags) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain the blocks of `run`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_s_8(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[u32; MAX],
    flags: &Flags<u32>,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Avx512x8u32, Compiled, 8, 64>(states, inputs, run, counters, flags) }
}
