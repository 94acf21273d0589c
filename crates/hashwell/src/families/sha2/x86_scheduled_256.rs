//! One SHA-256 message without SHA instructions, as in `x86_scheduled.rs`. Two blocks of the message share a schedule.
//!
//! A 256-bit vector contains four words of each block, so two schedules take as many instructions as one. They are
//! computed between the rounds of the first block. The rounds of the second block use the finished schedule.
//!
//! The schedule is in the stack frame of the caller, and the rounds get a pointer to it. If it were in their own frame,
//! a tool that follows the machine code, such as `tools/scan_kernels.py`, could not distinguish its words, whose
//! addresses depend on a loop counter, from the pointers that are spilled next to them.
//!
//! On an Intel Xeon (family 6, model 85), 16 KiB take 6.9 cycles per byte with AVX-512VL, 7.1 with AVX2 and 9.0 with
//! SSSE3. If one block is hashed at a time, and four words of the schedule are computed between two rounds, they take
//! 8.1, 9.0 and 9.7. A round takes 24 instructions. Four words of the schedule take 23 instructions with AVX-512VL and
//! 32 with AVX2, for two blocks as for one. At four instructions per cycle, this is 6.5 and 6.8 cycles per byte.
//!
//! These figures are from before two instructions of a round were swapped for Zen 4 (`x86_scheduled.rs`). On Zen 4, 64
//! KiB now take 6.16 cycles per byte with AVX-512VL and 6.21 with AVX2. Before the swap, they took 6.49 and 6.52.
//! SHA256-90R takes 8.76 and took 9.16 before.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA-256, `avx512` | 64 rounds of 24 instructions, and half a schedule of 276 | 5.50 | 6.16 | 6.5 | 6.9, B |
//! | SHA-256, `avx2` | the same, of 384 | 5.50 | 6.21 | 6.8 | 7.1, B |
//! | SHA-256, `ssse3` | two more copies per round, and a schedule for each block | 5.50 | 8.20 | – | 9.0, B |
//!
//! Zen 4 computes the schedule in other units, and renames copies.
#![allow(unsafe_code)]

use super::constants::K256;
use super::x86_fours::{Fours, One, Two};
use super::x86_scheduled::scalar_round;
use core::arch::x86_64::{__m128i, __m256i};
use core::mem::MaybeUninit;

/// The sums of words and constants: four of each block, then the next four. The alignment keeps stores from crossing
/// cache lines.
#[repr(align(32))]
struct Schedule<const BLOCKS: usize, const FOURS: usize>([[[u32; 4]; BLOCKS]; FOURS]);

/// Sixteen words of one block at a time. A word is overwritten only after its round.
type OfOne = Schedule<1, 4>;

/// All words of two blocks, for up to the 90 rounds of SHA256-90R.
type OfTwo = Schedule<2, { K256.len() / 4 }>;

