//! Keccak-p\[1600\] with AVX-512, one state in five 512-bit registers. There are few instructions, but each one waits
//! for the previous one. This kernel is the fastest on CPUs that move words within a register in three cycles (Intel).
//! It is slow on CPUs that take longer for such a move, such as Zen 4, which uses `x86_avx512_one.rs`.
//!
//! # Lines
//!
//! The 25 words are the points (x, y) of a plane over the integers modulo 5. Each register contains a *line*: register
//! b contains the five points y = slope · x + b.
//!
//! θ adds up the registers while each of them has its words in the order of x, so that the words of a column are at the
//! same position. χ combines the registers while each of them has its words in the order of y, so that the words of a
//! row are at the same position. Between these orders, words move within registers, which takes one instruction per
//! line.
//!
//! π maps lines to lines. Lines of any slope except 0 become lines of slope 2 / slope + 3. Starting at slope 3, the
//! slopes are 2, 4, 1, and then 0. Lines of slope 0 are rows, which χ could not combine. So three rounds form a unit.
//! In the last of them, words also move between registers: position p takes the word of the register 3p further on,
//! which turns lines of slope 1 into lines of slope 3.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA3-256 | 30 operations per round, 15 more in every third, 24 rounds for 136 bytes | 3.09 | 7.45 | 3.09 | 4.85, D |
//!
//! On the Xeon, a round is also limited by a chain of 15 cycles. Three times in a round, this chain waits until a step
//! has been done for all five lines, one after the other.
//!
//! On Xeon D, a round takes 27.7 cycles in the order of the description above, 26.6 in this order (the best of about
//! ten thousand that were measured there), and 29 in the compiler's order.
#![allow(unsafe_code)]

use super::soft::{RC, RHO, for_each_of_five};
use crate::families::sponge::{Block, ByteOrder};
use core::arch::asm;
use core::arch::x86_64::{
    __m512i, _mm_storel_epi64, _mm256_storeu_si256, _mm512_castsi512_si256, _mm512_extracti32x4_epi32,
    _mm512_load_si512, _mm512_loadu_si512, _mm512_mask_blend_epi64, _mm512_maskz_loadu_epi64,
    _mm512_storeu_si512, _mm512_xor_si512,
};

/// Five lines, or the five rows. Positions 5 to 7 of a register are ignored.
type State = [__m512i; 5];

/// The slopes of the lines at the start of each of three rounds. Between blocks, lines have the first slope.
const SLOPES: [usize; 3] = [3, 2, 4];

/// An operand with a value for each position of a register.
#[repr(align(64))]
struct Positions([u64; 8]);

impl Positions {
    /// Loads the operand.
    ///
    /// # Safety
    /// The CPU must have AVX-512F.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
    unsafe fn register(&self) -> __m512i {
        // SAFETY: the caller guarantees the instruction. The array has 64 bytes and is aligned to 64 bytes.
        unsafe { _mm512_load_si512(self.0.as_ptr().cast()) }
    }
}

/// Returns 1 / n modulo 5.
const fn inverse(n: usize) -> usize {
    n * n * n % 5
}

/// Returns the mask of the positions p for which `step` · p is one of two distances.
const fn far(step: usize, distances: [usize; 2]) -> u8 {
    let mut mask = 0;
    let mut p = 0;
    while p < 5 {
        let distance = step * p % 5;
        if distance == distances[0] || distance == distances[1] {
            mask |= 1 << p;
        }
        p += 1;
    }
    mask
}

/// Returns the rotation of a line in which position p takes the word of position p - by.
const fn turn(by: usize) -> Positions {
    let mut places = [0, 0, 0, 0, 0, 5, 6, 7];
    let mut p = 0;
    while p < 5 {
        places[p] = ((p + 5 - by) % 5) as u64;
        p += 1;
    }
    Positions(places)
}

