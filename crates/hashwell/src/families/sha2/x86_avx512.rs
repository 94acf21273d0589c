//! Sixteen SHA-256 or eight SHA-512 messages in parallel with AVX-512, or half as many in 256-bit registers.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA-256 × 16 | 1704 operations: rounds of 17, schedule steps of 11, transposition | 0.83 | 0.99 | 0.83 | 0.90, D |
//! | SHA-256 × 8 | 1688 | 0.82 | 1.09 | 1.10 | 1.28, B |
//! | SHA-512 × 8 | 2152 | 1.05 | 1.21 | 1.05 | 1.33, C, 1 KiB, in the compiler's order |
//! | SHA-512 × 4 | 2120 | 1.04 | 1.33 | 1.38 | 1.57, B |
//!
//! In the compiler's order, SHA-256 × 16 took 1.02 cycles per byte on Zen 4 and 0.93 on Xeon D. In that order, two
//! changes were tried on Xeon B and dropped: exchanging 128-bit parts with loads that are merged by masks (0.92), and
//! laying out words with scalar loads and stores between the rounds, as for Keccak (1.02).
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::internal::vector::x86::{Avx512x4, Avx512x8, Avx512x8u32, Avx512x16};
use crate::internal::vector::{Input, MAX};
#[cfg(target_arch = "x86_64")]
use {
    super::constants::K512,
    crate::internal::vector::Vector,
    core::arch::{asm, x86_64::*},
};

/// Defines [`soft::Round::scheduled`] with 32 registers for either word size. The parameters are the word type, the
/// vector type, the suffix of the instructions, the number of words in a register, and the distances of the functions
/// of `Sha2Word`.
#[cfg(target_arch = "x86_64")]
macro_rules! scheduled {
    ($word:ty, $vector:ty, $of:literal, $many:literal, S0 $a0:literal $a1:literal $a2:literal,
     S1 $e0:literal $e1:literal $e2:literal, s0 $f0:literal $f1:literal $f2:literal,
     s1 $g0:literal $g1:literal $g2:literal) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
        unsafe fn scheduled(
            k: &$word,
            [a, b, c, d, e, f, g, h]: [$vector; 8],
            w: &mut $vector,
            [w15, w7, w2]: [$vector; 3],
        ) -> ($vector, $vector) {
            // The types are declared because the compiler uses a wrong register name for an output without a type.
            let (_t0, _t1, _t2, _t3, _t4, _t5): (__m512i, __m512i, __m512i, __m512i, __m512i, __m512i);
            let (mut d, mut h, mut word) = (d.register(), h.register(), w.register());
            // SAFETY: the attribute enables every instruction used. The assembly uses its registers and reads one
            // constant.
            unsafe {
                asm!(
                    concat!("vpror", $of, " {t0}, {w15}, {f0}"),
                    concat!("vpror", $of, " {t1}, {a}, {a1}"),
                    concat!("vpror", $of, " {t2}, {w15}, {f1}"),
                    concat!("vpsrl", $of, " {t3}, {w15}, {f2}"),
                    "vmovdqa64 {t4}, {e}",
                    "vpternlogq {t0}, {t2}, {t3}, 0x96", // t0 = s0(W[t-15])
                    concat!("vpror", $of, " {t3}, {w2}, {g1}"),
                    concat!("vpror", $of, " {t2}, {w2}, {g0}"),
                    concat!("vpsrl", $of, " {t5}, {w2}, {g2}"),
                    "vpternlogq {t2}, {t3}, {t5}, 0x96", // t2 = s1(W[t-2])
                    "vmovdqa64 {t5}, {a}",
                    concat!("vpadd", $of, " {w}, {w}, {w7}"),
                    concat!("vpadd", $of, " {w}, {w}, {t0}"),
                    concat!("vpadd", $of, " {w}, {w}, {t2}"),
                    concat!("vpadd", $of, " {h}, {h}, [{k}]{{1to", $many, "}}"),
                    concat!("vpadd", $of, " {h}, {h}, {w}"),
                    concat!("vpror", $of, " {t2}, {e}, {e0}"),
                    concat!("vpror", $of, " {t0}, {e}, {e1}"),
                    concat!("vpror", $of, " {t3}, {e}, {e2}"),
                    "vpternlogq {t4}, {f}, {g}, 0xca", // t4 = Ch(e, f, g)
                    "vpternlogq {t2}, {t0}, {t3}, 0x96", // t2 = S1(e)
                    concat!("vpadd", $of, " {h}, {h}, {t4}"),
                    concat!("vpadd", $of, " {h}, {h}, {t2}"),
                    concat!("vpadd", $of, " {d}, {d}, {h}"),
                    concat!("vpror", $of, " {t2}, {a}, {a0}"),
                    "vpternlogq {t5}, {b}, {c}, 0xe8", // t5 = Maj(a, b, c)
                    concat!("vpror", $of, " {t4}, {a}, {a2}"),
                    "vpternlogq {t2}, {t1}, {t4}, 0x96", // t2 = S0(a)
                    concat!("vpadd", $of, " {h}, {h}, {t5}"),
                    concat!("vpadd", $of, " {h}, {h}, {t2}"),
                    a = in(zmm_reg) a.register(), b = in(zmm_reg) b.register(), c = in(zmm_reg) c.register(),
                    d = inout(zmm_reg) d, e = in(zmm_reg) e.register(), f = in(zmm_reg) f.register(),
                    g = in(zmm_reg) g.register(), h = inout(zmm_reg) h, w = inout(zmm_reg) word,
                    w15 = in(zmm_reg) w15.register(), w7 = in(zmm_reg) w7.register(), w2 = in(zmm_reg) w2.register(),
                    t0 = out(zmm_reg) _t0, t1 = out(zmm_reg) _t1, t2 = out(zmm_reg) _t2, t3 = out(zmm_reg) _t3,
                    t4 = out(zmm_reg) _t4, t5 = out(zmm_reg) _t5, k = in(reg) &raw const *k,
                    a0 = const $a0, a1 = const $a1, a2 = const $a2, e0 = const $e0, e1 = const $e1, e2 = const $e2,
                    f0 = const $f0, f1 = const $f1, f2 = const $f2, g0 = const $g0, g1 = const $g1, g2 = const $g2,
                    options(pure, readonly, nostack, preserves_flags)
                );
                *w = <$vector>::of(word);
                (<$vector>::of(d), <$vector>::of(h))
            }
        }
    };
}

