//! Keccak-p\[1600\] with AVX-512, one state, one word in each 128-bit register. On Zen 4, five sixths of the
//! instructions run on any of four vector ports. So these vectors, although mostly empty, are faster than scalar code,
//! which has no three-operand Boolean operations and half as many registers.
//!
//! A round has 96 operations and 15 copies, which are renamed and not executed. Four ports need at least 24 cycles for
//! them. The code is in assembly because the order of instructions determines the speed, and the compiler chooses a
//! different one. On Zen 4, a round takes 30.8 cycles row by row as in FIPS 202, 28.9 in this order (the best of
//! several thousand that were measured there), and 30.0 in the previous order (the best of a thousand random orders).
//! The remaining difference comes from three-operand Boolean operations, each of which occupies a second unit unless an
//! operand comes directly from another instruction.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA3-256 | 96 operations per round, 24 rounds for 136 bytes | 4.24 | 5.16 | 5.65 | 6.01, B, 95 in the compiler's order |
#![allow(unsafe_code)]

use super::soft::{self, RC};
use crate::families::sponge::Block;
use crate::internal::vector::Vector;
use crate::internal::vector::x86::Avx512x1;
use core::arch::asm;
use core::arch::x86_64::_mm_setzero_si128;

/// One round (FIPS 202 section 3.2): the sums of θ in t0 to t6, then ρ and π of one word after the other, χ of a row
/// when its five words are ready, and ι on the first word. Only the low halves of the registers are used. The high
/// halves are undefined.
macro_rules! round {
    ($s:ident, $rc:expr) => {{
        let mut out = [_mm_setzero_si128(); 25];
        asm!(
            "vmovdqa64 {t0:x}, {a15:x}",
            "vpternlogq {t0:x}, {a10:x}, {a0:x}, 0x96",
            "vmovdqa64 {t1:x}, {a16:x}",
            "vpternlogq {t1:x}, {a11:x}, {a1:x}, 0x96",
            "vpternlogq {t1:x}, {a6:x}, {a21:x}, 0x96",
            "vpternlogq {t0:x}, {a5:x}, {a20:x}, 0x96",
            "vmovdqa64 {t2:x}, {a13:x}",
            "vpternlogq {t2:x}, {a8:x}, {a3:x}, 0x96",
            "vpxorq {t3:x}, {a19:x}, {a14:x}",
            "vpternlogq {t2:x}, {a23:x}, {a18:x}, 0x96",
            "vpxorq {t4:x}, {a9:x}, {a4:x}",
            "vprolq {t5:x}, {t1:x}, 1",
            "vpternlogq {t3:x}, {t4:x}, {a24:x}, 0x96",
            "vmovdqa64 {t6:x}, {a22:x}",
            "vpternlogq {t6:x}, {a17:x}, {a7:x}, 0x96",
            "vpternlogq {t6:x}, {a12:x}, {a2:x}, 0x96",
            "vprolq {t4:x}, {t6:x}, 1",
            "vpxorq {t4:x}, {t0:x}, {t4:x}",
            "vpxorq {t5:x}, {t3:x}, {t5:x}",
            "vprolq {t0:x}, {t0:x}, 1",
            "vpxorq {t0:x}, {t2:x}, {t0:x}",
            "vprolq {t2:x}, {t2:x}, 1",
            "vprolq {t3:x}, {t3:x}, 1",
            "vpxorq {t6:x}, {t6:x}, {t3:x}",
            "vpxorq {t1:x}, {t1:x}, {t2:x}",
            "vpxorq {a12:x}, {a12:x}, {t1:x}",
            "vpxorq {a9:x}, {a9:x}, {t0:x}",
            "vpxorq {a6:x}, {a6:x}, {t4:x}",
            "vpxorq {a0:x}, {a0:x}, {t5:x}",
            "vprolq {a6:x}, {a6:x}, 44",
            "vpxorq {a24:x}, {a24:x}, {t0:x}",
            "vpxorq {a18:x}, {a18:x}, {t6:x}",
            "vprolq {a12:x}, {a12:x}, 43",
            "vprolq {a18:x}, {a18:x}, 21",
            "vmovdqa64 {t3:x}, {a6:x}",
            "vpternlogq {t3:x}, {a0:x}, {a12:x}, 0xc6",
            "vmovdqa64 {t2:x}, {a12:x}",
            "vpternlogq {t2:x}, {a6:x}, {a18:x}, 0xc6",
            "vprolq {a24:x}, {a24:x}, 14",
            "vpternlogq {a12:x}, {a18:x}, {a24:x}, 0xd2",
            "vpxorq {a3:x}, {a3:x}, {t6:x}",
            "vpxorq {a10:x}, {a10:x}, {t5:x}",
            "vprolq {a10:x}, {a10:x}, 3",
            "vpxorq {a16:x}, {a16:x}, {t4:x}",
            "vpxorq {a22:x}, {a22:x}, {t1:x}",
            "vprolq {a16:x}, {a16:x}, 45",
            "vpternlogq {a6:x}, {a24:x}, {a0:x}, 0x9c",
            "vprolq {a22:x}, {a22:x}, 61",
            "vprolq {a3:x}, {a3:x}, 28",
            "vprolq {a9:x}, {a9:x}, 20",
            "vpxorq {a19:x}, {a19:x}, {t0:x}",
            "vpternlogq {a18:x}, {a24:x}, {a0:x}, 0xd2",
            "vmovdqa64 {a24:x}, {a3:x}",
            "vpternlogq {a24:x}, {a9:x}, {a10:x}, 0xd2",
            "vmovdqa64 {a0:x}, {a22:x}",
            "vpternlogq {a0:x}, {a3:x}, {a9:x}, 0xd2",
            "vpternlogq {a9:x}, {a10:x}, {a16:x}, 0xd2",
            "vpternlogq {a10:x}, {a16:x}, {a22:x}, 0xd2",
            "vpxorq {a1:x}, {a1:x}, {t4:x}",
            "vpxorq {a7:x}, {a7:x}, {t1:x}",
            "vprolq {a7:x}, {a7:x}, 6",
            "vprolq {a1:x}, {a1:x}, 1",
            "vpxorq {a13:x}, {a13:x}, {t6:x}",
            "vprolq {a13:x}, {a13:x}, 25",
            "vpternlogq {a16:x}, {a22:x}, {a3:x}, 0xd2",
            "vprolq {a19:x}, {a19:x}, 8",
            "vpxorq {a20:x}, {a20:x}, {t5:x}",
            "vprolq {a20:x}, {a20:x}, 18",
            "vpxorq {a5:x}, {a5:x}, {t5:x}",
            "vpxorq {a17:x}, {a17:x}, {t1:x}",
            "vmovdqa64 {a22:x}, {a13:x}",
            "vpternlogq {a22:x}, {a19:x}, {a20:x}, 0xd2",
            "vmovdqa64 {a3:x}, {a19:x}",
            "vpternlogq {a3:x}, {a7:x}, {a13:x}, 0x9c",
            "vpxorq {a4:x}, {a4:x}, {t0:x}",
            "vpxorq {a2:x}, {a2:x}, {t1:x}",
            "vprolq {a4:x}, {a4:x}, 27",
            "vpxorq {a11:x}, {a11:x}, {t4:x}",
            "vprolq {a2:x}, {a2:x}, 62",
            "vprolq {a5:x}, {a5:x}, 36",
            "vprolq {a11:x}, {a11:x}, 10",
            "vpternlogq {a19:x}, {a20:x}, {a1:x}, 0xd2",
            "vpternlogq {a13:x}, {a1:x}, {a7:x}, 0x9c",
            "vprolq {a17:x}, {a17:x}, 15",
            "vpxorq {a23:x}, {a23:x}, {t6:x}",
            "vpxorq {t3:x}, {t3:x}, qword ptr [{rc}]{{1to2}}",
            "vprolq {a23:x}, {a23:x}, 56",
            "vmovdqa64 {t1:x}, {a11:x}",
            "vpternlogq {t1:x}, {a4:x}, {a5:x}, 0x9c",
            "vpxorq {a8:x}, {a8:x}, {t6:x}",
            "vpternlogq {a20:x}, {a1:x}, {a7:x}, 0xd2",
            "vpxorq {a15:x}, {a15:x}, {t5:x}",
            "vpxorq {a21:x}, {a21:x}, {t4:x}",
            "vmovdqa64 {t6:x}, {a17:x}",
            "vpternlogq {t6:x}, {a11:x}, {a23:x}, 0xc6",
            "vmovdqa64 {a1:x}, {a23:x}",
            "vpternlogq {a1:x}, {a4:x}, {a5:x}, 0xd2",
            "vprolq {a8:x}, {a8:x}, 55",
            "vpxorq {a14:x}, {a14:x}, {t0:x}",
            "vpternlogq {a23:x}, {a17:x}, {a4:x}, 0xc6",
            "vpternlogq {a5:x}, {a11:x}, {a17:x}, 0xd2",
            "vprolq {a21:x}, {a21:x}, 2",
            "vprolq {a15:x}, {a15:x}, 41",
            "vprolq {a14:x}, {a14:x}, 39",
            "vmovdqa64 {a7:x}, {a14:x}",
            "vpternlogq {a7:x}, {a15:x}, {a21:x}, 0xd2",
            "vmovdqa64 {t5:x}, {a14:x}",
            "vpternlogq {t5:x}, {a2:x}, {a8:x}, 0x9c",
            "vpternlogq {a14:x}, {a8:x}, {a15:x}, 0xc6",
            "vpternlogq {a15:x}, {a21:x}, {a2:x}, 0xd2",
            "vpternlogq {a21:x}, {a2:x}, {a8:x}, 0xd2",
            a0 = inout(zmm_reg) $s[0].register() => out[9], a1 = inout(zmm_reg) $s[1].register() => out[19],
            a2 = inout(zmm_reg) $s[2].register() => _, a3 = inout(zmm_reg) $s[3].register() => out[11],
            a4 = inout(zmm_reg) $s[4].register() => _, a5 = inout(zmm_reg) $s[5].register() => out[16],
            a6 = inout(zmm_reg) $s[6].register() => out[4], a7 = inout(zmm_reg) $s[7].register() => out[22],
            a8 = inout(zmm_reg) $s[8].register() => _, a9 = inout(zmm_reg) $s[9].register() => out[6],
            a10 = inout(zmm_reg) $s[10].register() => out[7], a11 = inout(zmm_reg) $s[11].register() => _,
            a12 = inout(zmm_reg) $s[12].register() => out[2], a13 = inout(zmm_reg) $s[13].register() => out[10],
            a14 = inout(zmm_reg) $s[14].register() => out[21], a15 = inout(zmm_reg) $s[15].register() => out[23],
            a16 = inout(zmm_reg) $s[16].register() => out[8], a17 = inout(zmm_reg) $s[17].register() => _,
            a18 = inout(zmm_reg) $s[18].register() => out[3], a19 = inout(zmm_reg) $s[19].register() => out[13],
            a20 = inout(zmm_reg) $s[20].register() => out[14], a21 = inout(zmm_reg) $s[21].register() => out[24],
            a22 = inout(zmm_reg) $s[22].register() => out[12], a23 = inout(zmm_reg) $s[23].register() => out[18],
            a24 = inout(zmm_reg) $s[24].register() => out[5], t0 = out(zmm_reg) _,
            t1 = out(zmm_reg) out[15], t2 = out(zmm_reg) out[1],
            t3 = out(zmm_reg) out[0], t4 = out(zmm_reg) _,
            t5 = out(zmm_reg) out[20], t6 = out(zmm_reg) out[17],
            rc = in(reg) &raw const $rc,
            options(pure, readonly, nostack, preserves_flags)
        );
        for (s, out) in $s.iter_mut().zip(out) {
            *s = Avx512x1::of(out);
        }
    }};
}