/// The rotation distances of ρ for the lines of three rounds.
static OFFSETS: [[Positions; 5]; 3] = {
    const fn line(slope: usize, b: usize) -> Positions {
        let mut offsets = [0; 8];
        let mut x = 0;
        while x < 5 {
            offsets[x] = RHO[x + 5 * ((slope * x + b) % 5)] as u64;
            x += 1;
        }
        Positions(offsets)
    }
    const fn lines(slope: usize) -> [Positions; 5] {
        [line(slope, 0), line(slope, 1), line(slope, 2), line(slope, 3), line(slope, 4)]
    }
    [lines(SLOPES[0]), lines(SLOPES[1]), lines(SLOPES[2])]
};

/// Returns the permutation of positions that computes π for line b of a round. Its result is in the order for χ, in
/// which position p is row p · (slope of the next round). The third round uses the values of the first round, for other
/// lines.
const fn pi(round: usize, b: usize) -> Positions {
    let mut places = [0, 0, 0, 0, 0, 5, 6, 7];
    let mut p = 0;
    while p < 5 {
        // The row is 2x + 3y, and y = slope · x + b.
        let (row, slope) = (SLOPES[(round + 1) % 3] * p, SLOPES[round]);
        places[p] = ((row + 2 * b) * inverse(2 + 3 * slope) % 5) as u64;
        p += 1;
    }
    Positions(places)
}

/// Moves words between registers: position p of each register takes the word of the register `STEP` · p further on.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
unsafe fn sheared<const STEP: usize>(a: State) -> State {
    let (mut by_1, mut by_4, mut out) = (a, a, a);
    // A distance of 3 is a distance of 1 and then of 2.
    for_each_of_five!(K { by_1[K] = _mm512_mask_blend_epi64(const { far(STEP, [1, 3]) }, a[K], a[(K + 1) % 5]); });
    for_each_of_five!(K { by_4[K] = _mm512_mask_blend_epi64(const { far(STEP, [4, 4]) }, by_1[K], a[(K + 4) % 5]); });
    for_each_of_five!(K { out[K] = _mm512_mask_blend_epi64(const { far(STEP, [2, 3]) }, by_4[K], by_1[(K + 2) % 5]); });
    out
}

