//! Keccak-p\[1600\] with AVX-512: four states in 256-bit registers, or eight in 512-bit registers. (For one state, see
//! `x86_avx512_one.rs`.) In each round, ρ takes 25 rotations of one instruction each, and χ and θ use three-operand
//! Boolean operations.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA3-256 × 4 | 95 operations per round, 24 rounds for 136 bytes | 1.05 | 1.47 | 1.40 | 1.62, B |
//! | SHA3-256 × 8 | the same | 1.05 | 1.27 | 1.05 | 1.11, B, in the compiler's order; 1.17, D |
//! | SHA3-256 × 8, folded | 90 operations per round | 1.05 | 1.60 | 1.00 | 1.13, D |
//!
//! On Zen 4, a round of SHA3-256 × 8 takes 54.4 cycles (163 per permutation of one state). The bound is 47.5. Computed
//! row by row as in FIPS 202, a round takes 59. On this CPU, a three-operand Boolean operation occupies a second unit
//! unless one of its operands comes directly from another instruction. A round of 100 operations, which computes the
//! sums of θ from xors of pairs of words, takes 55.8.
//!
//! *Folded* means that θ is part of three-operand Boolean operations, which takes 90 operations per round. The compiler
//! chooses the order. On Xeon B, a permutation took 832 cycles for one state (829 with gcc 12, and 815 with 95
//! operations), 209 cycles per state for four states (208 with gcc 12, and 205 with 95 operations), and 137 cycles per
//! state for eight states (143 with 95 operations). On Xeon D (family 6, model 207), eight folded states take less time
//! than in the order for Zen 4: 3 to 5 % less with 24 rounds, and 7 to 8 % less with 12 rounds. With folding, four
//! states take the same time with 24 rounds and 5 % more with 12 rounds, and one state takes 5 to 20 % more. On Zen 4,
//! eight states take a quarter more time with folding. So folding is used only for eight states.
#![allow(unsafe_code)]

use super::soft::{self, Compiled, Folded};
use crate::families::sponge::Block;
use crate::internal::vector::x86::{Avx512x4, Avx512x8};
use crate::internal::vector::{Input, MAX};
#[cfg(target_arch = "x86_64")]
use core::arch::{asm, x86_64::__m512i};

/// A round of eight states (FIPS 202 section 3.2) with 32 registers, in the best of several thousand orders that were
/// measured on Zen 4.
#[cfg(target_arch = "x86_64")]
struct Ordered;

/// 32-bit x86 has only eight registers, so the compiler chooses the order.
#[cfg(target_arch = "x86")]
use Compiled as Ordered;

