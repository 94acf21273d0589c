//! AVX-512: sixteen SHA-256 or eight SHA-512 messages side by side, or half as many in 256-bit registers.
//!
//! Operations of a block in all lanes: rounds of 17, schedule steps of 11, and what transposes and swaps the words. On an Intel
//! Xeon (family 6, model 85; three vector ports, two of them for 512 bits), in core cycles for each block of each message:
//!
//! | kernel | operations | bound | reached | cycles a byte |
//! |---|---:|---:|---:|---:|
//! | SHA-256 × 16 | 1704 | 1704 / 2 / 16 = 53 | 59 | 0.92 |
//! | SHA-256 × 8, 256 bits | 1688 | 1688 / 3 / 8 = 70 | 82 | 1.28 |
//! | SHA-512 × 4, 256 bits | 2120 | 2120 / 3 / 4 = 177 | 201 | 1.57 |
//!
//! Tried there for × 16 and dropped: the exchange of 128-bit parts done by loads merged by masks (0.92), and words laid out by
//! scalar loads and stores among the rounds, as Keccak's are (1.02).
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::ground::vector::x86::{Avx512x4, Avx512x8, Avx512x8u32, Avx512x16};
use crate::ground::vector::{Input, MAX};
#[cfg(target_arch = "x86_64")]
use core::arch::{asm, x86_64::__m512i};

/// SHA-512's rounds with a word to schedule, in 32 registers: the state, sixteen words, and six for what is between. The
/// order is the best of some thousand that were tried on Zen 4: without loads and sums of blocks 80 such rounds of 28
/// operations take 1110 cycles there, where two operations a cycle would be 1120, and 1240 in the order of FIPS 180-4.
#[cfg(target_arch = "x86_64")]
struct Ordered;

/// On 32-bit x86, which has eight registers, the order is the compiler's.
#[cfg(target_arch = "x86")]
use Compiled as Ordered;

#[cfg(target_arch = "x86_64")]
impl soft::Round<u64, Avx512x8, 8> for Ordered {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
    unsafe fn scheduled(
        k: &u64,
        [a, b, c, d, e, f, g, h]: [Avx512x8; 8],
        w: &mut Avx512x8,
        [w15, w7, w2]: [Avx512x8; 3],
    ) -> (Avx512x8, Avx512x8) {
        // Declared, since the compiler misnames the register of an output without a type.
        let (_t0, _t1, _t2, _t3, _t4, _t5): (__m512i, __m512i, __m512i, __m512i, __m512i, __m512i);
        let (mut d, mut h, mut word) = (d.register(), h.register(), w.register());
        // SAFETY: the attribute names every instruction; the assembly touches its registers, and reads one constant.
        unsafe {
            asm!(
                "vprorq {t0}, {w15}, 1",
                "vprorq {t1}, {a}, 34",
                "vprorq {t2}, {w15}, 8",
                "vpsrlq {t3}, {w15}, 7",
                "vmovdqa64 {t4}, {e}",
                "vpternlogq {t0}, {t2}, {t3}, 0x96", // t0 = s0(W[t-15])
                "vprorq {t3}, {w2}, 61",
                "vprorq {t2}, {w2}, 19",
                "vpsrlq {t5}, {w2}, 6",
                "vpternlogq {t2}, {t3}, {t5}, 0x96", // t2 = s1(W[t-2])
                "vmovdqa64 {t5}, {a}",
                "vpaddq {w}, {w}, {w7}",
                "vpaddq {w}, {w}, {t0}",
                "vpaddq {w}, {w}, {t2}",
                "vpaddq {h}, {h}, qword ptr [{k}]{{1to8}}",
                "vpaddq {h}, {h}, {w}",
                "vprorq {t2}, {e}, 14",
                "vprorq {t0}, {e}, 18",
                "vprorq {t3}, {e}, 41",
                "vpternlogq {t4}, {f}, {g}, 0xca", // t4 = Ch(e, f, g)
                "vpternlogq {t2}, {t0}, {t3}, 0x96", // t2 = S1(e)
                "vpaddq {h}, {h}, {t4}",
                "vpaddq {h}, {h}, {t2}",
                "vpaddq {d}, {d}, {h}",
                "vprorq {t2}, {a}, 28",
                "vpternlogq {t5}, {b}, {c}, 0xe8", // t5 = Maj(a, b, c)
                "vprorq {t4}, {a}, 39",
                "vpternlogq {t2}, {t1}, {t4}, 0x96", // t2 = S0(a)
                "vpaddq {h}, {h}, {t5}",
                "vpaddq {h}, {h}, {t2}",
                a = in(zmm_reg) a.register(), b = in(zmm_reg) b.register(), c = in(zmm_reg) c.register(),
                d = inout(zmm_reg) d, e = in(zmm_reg) e.register(), f = in(zmm_reg) f.register(),
                g = in(zmm_reg) g.register(), h = inout(zmm_reg) h, w = inout(zmm_reg) word,
                w15 = in(zmm_reg) w15.register(), w7 = in(zmm_reg) w7.register(), w2 = in(zmm_reg) w2.register(),
                t0 = out(zmm_reg) _t0, t1 = out(zmm_reg) _t1, t2 = out(zmm_reg) _t2, t3 = out(zmm_reg) _t3,
                t4 = out(zmm_reg) _t4, t5 = out(zmm_reg) _t5, k = in(reg) &raw const *k,
                options(pure, readonly, nostack, preserves_flags)
            );
            *w = Avx512x8::of(word);
            (Avx512x8::of(d), Avx512x8::of(h))
        }
    }
}

/// Sixteen messages: sums, rotations and three-operand booleans are one instruction each for all of them.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..16]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_16<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx512x16, Compiled, 16, ROUNDS>(states, inputs, blocks) }
}

/// Eight messages, likewise.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_8(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx512x8, Ordered, 8, 80>(states, inputs, blocks) }
}

/// Eight messages of SHA-256. On processors that execute three vector instructions of 256 bits a cycle but two of 512, a
/// block of eight takes two thirds of the time that one of sixteen takes.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_8<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u32, Avx512x8u32, Compiled, 8, ROUNDS>(states, inputs, blocks) }
}

/// Four messages of SHA-512, likewise.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..4]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_vl_4(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the attribute names every instruction used, and the inputs are as long as demanded above.
    unsafe { soft::compress_many::<u64, Avx512x4, Compiled, 4, 80>(states, inputs, blocks) }
}
