//! Ascon-p with BMI1 and BMI2: and-not is one instruction, and a rotation leaves its source alone, so that a
//! round needs no copies.
#![allow(unsafe_code)]

use super::soft::constant;
use crate::families::sponge::Block;

/// A round in 37 instructions and no copies. (A compiler needs more: it merges the negation that [`constant`]
/// carries into both uses of x2.)
macro_rules! round {
    ($x0:ident $x1:ident $x2:ident $x3:ident $x4:ident, $rounds:ident, $i:literal) => {
        if $i + $rounds >= 16 {
            // SAFETY: no memory, and the registers named.
            unsafe {
                core::arch::asm!(
                    "xor {x2}, {constant}", // section 3.2
                    "xor {x0}, {x4}",       // section 3.3
                    "xor {x4}, {x3}",
                    "xor {x2}, {x1}",
                    "andn {t0}, {x1}, {x2}",
                    "andn {t4}, {x0}, {x1}",
                    "andn {t3}, {x4}, {x0}",
                    "andn {t1}, {x2}, {x3}",
                    "andn {t2}, {x3}, {x4}",
                    "xor {t0}, {x0}",
                    "xor {t1}, {x1}",
                    "xor {t4}, {x4}",
                    "xor {t2}, {x2}",
                    "xor {t3}, {x3}",
                    "xor {t1}, {t0}",
                    "xor {t0}, {t4}",
                    "xor {t3}, {t2}",
                    "rorx {x4}, {t4}, 7",   // section 3.4
                    "rorx {u}, {t4}, 41",
                    "rorx {x2}, {t2}, 1",
                    "xor {x4}, {t4}",
                    "rorx {t4}, {t2}, 6",
                    "xor {x4}, {u}",
                    "xor {x2}, {t2}",
                    "rorx {x0}, {t0}, 19",
                    "rorx {t2}, {t0}, 28",
                    "xor {x2}, {t4}",
                    "rorx {x1}, {t1}, 61",
                    "xor {x0}, {t0}",
                    "rorx {u}, {t1}, 39",
                    "xor {x1}, {t1}",
                    "rorx {x3}, {t3}, 10",
                    "xor {x0}, {t2}",
                    "rorx {t0}, {t3}, 17",
                    "xor {x3}, {t3}",
                    "xor {x1}, {u}",
                    "xor {x3}, {t0}",
                    constant = const constant::<$rounds>($i).cast_signed(),
                    x0 = inout(reg) $x0, x1 = inout(reg) $x1, x2 = inout(reg) $x2, x3 = inout(reg) $x3,
                    x4 = inout(reg) $x4, t0 = out(reg) _, t1 = out(reg) _, t2 = out(reg) _, t3 = out(reg) _,
                    t4 = out(reg) _, u = out(reg) _,
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
    // SAFETY: the attribute names the instructions that the permutation demands.
    *s = unsafe { permuted::<ROUNDS>(*s) };
}

/// # Safety
/// The CPU must have BMI1 and BMI2.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(s: &mut [u64; 5], data: &[u8], block: Block) {
    let mut x = *s;
    for bytes in data.as_chunks().0 {
        x[0] ^= block.order.word_of(*bytes);
        // SAFETY: the attribute names the instructions that the permutation demands.
        x = unsafe { permuted::<ROUNDS>(x) };
    }
    *s = x;
}