#[cfg(target_arch = "x86_64")]
impl soft::Round<Avx512x8, 8> for Ordered {
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
    unsafe fn round(a: &[Avx512x8; 25], rc: &u64) -> [Avx512x8; 25] {
        let mut out = [a[0].register(); 25];
        // These outputs are not used. Their type is declared because the compiler uses a wrong register name for an
        // output without a type.
        let [_no1, _no2, _no3, _no4, _no5, _no6, _no7]: [__m512i; 7];
        // SAFETY: the attribute enables every instruction used. The assembly uses its registers and reads one constant.
        unsafe {
            asm!(
                "vmovdqa64 {t0}, {a5}",
                "vpternlogq {t0}, {a10}, {a0}, 0x96",
                "vmovdqa64 {t1}, {a11}",
                "vpternlogq {t1}, {a1}, {a16}, 0x96",
                "vpternlogq {t1}, {a6}, {a21}, 0x96",
                "vpternlogq {t0}, {a20}, {a15}, 0x96",
                "vmovdqa64 {t2}, {a13}",
                "vpternlogq {t2}, {a3}, {a8}, 0x96",
                "vpternlogq {t2}, {a18}, {a23}, 0x96",
                "vmovdqa64 {t3}, {a4}",
                "vpternlogq {t3}, {a19}, {a9}, 0x96",
                "vpternlogq {t3}, {a24}, {a14}, 0x96",
                "vprolq {t4}, {t1}, 1",
                "vmovdqa64 {t5}, {a22}",
                "vpternlogq {t5}, {a7}, {a17}, 0x96",
                "vpternlogq {t5}, {a2}, {a12}, 0x96",
                "vprolq {t6}, {t5}, 1",
                "vpxorq {t6}, {t0}, {t6}",
                "vpxorq {t4}, {t3}, {t4}",
                "vprolq {t0}, {t0}, 1",
                "vpxorq {t0}, {t2}, {t0}",
                "vprolq {t2}, {t2}, 1",
                "vprolq {t3}, {t3}, 1",
                "vpxorq {t5}, {t5}, {t3}",
                "vpxorq {t1}, {t1}, {t2}",
                "vpxorq {a0}, {a0}, {t4}",
                "vpxorq {a6}, {a6}, {t6}",
                "vpxorq {a12}, {a12}, {t1}",
                "vprolq {a6}, {a6}, 44",
                "vpxorq {a24}, {a24}, {t0}",
                "vpxorq {a9}, {a9}, {t0}",
                "vprolq {a12}, {a12}, 43",
                "vpxorq {a18}, {a18}, {t5}",
                "vprolq {a18}, {a18}, 21",
                "vprolq {a24}, {a24}, 14",
                "vmovdqa64 {t3}, {a0}",
                "vpternlogq {t3}, {a6}, {a12}, 0xd2",
                "vmovdqa64 {t2}, {a12}",
                "vpternlogq {t2}, {a6}, {a18}, 0xc6",
                "vpternlogq {a12}, {a18}, {a24}, 0xd2",
                "vpternlogq {a6}, {a24}, {a0}, 0x9c",
                "vpxorq {a3}, {a3}, {t5}",
                "vprolq {a3}, {a3}, 28",
                "vprolq {a9}, {a9}, 20",
                "vpxorq {a10}, {a10}, {t4}",
                "vpternlogq {a18}, {a24}, {a0}, 0xd2",
                "vprolq {a10}, {a10}, 3",
                "vpxorq {a16}, {a16}, {t6}",
                "vpxorq {a22}, {a22}, {t1}",
                "vprolq {a16}, {a16}, 45",
                "vprolq {a22}, {a22}, 61",
                "vmovdqa64 {a24}, {a3}",
                "vpternlogq {a24}, {a9}, {a10}, 0xd2",
                "vmovdqa64 {a0}, {a22}",
                "vpternlogq {a0}, {a3}, {a9}, 0xd2",
                "vpternlogq {a9}, {a10}, {a16}, 0xd2",
                "vpternlogq {a10}, {a16}, {a22}, 0xd2",
                "vpxorq {a7}, {a7}, {t1}",
                "vpxorq {a1}, {a1}, {t6}",
                "vprolq {a1}, {a1}, 1",
                "vprolq {a7}, {a7}, 6",
                "vpxorq {a13}, {a13}, {t5}",
                "vprolq {a13}, {a13}, 25",
                "vpxorq {a19}, {a19}, {t0}",
                "vpxorq {t3}, {t3}, qword ptr [{rc}]{{1to8}}",
                "vprolq {a19}, {a19}, 8",
                "vpternlogq {a16}, {a22}, {a3}, 0xd2",
                "vpxorq {a20}, {a20}, {t4}",
                "vprolq {a20}, {a20}, 18",
                "vmovdqa64 {a22}, {a7}",
                "vpternlogq {a22}, {a1}, {a13}, 0xc6",
                "vpxorq {a5}, {a5}, {t4}",
                "vmovdqa64 {a3}, {a7}",
                "vpternlogq {a3}, {a13}, {a19}, 0xd2",
                "vpternlogq {a13}, {a19}, {a20}, 0xd2",
                "vpternlogq {a19}, {a20}, {a1}, 0xd2",
                "vpxorq {a17}, {a17}, {t1}",
                "vpxorq {a4}, {a4}, {t0}",
                "vpxorq {a2}, {a2}, {t1}",
                "vprolq {a4}, {a4}, 27",
                "vprolq {a5}, {a5}, 36",
                "vpxorq {a11}, {a11}, {t6}",
                "vprolq {a11}, {a11}, 10",
                "vprolq {a17}, {a17}, 15",
                "vpxorq {a23}, {a23}, {t5}",
                "vpternlogq {a20}, {a1}, {a7}, 0xd2",
                "vprolq {a23}, {a23}, 56",
                "vmovdqa64 {t1}, {a11}",
                "vpternlogq {t1}, {a4}, {a5}, 0x9c",
                "vmovdqa64 {a1}, {a17}",
                "vpternlogq {a1}, {a11}, {a23}, 0xc6",
                "vmovdqa64 {a7}, {a23}",
                "vpternlogq {a7}, {a4}, {a5}, 0xd2",
                "vpxorq {a8}, {a8}, {t5}",
                "vpternlogq {a5}, {a11}, {a17}, 0xd2",
                "vprolq {a8}, {a8}, 55",
                "vprolq {a2}, {a2}, 62",
                "vpxorq {a14}, {a14}, {t0}",
                "vpternlogq {a17}, {a23}, {a4}, 0xd2",
                "vprolq {a14}, {a14}, 39",
                "vpxorq {a21}, {a21}, {t6}",
                "vpxorq {a15}, {a15}, {t4}",
                "vprolq {a21}, {a21}, 2",
                "vmovdqa64 {t5}, {a14}",
                "vpternlogq {t5}, {a2}, {a8}, 0x9c",
                "vprolq {a15}, {a15}, 41",
                "vmovdqa64 {a11}, {a14}",
                "vpternlogq {a11}, {a15}, {a21}, 0xd2",
                "vpternlogq {a14}, {a8}, {a15}, 0xc6",
                "vpternlogq {a15}, {a21}, {a2}, 0xd2",
                "vpternlogq {a21}, {a2}, {a8}, 0xd2",
                a0 = inout(zmm_reg) a[0].register() => out[9], a1 = inout(zmm_reg) a[1].register() => out[17],
                a2 = inout(zmm_reg) a[2].register() => _no1, a3 = inout(zmm_reg) a[3].register() => out[11],
                a4 = inout(zmm_reg) a[4].register() => _no2, a5 = inout(zmm_reg) a[5].register() => out[16],
                a6 = inout(zmm_reg) a[6].register() => out[4], a7 = inout(zmm_reg) a[7].register() => out[19],
                a8 = inout(zmm_reg) a[8].register() => _no3, a9 = inout(zmm_reg) a[9].register() => out[6],
                a10 = inout(zmm_reg) a[10].register() => out[7], a11 = inout(zmm_reg) a[11].register() => out[22],
                a12 = inout(zmm_reg) a[12].register() => out[2], a13 = inout(zmm_reg) a[13].register() => out[12],
                a14 = inout(zmm_reg) a[14].register() => out[21], a15 = inout(zmm_reg) a[15].register() => out[23],
                a16 = inout(zmm_reg) a[16].register() => out[8], a17 = inout(zmm_reg) a[17].register() => out[18],
                a18 = inout(zmm_reg) a[18].register() => out[3], a19 = inout(zmm_reg) a[19].register() => out[13],
                a20 = inout(zmm_reg) a[20].register() => out[14], a21 = inout(zmm_reg) a[21].register() => out[24],
                a22 = inout(zmm_reg) a[22].register() => out[10], a23 = inout(zmm_reg) a[23].register() => _no4,
                a24 = inout(zmm_reg) a[24].register() => out[5], t0 = out(zmm_reg) _no5,
                t1 = out(zmm_reg) out[15], t2 = out(zmm_reg) out[1],
                t3 = out(zmm_reg) out[0], t4 = out(zmm_reg) _no6,
                t5 = out(zmm_reg) out[20], t6 = out(zmm_reg) _no7,
                rc = in(reg) &raw const *rc,
                options(pure, readonly, nostack, preserves_flags)
            );
            out.map(|register| Avx512x8::of(register))
        }
    }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Avx512x4, Compiled, 4, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `outputs[..4]` must be writable for `blocks * rate` bytes.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn squeeze_4<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Avx512x4, Compiled, 4, ROUNDS>(states, outputs, block, blocks, ready) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `inputs[..8]` must contain `blocks` blocks.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Avx512x8, Ordered, 8, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL; each of `outputs[..8]` must be writable for `blocks * rate` bytes.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn squeeze_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Avx512x8, Ordered, 8, ROUNDS>(states, outputs, block, blocks, ready) }
}

/// Eight states with θ folded, for CPUs on which three-operand Boolean operations never take a second unit.
///
/// # Safety
/// The same as for [`absorb_8`].
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb_folded_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the inputs.
    unsafe { soft::absorb_many::<Avx512x8, Folded, 8, ROUNDS>(states, inputs, block, blocks) }
}

/// # Safety
/// The same as for [`squeeze_8`].
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn squeeze_folded_8<const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the attribute enables every instruction used; the caller guarantees the lengths of the outputs.
    unsafe { soft::squeeze_many::<Avx512x8, Folded, 8, ROUNDS>(states, outputs, block, blocks, ready) }
}