/// Computes rounds (FIPS 202 section 3.2) with these constants, three in each iteration of the loop: the sums of θ and
/// their two rotations; θ, ρ and π on each line; in the third round, the move between registers; χ; ι, on line 0; and
/// rotations into the order of x.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL. `rc` must not be empty.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
unsafe fn rounds(mut a: State, rc: &[[u64; 3]]) -> State {
    // These outputs are not used. Their type is declared because the compiler uses a wrong register name for an output
    // without a type.
    let [_no1, _no2, _no3, _no4, _no5]: State;
    // SAFETY: the attribute enables every instruction used. The assembly uses its registers and reads constants: the
    // round constants, of which there is at least one group, and fifteen vectors, which are aligned to 64 bytes.
    unsafe {
        asm!(
                "2:",
                "vmovdqa64 {r5}, {r0}",
                "vpternlogq {r5}, {r1}, {r2}, 0x96",
                "vpternlogq {r5}, {r3}, {r4}, 0x96",
                "vprolq {r6}, {r5}, 1",
                "vpermq {r5}, {turn1}, {r5}",
                "vpermq {r6}, {turn4}, {r6}",
                "vpternlogq {r0}, {r5}, {r6}, 0x96",
                "vpternlogq {r1}, {r5}, {r6}, 0x96",
                "vpternlogq {r2}, {r5}, {r6}, 0x96",
                "vpternlogq {r3}, {r5}, {r6}, 0x96",
                "vprolvq {r2}, {r2}, zmmword ptr [{rho} + 128]",
                "vprolvq {r3}, {r3}, zmmword ptr [{rho} + 192]",
                "vprolvq {r0}, {r0}, zmmword ptr [{rho} + 0]",
                "vpermq {r3}, {pi3}, {r3}",
                "vpermq {r0}, {pi0}, {r0}",
                "vpermq {r2}, {pi2}, {r2}",
                "vprolvq {r1}, {r1}, zmmword ptr [{rho} + 64]",
                "vpermq {r1}, {pi1}, {r1}",
                "vpternlogq {r4}, {r5}, {r6}, 0x96",
                "vprolvq {r4}, {r4}, zmmword ptr [{rho} + 256]",
                "vpermq {r4}, {pi4}, {r4}",
                "vmovdqa64 {r6}, {r0}",
                "vpternlogq {r6}, {r3}, {r1}, 0xd2",
                "vmovdqa64 {r5}, {r1}",
                "vpternlogq {r5}, {r4}, {r2}, 0xd2",
                "vpermq {r5}, {turn2}, {r5}",
                "vpternlogq {r1}, {r3}, {r4}, 0xc6",
                "vpternlogq {r3}, {r2}, {r0}, 0x9c",
                "vpternlogq {r4}, {r2}, {r0}, 0xd2",
                "vpermq {r3}, {turn4}, {r3}",
                "vpxorq {r6}{{{first}}}, {r6}, qword ptr [{rc} + 0]{{1to8}}",
                "vmovdqa64 {r0}, {r6}",
                "vpternlogq {r0}, {r5}, {r3}, 0x96",
                "vpermq {r4}, {turn3}, {r4}",
                "vpermq {r1}, {turn1}, {r1}",
                "vpternlogq {r0}, {r1}, {r4}, 0x96",
                "vprolq {r2}, {r0}, 1",
                "vpermq {r2}, {turn4}, {r2}",
                "vpermq {r0}, {turn1}, {r0}",
                "vpternlogq {r5}, {r0}, {r2}, 0x96",
                "vpternlogq {r6}, {r0}, {r2}, 0x96",
                "vpternlogq {r1}, {r0}, {r2}, 0x96",
                "vpternlogq {r3}, {r0}, {r2}, 0x96",
                "vprolvq {r3}, {r3}, zmmword ptr [{rho} + 448]",
                "vprolvq {r6}, {r6}, zmmword ptr [{rho} + 320]",
                "vprolvq {r5}, {r5}, zmmword ptr [{rho} + 384]",
                "vpermq {r5}, {pi6}, {r5}",
                "vpermq {r6}, {pi5}, {r6}",
                "vpternlogq {r4}, {r0}, {r2}, 0x96",
                "vpermq {r3}, {pi7}, {r3}",
                "vprolvq {r4}, {r4}, zmmword ptr [{rho} + 576]",
                "vpermq {r4}, {pi9}, {r4}",
                "vprolvq {r1}, {r1}, zmmword ptr [{rho} + 512]",
                "vpermq {r1}, {pi8}, {r1}",
                "vmovdqa64 {r2}, {r1}",
                "vpternlogq {r2}, {r3}, {r5}, 0xd2",
                "vmovdqa64 {r0}, {r4}",
                "vpternlogq {r0}, {r1}, {r3}, 0xd2",
                "vpermq {r0}, {turn1}, {r0}",
                "vpermq {r2}, {turn2}, {r2}",
                "vpternlogq {r1}, {r6}, {r4}, 0x9c",
                "vpternlogq {r4}, {r5}, {r6}, 0x9c",
                "vpermq {r4}, {turn4}, {r4}",
                "vpternlogq {r3}, {r5}, {r6}, 0xd2",
                "vpxorq {r1}{{{first}}}, {r1}, qword ptr [{rc} + 8]{{1to8}}",
                "vmovdqa64 {r6}, {r1}",
                "vpternlogq {r6}, {r0}, {r2}, 0x96",
                "vpermq {r3}, {turn3}, {r3}",
                "vpternlogq {r6}, {r3}, {r4}, 0x96",
                "vprolq {r5}, {r6}, 1",
                "vpermq {r6}, {turn1}, {r6}",
                "vpermq {r5}, {turn4}, {r5}",
                "vpternlogq {r3}, {r6}, {r5}, 0x96",
                "vprolvq {r3}, {r3}, zmmword ptr [{rho} + 832]",
                "vpternlogq {r0}, {r6}, {r5}, 0x96",
                "vpternlogq {r1}, {r6}, {r5}, 0x96",
                "vprolvq {r1}, {r1}, zmmword ptr [{rho} + 640]",
                "vprolvq {r0}, {r0}, zmmword ptr [{rho} + 704]",
                "vpermq {r0}, {pi4}, {r0}",
                "vpternlogq {r2}, {r6}, {r5}, 0x96",
                "vprolvq {r2}, {r2}, zmmword ptr [{rho} + 768]",
                "vpermq {r2}, {pi3}, {r2}",
                "vpermq {r1}, {pi0}, {r1}",
                "vpermq {r3}, {pi2}, {r3}",
                "vpternlogq {r4}, {r6}, {r5}, 0x96",
                "vpblendmq {r5}{{{by_1}}}, {r1}, {r2}",
                "vprolvq {r4}, {r4}, zmmword ptr [{rho} + 896]",
                "vpblendmq {r6}{{{by_4}}}, {r5}, {r3}",
                "vpermq {r4}, {pi1}, {r4}",
                "vpblendmq {r7}{{{by_1}}}, {r4}, {r0}",
                "vpblendmq {r8}{{{by_1}}}, {r2}, {r4}",
                "vpblendmq {r2}{{{by_4}}}, {r7}, {r2}",
                "vpblendmq {r9}{{{by_1}}}, {r0}, {r3}",
                "vpblendmq {r3}{{{by_1}}}, {r3}, {r1}",
                "vpblendmq {r1}{{{by_4}}}, {r8}, {r1}",
                "vpblendmq {r0}{{{by_4}}}, {r3}, {r0}",
                "vpblendmq {r4}{{{by_4}}}, {r9}, {r4}",
                "vpblendmq {r6}{{{by_2}}}, {r6}, {r7}",
                "vpblendmq {r4}{{{by_2}}}, {r4}, {r5}",
                "vpblendmq {r1}{{{by_2}}}, {r1}, {r9}",
                "vpblendmq {r2}{{{by_2}}}, {r2}, {r3}",
                "vmovdqa64 {r3}, {r1}",
                "vpternlogq {r3}, {r2}, {r4}, 0xd2",
                "vpblendmq {r0}{{{by_2}}}, {r0}, {r8}",
                "vpermq {r3}, {turn1}, {r3}",
                "vmovdqa64 {r8}, {r6}",
                "vpternlogq {r8}, {r1}, {r2}, 0xd2",
                "vpternlogq {r1}, {r0}, {r6}, 0x9c",
                "vpternlogq {r6}, {r4}, {r0}, 0x9c",
                "vpternlogq {r2}, {r4}, {r0}, 0xd2",
                "vpxorq {r8}{{{first}}}, {r8}, qword ptr [{rc} + 16]{{1to8}}",
                "vpermq {r6}, {turn3}, {r6}",
                "vpermq {r2}, {turn2}, {r2}",
                "vpermq {r1}, {turn4}, {r1}",
                "vmovdqa64 {r4}, {r2}",
                "vmovdqa64 {r2}, {r3}",
                "vmovdqa64 {r3}, {r1}",
                "vmovdqa64 {r1}, {r6}",
                "vmovdqa64 {r0}, {r8}",
                "add {rc}, 24",
                "cmp {rc}, {end}",
                "jne 2b",
                r0 = inout(zmm_reg) a[0], r1 = inout(zmm_reg) a[1], r2 = inout(zmm_reg) a[2], r3 = inout(zmm_reg) a[3],
                r4 = inout(zmm_reg) a[4], r5 = out(zmm_reg) _no1, r6 = out(zmm_reg) _no2, r7 = out(zmm_reg) _no3,
                r8 = out(zmm_reg) _no4, r9 = out(zmm_reg) _no5,
                turn1 = in(zmm_reg) const { &turn(1) }.register(), turn2 = in(zmm_reg) const { &turn(2) }.register(),
                turn3 = in(zmm_reg) const { &turn(3) }.register(), turn4 = in(zmm_reg) const { &turn(4) }.register(),
                pi0 = in(zmm_reg) const { &pi(0, 0) }.register(), pi1 = in(zmm_reg) const { &pi(0, 1) }.register(),
                pi2 = in(zmm_reg) const { &pi(0, 2) }.register(), pi3 = in(zmm_reg) const { &pi(0, 3) }.register(),
                pi4 = in(zmm_reg) const { &pi(0, 4) }.register(), pi5 = in(zmm_reg) const { &pi(1, 0) }.register(),
                pi6 = in(zmm_reg) const { &pi(1, 1) }.register(), pi7 = in(zmm_reg) const { &pi(1, 2) }.register(),
                pi8 = in(zmm_reg) const { &pi(1, 3) }.register(), pi9 = in(zmm_reg) const { &pi(1, 4) }.register(),
                by_1 = in(kreg) const { far(3, [1, 3]) }, by_4 = in(kreg) const { far(3, [4, 4]) },
                by_2 = in(kreg) const { far(3, [2, 3]) }, first = in(kreg) 1_u8,
                rho = in(reg) OFFSETS.as_ptr(), rc = inout(reg) rc.as_ptr_range().start => _, end = in(reg) rc.as_ptr_range().end,
                options(pure, readonly, nostack)
        );
    }
    a
}