/// Computes the last ROUNDS of the 24 rounds.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
unsafe fn permuted<const ROUNDS: usize>(mut s: [Avx512x1; 25]) -> [Avx512x1; 25] {
    for rc in RC[24 - ROUNDS..].as_chunks::<2>().0 {
        // SAFETY: the attribute enables every instruction used. The assembly uses its registers and reads one constant.
        unsafe {
            round!(s, rc[0]);
            round!(s, rc[1]);
        }
    }
    s
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn permute<const ROUNDS: usize>(a: &mut [u64; 25]) {
    // SAFETY: the attribute enables every instruction of the vectors, each of which contains one word.
    unsafe { store(permuted::<ROUNDS>(load(a)), a) }
}

/// # Safety
/// The same as for [`permute`].
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(a: &mut [u64; 25], data: &[u8], block: Block) {
    // SAFETY: the attribute enables every instruction of the vectors. Each load reads the eight bytes of a word.
    unsafe {
        let mut s = load(a);
        for bytes in data.chunks_exact(block.rate) {
            let words = bytes.as_chunks::<8>().0;
            soft::xor_block(&mut s, block.rate, |i| Avx512x1::load(words[i].as_ptr().cast()).decode_le());
            s = permuted::<ROUNDS>(s);
        }
        store(s, a);
    }
}

/// Loads the state.
///
/// # Safety
/// The same as for [`permute`].
#[inline(always)]
unsafe fn load(a: &[u64; 25]) -> [Avx512x1; 25] {
    // SAFETY: the caller guarantees the instructions. Each load reads one word.
    unsafe {
        let mut s = [Avx512x1::splat(0); 25];
        for (s, a) in s.iter_mut().zip(a) {
            *s = Avx512x1::load(a);
        }
        s
    }
}

/// Stores the state.
///
/// # Safety
/// The same as for [`permute`].
#[inline(always)]
unsafe fn store(s: [Avx512x1; 25], a: &mut [u64; 25]) {
    for (s, a) in s.into_iter().zip(a) {
        // SAFETY: the caller guarantees the instructions. The store writes one word.
        unsafe { s.store(a) };
    }
}