/// The rounds of SHA-512 that schedule a word, with 32 registers: the state, sixteen words, and six registers for
/// intermediate values. The order is the best of several thousand that were measured on Zen 4. Without loading blocks
/// and adding them to the state, 80 such rounds of 28 operations take 1110 cycles there, and 1240 in the order of FIPS
/// 180-4. At two operations per cycle, they would take 1120.
#[cfg(target_arch = "x86_64")]
struct Ordered;

/// 32-bit x86 has only eight registers, so the compiler chooses the order.
#[cfg(target_arch = "x86")]
use Compiled as Ordered;

#[cfg(target_arch = "x86_64")]
impl soft::Round<u64, Avx512x8, 8> for Ordered {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
    unsafe fn given(v: &mut [Avx512x8; 8], from: &[*const u64; 8]) -> [Avx512x8; 16] {
        let [m0, m1, m2, m3, m4, m5, m6, m7] = *from;
        // SAFETY: the attribute enables every instruction used. The first sixteen bytes of each block are read.
        let (w0, w1) = unsafe { two_words(from) };
        let mut w = [w0; 16];
        w[1] = w1;
        macro_rules! two_rounds {
            ($($i:literal)*) => { $(
                let [a, b, mut c, mut d, e, f, mut g, mut h] = v.map(Avx512x8::register);
                let (next, w2, w3): (__m512i, __m512i, __m512i);
                let (_t0, _t1, _t2, _t4, _t5): (__m512i, __m512i, __m512i, __m512i, __m512i);
                asm!(
                    "vbroadcasti32x4 {w2}, [{m0} + {at}]",
                    "vpaddq {h}, {h}, qword ptr [{k} + {at_k}]{{1to8}}",
                    "vmovdqa64 {t0}, {a}",
                    "vprorq {next}, {e}, 18",
                    "vprorq {t1}, {e}, 41",
                    "vprorq {t2}, {e}, 14",
                    "vmovdqa64 {w3}, {e}",
                    "vbroadcasti32x4 {t4}, [{m1} + {at}]",
                    "vprorq {t5}, {a}, 34",
                    "vpternlogq {t2}, {next}, {t1}, 0x96",
                    "vprorq {next}, {a}, 28",
                    "vprorq {t1}, {a}, 39",
                    "vpternlogq {w3}, {f}, {g}, 0xca",
                    "vpaddq {h}, {h}, {w0}",
                    "vinserti32x4 {t4}, {t4}, [{m3} + {at}], 1",
                    "vinserti32x4 {w2}, {w2}, [{m2} + {at}], 1",
                    "vpaddq {h}, {h}, {w3}",
                    "vpternlogq {t0}, {b}, {c}, 0xe8",
                    "vpaddq {h}, {h}, {t2}",
                    "vinserti32x4 {w2}, {w2}, [{m4} + {at}], 2",
                    "vinserti32x4 {w2}, {w2}, [{m6} + {at}], 3",
                    "vpaddq {d}, {d}, {h}",
                    "vpternlogq {next}, {t5}, {t1}, 0x96",
                    "vpaddq {g}, {g}, qword ptr [{k} + {at_k} + 8]{{1to8}}",
                    "vinserti32x4 {t4}, {t4}, [{m5} + {at}], 2",
                    "vinserti32x4 {t4}, {t4}, [{m7} + {at}], 3",
                    "vpaddq {t0}, {t0}, {next}",
                    "vprorq {w3}, {d}, 18",
                    "vprorq {t2}, {d}, 41",
                    "vprorq {t5}, {d}, 14",
                    "vpaddq {h}, {h}, {t0}",
                    "vprorq {t1}, {h}, 39",
                    "vprorq {next}, {h}, 34",
                    "vprorq {t0}, {h}, 28",
                    "vpternlogq {t0}, {next}, {t1}, 0x96",
                    "vmovdqa64 {next}, {h}",
                    "vpternlogq {t5}, {w3}, {t2}, 0x96",
                    "vpternlogq {next}, {a}, {b}, 0xe8",
                    "vmovdqa64 {t1}, {d}",
                    "vpternlogq {t1}, {e}, {f}, 0xca",
                    "vpaddq {g}, {g}, {w1}",
                    "vpaddq {g}, {g}, {t1}",
                    "vpaddq {g}, {g}, {t5}",
                    "vpaddq {next}, {next}, {t0}",
                    "vpunpckhqdq {w3}, {w2}, {t4}",
                    "vpunpcklqdq {w2}, {w2}, {t4}",
                    "vpaddq {next}, {g}, {next}",
                    "vpaddq {c}, {c}, {g}",
                    "vpshufb {w2}, {w2}, [{swap}]",
                    "vpshufb {w3}, {w3}, [{swap}]",
                    a = in(zmm_reg) a, b = in(zmm_reg) b, c = inout(zmm_reg) c, d = inout(zmm_reg) d,
                    e = in(zmm_reg) e, f = in(zmm_reg) f, g = inout(zmm_reg) g, h = inout(zmm_reg) h,
                    w0 = in(zmm_reg) w[$i].register(), w1 = in(zmm_reg) w[$i + 1].register(),
                    next = out(zmm_reg) next, w2 = out(zmm_reg) w2, w3 = out(zmm_reg) w3,
                    t0 = out(zmm_reg) _t0, t1 = out(zmm_reg) _t1, t2 = out(zmm_reg) _t2,
                    t4 = out(zmm_reg) _t4, t5 = out(zmm_reg) _t5,
                    m0 = in(reg) m0, m1 = in(reg) m1, m2 = in(reg) m2, m3 = in(reg) m3,
                    m4 = in(reg) m4, m5 = in(reg) m5, m6 = in(reg) m6, m7 = in(reg) m7,
                    k = in(reg) K512.as_ptr(), swap = in(reg) &raw const SWAP,
                    at = const 8 * ($i + 2), at_k = const 8 * $i,
                    options(pure, readonly, nostack, preserves_flags)
                );
                let _ = g; // used as a temporary register
                *v = [next, h, a, b, c, d, e, f].map(|register| Avx512x8::of(register));
                (w[$i + 2], w[$i + 3]) = (Avx512x8::of(w2), Avx512x8::of(w3));
            )* };
        }
        // SAFETY: the attribute enables every instruction used. The assembly uses its registers, and reads constants
        // and the sixteen words of each block.
        unsafe {
            two_rounds!(0 2 4 6 8 10 12);
        }
        // The last two words are already loaded, so ordinary rounds are sufficient.
        // SAFETY: the attribute enables the instructions of the vector.
        unsafe { soft::two_rounds(14, v, [w[14], w[15]]) };
        w
    }