/// # Safety
/// The CPU must have AVX-512F, BW and VL.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn permute<const ROUNDS: usize>(a: &mut [u64; 25]) {
    // The permutation absorbs zeros, which do not change the state. So `absorb` is the only caller of `rounds`, which
    // is inlined there and keeps the state in registers.
    // SAFETY: both functions require the same instructions.
    unsafe { absorb::<ROUNDS>(a, &[0; 200], Block { rate: 200, order: ByteOrder::Little }) }
}

/// # Safety
/// The same as for [`permute`].
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(a: &mut [u64; 25], data: &[u8], block: Block) {
    // SAFETY: the attribute enables every instruction used. In each row, only the words that belong to the block are
    // read.
    unsafe {
        let mut s = load(a);
        let mut words = [0; 5];
        for_each_of_five!(Y { words[Y] = (1u8 << (block.rate / 8).saturating_sub(5 * Y).min(5)) - 1; });
        for bytes in data.chunks_exact(block.rate) {
            let mut rows = s;
            for_each_of_five!(Y {
                rows[Y] = _mm512_maskz_loadu_epi64(words[Y], bytes.as_ptr().wrapping_add(40 * Y).cast());
            });
            let lines = sheared::<{ SLOPES[0] }>(rows);
            for_each_of_five!(K { s[K] = _mm512_xor_si512(s[K], lines[K]); });
            s = rounds(s, RC[24 - ROUNDS..].as_chunks().0);
        }
        store(s, a);
    }
}

