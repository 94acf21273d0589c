//! Ascon-p with BMI1 and BMI2. An and-not is one instruction, and a rotation does not change its source, so a round
//! needs no copies.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | `bmi2` | 37 instructions per round, 12 rounds for 8 bytes | 13.9 | 15.5 | 13.9 | 19.8, C |
#![allow(unsafe_code)]

use super::soft::constant;
use crate::families::sponge::Block;

/// A round in 37 instructions without copies. Its results stay in the registers in which they were computed, and not in
/// the registers of the operands. (A compiler needs more instructions, because it merges the negation in [`constant`]
/// into both uses of x2.)
///
/// On four integer units, a round takes at least 9.25 cycles, and its longest chain of dependent instructions takes 8.
/// In this order of instructions, the best of several thousand that were measured, a round in a loop takes 9.8 cycles
/// (Zen 4). In the previous order, it took 10.9, and long messages took 8 % more time.
macro_rules! round {
    ($x0:ident $x1:ident $x2:ident $x3:ident $x4:ident, $rounds:ident, $i:literal) => {
        if $i + $rounds >= 16 {
            // SAFETY: the assembly accesses no memory and uses only its registers.
            unsafe {
                core::arch::asm!(
                    "xor {x2}, {constant}", // section 3.2
                    "xor {x0}, {x4}",       // section 3.3
                    "xor {x4}, {x3}",
                    "xor {x2}, {x1}",
                    "andn {t1}, {x2}, {x3}",
                    "andn {t3}, {x4}, {x0}",
                    "andn {t0}, {x1}, {x2}",
                    "andn {t4}, {x0}, {x1}",
                    "andn {t2}, {x3}, {x4}",
                    "xor {t0}, {x0}",
                    "xor {t1}, {x1}",
                    "xor {t4}, {x4}",
                    "xor {t2}, {x2}",
                    "xor {t3}, {x3}",
                    "xor {t1}, {t0}",
                    "xor {t0}, {t4}",
                    "rorx {u}, {t4}, 7",    // section 3.4, from here on mixed with the rest of section 3.3
                    "rorx {x0}, {t4}, 41",
                    "xor {t3}, {t2}",
                    "rorx {x1}, {t2}, 1",
                    "xor {x1}, {t2}",
                    "rorx {x4}, {t0}, 19",
                    "xor {t4}, {u}",
                    "xor {t4}, {x0}",
                    "rorx {t2}, {t2}, 6",
                    "rorx {x2}, {t0}, 28",
                    "xor {x1}, {t2}",
                    "rorx {x3}, {t1}, 61",
                    "rorx {u}, {t1}, 39",
                    "xor {t1}, {x3}",
                    "rorx {x0}, {t3}, 17",
                    "rorx {t2}, {t3}, 10",
                    "xor {t0}, {x4}",
                    "xor {t0}, {x2}",
                    "xor {t1}, {u}",
                    "xor {t3}, {x0}",
                    "xor {t3}, {t2}",
                    constant = const constant::<$rounds>($i).cast_signed(),
                    x0 = inout(reg) $x0 => _, x1 = inout(reg) $x1 => $x2, x2 = inout(reg) $x2 => _,
                    x3 = inout(reg) $x3 => _, x4 = inout(reg) $x4 => _, t0 = out(reg) $x0, t1 = out(reg) $x1,
                    t2 = out(reg) _, t3 = out(reg) $x3, t4 = out(reg) $x4, u = out(reg) _,
                    options(pure, nomem, nostack)
                );
            }
        }
    };
}

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[inline(always)]
unsafe fn permuted<const ROUNDS: usize>(s: [u64; 5]) -> [u64; 5] {
    let [mut x0, mut x1, mut x2, mut x3, mut x4] = s;
    macro_rules! rounds {
        ($($i:literal)*) => { $( round!(x0 x1 x2 x3 x4, ROUNDS, $i); )* };
    }
    rounds!(4 5 6 7 8 9 10 11 12 13 14 15);
    [x0, x1, !x2, x3, x4]
}

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) unsafe fn permute<const ROUNDS: usize>(s: &mut [u64; 5]) {
    // SAFETY: the attribute enables the instructions that the permutation requires.
    *s = unsafe { permuted::<ROUNDS>(*s) };
}

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(s: &mut [u64; 5], data: &[u8], block: Block) {
    let mut x = *s;
    for bytes in data.as_chunks().0 {
        x[0] ^= block.order.word_of(*bytes);
        // SAFETY: the attribute enables the instructions that the permutation requires.
        x = unsafe { permuted::<ROUNDS>(x) };
    }
    *s = x;
}