    scheduled!(u64, Avx512x8, "q", "8", S0 28 34 39, S1 14 18 41, s0 1 8 7, s1 19 61 6);
}

/// The same for SHA-256. Its first rounds are in the compiler's order.
#[cfg(target_arch = "x86_64")]
impl soft::Round<u32, Avx512x16, 16> for Ordered {
    // This function is always inlined, because the two callers (64 and 90 rounds) would otherwise keep their state in
    // memory.
    #[inline(always)]
    unsafe fn given(v: &mut [Avx512x16; 8], from: &[*const u32; 16]) -> [Avx512x16; 16] {
        // SAFETY: the caller guarantees the instructions of the vector and the words.
        unsafe { <Compiled as soft::Round<u32, Avx512x16, 16>>::given(v, from) }
    }

    scheduled!(u32, Avx512x16, "d", "16", S0 2 13 22, S1 6 11 25, s0 7 18 3, s1 17 19 10);
}

/// A shuffle that reverses the bytes of each 64-bit word.
#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
struct Swap(#[allow(dead_code)] [u8; 64]); // read by the assembly

#[cfg(target_arch = "x86_64")]
static SWAP: Swap = {
    let mut order = [0; 64];
    let mut i = 0;
    while i < 64 {
        order[i] = ((i % 16) ^ 7) as u8;
        i += 1;
    }
    Swap(order)
};

/// Returns the first two words of each of eight blocks.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; sixteen bytes must be readable at each of `from`.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
unsafe fn two_words(from: &[*const u64; 8]) -> (Avx512x8, Avx512x8) {
    // SAFETY: the attribute enables every instruction used, and the caller guarantees the bytes.
    unsafe {
        let part = |i: usize| _mm_loadu_si128(from[i].cast());
        let four = |i: usize| {
            let pair = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(part(i)), part(i + 2));
            let three = _mm512_inserti32x4::<2>(_mm512_castsi256_si512(pair), part(i + 4));
            _mm512_inserti32x4::<3>(three, part(i + 6))
        };
        let (even, odd) = (four(0), four(1));
        let low = Avx512x8::of(_mm512_unpacklo_epi64(even, odd));
        (low.decode_be(), Avx512x8::of(_mm512_unpackhi_epi64(even, odd)).decode_be())
    }
}

/// Sixteen messages. One instruction adds or rotates a word of each of them, or computes a three-operand Boolean
/// function.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..16]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_16<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Avx512x16, Ordered, 16, ROUNDS>(states, inputs, blocks) }
}

/// The same for eight messages of SHA-512.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_8(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u64, Avx512x8, Ordered, 8, 80>(states, inputs, blocks) }
}

/// Eight messages of SHA-256. On CPUs that execute three 256-bit vector instructions per cycle but only two 512-bit
/// ones, a block of eight messages takes two thirds of the time of a block of sixteen.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_8<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u32, Avx512x8u32, Compiled, 8, ROUNDS>(states, inputs, blocks) }
}

/// The same for four messages of SHA-512.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_4(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::compress_many::<u64, Avx512x4, Compiled, 4, 80>(states, inputs, blocks) }
}