/// Defines the chain kernel of an instruction set with 256-bit vectors, and its two parts: pairs of blocks, and the
/// last single block. The parts are not inlined, so that the frame with the schedule contains no rounds, and therefore
/// no pointers that they spill.
macro_rules! chain {
    ($(#[$needs:meta])* $chain:ident = $pairs:ident, $alone:ident; $features:literal, VL = $vl:literal) => {
        $(#[$needs])*
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $chain<const ROUNDS: usize>(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
            let (pairs, last) = blocks.as_chunks();
            // SAFETY: this function enables the required features, and a schedule may be all zeros.
            unsafe {
                if !pairs.is_empty() {
                    let mut schedule = MaybeUninit::uninit();
                    $pairs::<ROUNDS>(state, pairs, &mut schedule);
                    overwrite::<__m256i, OfTwo>(&mut schedule);
                }
                if !last.is_empty() {
                    $alone::<ROUNDS>(state, last);
                }
            }
        }

        $(#[$needs])*
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn $pairs<const ROUNDS: usize>(
            state: &mut [u32; 8],
            pairs: &[[[u8; 64]; 2]],
            schedule: &mut MaybeUninit<OfTwo>,
        ) {
            // SAFETY: this function enables the required features.
            unsafe { compress_256::<Two<$vl>, 2, _, true, ROUNDS>(state, pairs, schedule) }
        }

        $(#[$needs])*
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn $alone<const ROUNDS: usize>(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
            // SAFETY: this function enables the required features.
            unsafe { one_by_one::<$vl, true, ROUNDS>(state, blocks) }
        }
    };
}

chain! {
    /// # Safety
    /// The CPU must have AVX2, BMI1, BMI2, AVX-512F and VL.
    compress_256_vl = in_pairs_vl, alone_vl; "avx512f,avx512vl,avx2,bmi1,bmi2", VL = true
}

chain! {
    /// # Safety
    /// The CPU must have AVX2, BMI1 and BMI2.
    compress_256_avx2 = in_pairs_avx2, alone_avx2; "avx2,bmi1,bmi2", VL = false
}

/// The kernel for CPUs without AVX2 and BMI2.
///
/// # Safety
/// The CPU must have SSSE3.
#[target_feature(enable = "ssse3")]
pub(super) unsafe fn compress_256_ssse3<const ROUNDS: usize>(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    // SAFETY: this function enables the required features.
    unsafe { one_by_one::<false, false, ROUNDS>(state, blocks) }
}

/// # Safety
/// The CPU must have SSSE3, for `BMI2` BMI2, and for `VL` AVX-512F and VL.
#[inline(always)]
unsafe fn one_by_one<const VL: bool, const BMI2: bool, const ROUNDS: usize>(
    state: &mut [u32; 8],
    blocks: &[[u8; 64]],
) {
    let mut schedule = MaybeUninit::uninit();
    // SAFETY: the caller guarantees the features, and a schedule may be all zeros.
    unsafe {
        compress_256::<One<VL>, 1, _, BMI2, ROUNDS>(state, blocks.as_chunks().0, &mut schedule);
        overwrite::<__m128i, OfOne>(&mut schedule);
    }
}

/// Overwrites a schedule with zero vectors of type `V`. A schedule minus its constants is a block, which may contain a
/// key.
///
/// # Safety
/// `V` may be all zeros, and the schedule must be an array of `V`.
#[inline(always)]
unsafe fn overwrite<V, T>(schedule: &mut MaybeUninit<T>) {
    const { assert!(size_of::<T>().is_multiple_of(size_of::<V>()) && align_of::<T>() >= align_of::<V>()) };
    for i in 0..size_of::<T>() / size_of::<V>() {
        // SAFETY: the caller guarantees both conditions. The assertion checks size and alignment.
        unsafe { schedule.as_mut_ptr().cast::<V>().add(i).write_volatile(core::mem::zeroed()) };
    }
}

/// Computes the schedule of `BLOCKS` blocks at once, between the rounds of the first block. The rounds of the other
/// blocks use the finished schedule.
///
/// # Safety
/// The CPU must have the instructions that `V` requires, and BMI2 if `BMI2` is true.
#[inline(always)]
unsafe fn compress_256<V, const BLOCKS: usize, const FOURS: usize, const BMI2: bool, const ROUNDS: usize>(
    state: &mut [u32; 8],
    groups: &[[[u8; 64]; BLOCKS]],
    schedule: &mut MaybeUninit<Schedule<BLOCKS, FOURS>>,
) where
    V: Fours<BLOCKS>,
{
    let all = const {
        assert!(ROUNDS >= 16 && ROUNDS.next_multiple_of(16) <= K256.len());
        assert!(4 * FOURS >= ROUNDS.next_multiple_of(16) || (FOURS == 4 && BLOCKS == 1));
        FOURS > 4
    };
    let k = K256.as_chunks::<4>().0;
    // SAFETY: the caller guarantees the instructions. The assembly reads the word of a round, which the schedule has
    // written. `four` is less than a quarter of ROUNDS rounded up to a multiple of sixteen, so it is inside `k` and, if
    // `all` words are kept, inside `wk`, as asserted. Otherwise `wk` has four places, and `place` is less than four.
    unsafe {
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        let wk = (&raw mut (*schedule.as_mut_ptr()).0).cast::<[[u32; 4]; BLOCKS]>();
        for blocks in groups {
            let mut w = [V::words(blocks, 0), V::words(blocks, 1), V::words(blocks, 2), V::words(blocks, 3)];
            for (i, w) in w.iter().enumerate() {
                w.add(V::constants(&k[i])).store(wk.add(i));
            }
            let (mut t, mut x);
            macro_rules! round {
                ($rounds:ident $words:ident $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:literal) => {
                    if $i < $rounds && BMI2 {
                        scalar_round!(bmi2 ":e" ($words, 16 * BLOCKS * ($i / 4) + 4 * ($i % 4), x, $a $b $d $e $f $g $h)
                            S1 6 11 25, S0 2 13 22);
                    } else if $i < $rounds {
                        scalar_round!(plain ":e" ($words, 16 * BLOCKS * ($i / 4) + 4 * ($i % 4), x, $a $b $d $e $f $g $h)
                            S1 6 11 25, S0 2 13 22);
                    }
                };
            }
            // The words are computed in four steps with a round between them, because the rounds leave room for only a
            // few instructions at a time.
            let (mut s0, mut sum);
            macro_rules! schedule {
                ($i:literal 0) => {
                    s0 = w[$i].one_on(w[($i + 1) & 3]).sigma_0();
                };
                ($i:literal 1) => {
                    let w7 = w[($i + 2) & 3].one_on(w[($i + 3) & 3]);
                    sum = w[$i].add(s0).add(w7);
                };
                ($i:literal 2) => {
                    // W[t-2] of the upper two words are the lower two words.
                    sum = sum.add(w[($i + 3) & 3].sigma_1_of_upper());
                };
                ($i:literal 3) => {
                    w[$i] = sum.add(sum.sigma_1_of_lower());
                    let four = t / 4 + 4 + $i;
                    let place = if all { four } else { $i };
                    w[$i].add(V::constants(k.get_unchecked(four))).store(wk.add(place));
                };
            }
            macro_rules! done {
                ($i:literal $step:literal) => {};
            }
            macro_rules! sixteen {
                ($block:expr, $schedule:ident) => {
                    sixteen!($block, $schedule, 16);
                };
                ($block:expr, $schedule:ident, $rounds:expr) => {
                    let rounds = const { $rounds };
                    let words = wk.cast::<u32>().cast_const();
                    let words = if all { words.add(BLOCKS * t + 4 * $block) } else { words };
                    round!(rounds words a b c d e f g h 0);
                    $schedule!(0 0);
                    round!(rounds words h a b c d e f g 1);
                    $schedule!(0 1);
                    round!(rounds words g h a b c d e f 2);
                    $schedule!(0 2);
                    round!(rounds words f g h a b c d e 3);
                    $schedule!(0 3);
                    round!(rounds words e f g h a b c d 4);
                    $schedule!(1 0);
                    round!(rounds words d e f g h a b c 5);
                    $schedule!(1 1);
                    round!(rounds words c d e f g h a b 6);
                    $schedule!(1 2);
                    round!(rounds words b c d e f g h a 7);
                    $schedule!(1 3);
                    round!(rounds words a b c d e f g h 8);
                    $schedule!(2 0);
                    round!(rounds words h a b c d e f g 9);
                    $schedule!(2 1);
                    round!(rounds words g h a b c d e f 10);
                    $schedule!(2 2);
                    round!(rounds words f g h a b c d e 11);
                    $schedule!(2 3);
                    round!(rounds words e f g h a b c d 12);
                    $schedule!(3 0);
                    round!(rounds words d e f g h a b c 13);
                    $schedule!(3 1);
                    round!(rounds words c d e f g h a b 14);
                    $schedule!(3 2);
                    round!(rounds words b c d e f g h a 15);
                    $schedule!(3 3);
                };
            }
            let mut before = [a, b, c, d, e, f, g, h];
            let (last, whole) = const { (16 * (ROUNDS.div_ceil(16) - 1), ROUNDS / 16 * 16) };
            (t, x) = (0, b ^ c);
            while t < last {
                sixteen!(0, schedule);
                t += 16;
            }
            // The last rounds of the first block and all rounds of the second block share one piece of code. Otherwise
            // the loops would be larger than the cache of decoded instructions.
            for block in 0..BLOCKS {
                if block > 0 {
                    before = [a, b, c, d, e, f, g, h];
                    (t, x) = (0, b ^ c);
                }
                while t < whole {
                    sixteen!(block, done);
                    t += 16;
                }
                if !ROUNDS.is_multiple_of(16) {
                    sixteen!(block, done, ROUNDS % 16);
                }
                let after = [a, b, c, d, e, f, g, h];
                // SHA256-90R ends ten rounds into its sixth group of sixteen, so the names are rotated by that many
                // places.
                let late = const { (8 - ROUNDS % 8) % 8 };
                [a, b, c, d, e, f, g, h] =
                    core::array::from_fn(|i| after[(i + late) % 8].wrapping_add(before[i]));
            }
        }
        *state = [a, b, c, d, e, f, g, h];
    }
}