/// Returns the lines of the state.
///
/// # Safety
/// The same as for [`permute`].
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
unsafe fn load(a: &[u64; 25]) -> State {
    // SAFETY: the attribute enables every instruction used. Row 3 starts at byte 120 of 200, so its 64 bytes are inside
    // the state. For the last row, only its own words are read.
    unsafe {
        let mut rows = [_mm512_maskz_loadu_epi64(0x1f, a[20..].as_ptr().cast()); 5];
        for_each_of_five!(Y {
            if Y < 4 {
                rows[Y] = _mm512_loadu_si512(a[5 * Y..].as_ptr().cast());
            }
        });
        sheared::<{ SLOPES[0] }>(rows)
    }
}

/// Writes the lines to the state.
///
/// # Safety
/// The same as for [`permute`].
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2")]
unsafe fn store(s: State, a: &mut [u64; 25]) {
    // SAFETY: the attribute enables every instruction used. For each of the first four rows, eight words are written,
    // and the next row overwrites the last three of them. For the last row, 32 bytes and 8 bytes are written.
    unsafe {
        let rows = sheared::<{ 5 - SLOPES[0] }>(s);
        for_each_of_five!(Y {
            if Y < 4 {
                _mm512_storeu_si512(a[5 * Y..].as_mut_ptr().cast(), rows[Y]);
            }
        });
        _mm256_storeu_si256(a[20..24].as_mut_ptr().cast(), _mm512_castsi512_si256(rows[4]));
        _mm_storel_epi64((&raw mut a[24]).cast(), _mm512_extracti32x4_epi32::<2>(rows[4]));
    }
}
