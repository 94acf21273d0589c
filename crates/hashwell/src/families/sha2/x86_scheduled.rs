//! One SHA-2 message without SHA instructions. Vector instructions compute the message schedule, and scalar
//! instructions compute the rounds. They use different execution ports, so the schedule adds little time to the rounds.
//!
//! ```text
//! w = the block's sixteen words, in vectors          wk[i] = w[i] + K[i], in memory
//! (a … h) = state, in scalar registers               x = b ^ c
//! for t = 0, 16, 32, … and i = 0 … 15, while t + i is a round (FIPS 180-4 sections 6.2.2 and 6.4.2):
//!   rounds:    T1 = h + S1(e) + Ch(e, f, g) + wk[i]     Ch(e, f, g) = g ^ (e & (f ^ g))
//!              T2 = S0(a) + Maj(a, b, c)                Maj(a, b, c) = b ^ ((a ^ b) & x); the next x = a ^ b
//!              d += T1;  h = T1 + T2                    then the names rotate by one: h is a in the next round
//!   schedule:  when the rounds of a vector's words are done, for all its words at once (indices modulo 16)
//!              w[i] += s0(w[i+1]) + w[i+9] + s1(w[i+14]);  wk[i] = w[i] + K[t+16+i]
//! state += (a … h)
//! ```
//!
//! This file contains the rounds of both word sizes and all of SHA-512. `x86_scheduled_256.rs` contains SHA-256.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | SHA-512, `avx512` | 80 rounds of 24 instructions, two of them copies | 3.44 | 4.19 | 3.75 | 4.56, C |
//! | SHA-512, `avx2` | the same | 3.44 | 4.52 | 3.75 | – |
//!
//! The bounds assume four instructions per cycle. They do not include the instructions of the schedule or, on Zen 4,
//! the copies.
#![allow(unsafe_code)]

use super::constants::K512;
use core::arch::x86_64::*;

/// One round in scalar registers. Every instruction takes one cycle, but only two of the four units can rotate, so the
/// order of instructions, which keeps these units busy, is part of the algorithm. `$w` is the assembler's modifier for
/// the width of the registers. `$x` passes a ^ b to the next round, where it is b ^ c.
///
/// `bmi2` rotates into a different register. For 32-bit words, the order is the best of several thousand random orders
/// that were measured on an Intel Xeon (family 6, model 85). A round takes 6.2 cycles there, and 6.9 in the order for
/// 64-bit words. At four instructions per cycle, its 24 instructions take at least 6.0. Since then, two adjacent
/// instructions that do not depend on each other, `xor {x}, {b}` and `xor {v}, {t}`, have been swapped. On Zen 4, the
/// rounds alone take 6.1 cycles in the new order, as in the order for 64-bit words, and took 6.5 before. Zen 4 renames
/// the two copies, so its four units take at least 5.5 cycles per round. The swap was not measured on the Xeon.
/// (SHA-512 on Zen 4: 7.3 cycles per round in the compiler's order, and 6.7 in this one.) `lea` with a base other than
/// `rbp` and `r13` needs no displacement, which would make it slow.
///
/// `plain` rotates in place: S1(e) = (((e >>> r-q) ^ e) >>> q-p ^ e) >>> p.
macro_rules! scalar_round {
    (bmi2 ":e" $operands:tt S1 $p:literal $q:literal $r:literal, S0 $s:literal $t:literal $u:literal) => {
        scalar_round!(asm reg_abcd $operands
            "mov {v:e}, {f:e}", // v = Ch(e, f, g) = g ^ (e & (f ^ g)), t = S1(e)
            "xor {v:e}, {g:e}",
            "add {h:e}, [{wk} + {at}]",
            "and {v:e}, {e:e}",
            concat!("rorx {t:e}, {e:e}, ", $r),
            concat!("rorx {u:e}, {e:e}, ", $q),
            "xor {t:e}, {u:e}",
            "xor {v:e}, {g:e}",
            concat!("rorx {u:e}, {e:e}, ", $p),
            "lea {h:e}, [{v:r} + {h:r}]",
            "xor {t:e}, {u:e}",
            concat!("rorx {u:e}, {a:e}, ", $t), // v = S0(a)
            concat!("rorx {v:e}, {a:e}, ", $u),
            "xor {v:e}, {u:e}",
            "lea {h:e}, [{t:r} + {h:r}]",
            "add {d:e}, {h:e}",
            "mov {u:e}, {a:e}", // x = Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c))
            "xor {u:e}, {b:e}",
            concat!("rorx {t:e}, {a:e}, ", $s),
            "and {x:e}, {u:e}",
            "xor {x:e}, {b:e}",
            "xor {v:e}, {t:e}",
            "lea {h:e}, [{v:r} + {h:r}]",
            "lea {h:e}, [{x:r} + {h:r}]",
        )
    };
    (bmi2 "" $operands:tt S1 $p:literal $q:literal $r:literal, S0 $s:literal $t:literal $u:literal) => {
        scalar_round!(asm reg $operands
            "add {h}, [{wk} + {at}]",
            concat!("rorx {t}, {e}, ", $r), // t = S1(e), v = Ch(e, f, g) = g ^ (e & (f ^ g))
            concat!("rorx {u}, {e}, ", $q),
            "mov {v}, {f}",
            "xor {v}, {g}",
            "and {v}, {e}",
            "xor {t}, {u}",
            concat!("rorx {u}, {e}, ", $p),
            "xor {v}, {g}",
            "xor {t}, {u}",
            "add {h}, {v}",
            concat!("rorx {v}, {a}, ", $u), // v = S0(a)
            concat!("rorx {u}, {a}, ", $t),
            "add {h}, {t}",
            "xor {v}, {u}",
            concat!("rorx {t}, {a}, ", $s),
            "mov {u}, {a}", // x = Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c))
            "xor {u}, {b}",
            "add {d}, {h}",
            "and {x}, {u}",
            "xor {v}, {t}",
            "xor {x}, {b}",
            "add {h}, {v}",
            "add {h}, {x}",
        )
    };
    (plain $w:literal $operands:tt S1 $p:literal $q:literal $r:literal, S0 $s:literal $t:literal $u:literal) => {
        scalar_round!(asm reg $operands
            concat!("add {h", $w, "}, [{wk} + {at}]"),
            concat!("mov {t", $w, "}, {e", $w, "}"), // t = S1(e), v = Ch(e, f, g)
            concat!("mov {v", $w, "}, {f", $w, "}"),
            concat!("ror {t", $w, "}, ", $r, " - ", $q),
            concat!("xor {v", $w, "}, {g", $w, "}"),
            concat!("xor {t", $w, "}, {e", $w, "}"),
            concat!("and {v", $w, "}, {e", $w, "}"),
            concat!("ror {t", $w, "}, ", $q, " - ", $p),
            concat!("xor {v", $w, "}, {g", $w, "}"),
            concat!("xor {t", $w, "}, {e", $w, "}"),
            concat!("add {h", $w, "}, {v", $w, "}"),
            concat!("mov {v", $w, "}, {a", $w, "}"), // v = S0(a)
            concat!("ror {t", $w, "}, ", $p),
            concat!("ror {v", $w, "}, ", $u, " - ", $t),
            concat!("add {h", $w, "}, {t", $w, "}"),
            concat!("xor {v", $w, "}, {a", $w, "}"),
            concat!("mov {u", $w, "}, {a", $w, "}"), // x = Maj(a, b, c)
            concat!("ror {v", $w, "}, ", $t, " - ", $s),
            concat!("xor {u", $w, "}, {b", $w, "}"),
            concat!("xor {v", $w, "}, {a", $w, "}"),
            concat!("add {d", $w, "}, {h", $w, "}"),
            concat!("and {x", $w, "}, {u", $w, "}"),
            concat!("ror {v", $w, "}, ", $s),
            concat!("xor {x", $w, "}, {b", $w, "}"),
            concat!("add {h", $w, "}, {v", $w, "}"),
            concat!("add {h", $w, "}, {x", $w, "}"),
        )
    };
    (asm $class:ident ($wk:ident, $at:expr, $x:ident, $a:ident $b:ident $d:ident $e:ident $f:ident $g:ident $h:ident)
     $($line:expr,)*) => {
        core::arch::asm!(
            $($line,)*
            wk = in(reg) $wk, at = const $at,
            a = in(reg) $a, b = in(reg) $b, d = inout(reg) $d, e = in(reg) $e, f = in(reg) $f, g = in(reg) $g,
            h = inout(reg) $h, x = inout($class) $x => _, t = out($class) _, v = out($class) _,
            u = out($class) $x,
            options(nostack, readonly)
        )
    };
}

pub(super) use scalar_round;

/// Rotates 64-bit words to the right. This is one instruction with AVX-512VL.
///
/// # Safety
/// The CPU must have SSE2, and for `VL` AVX-512F and VL.
#[inline(always)]
unsafe fn rotate_64<const VL: bool, const BITS: i64>(x: __m128i) -> __m128i {
    // SAFETY: the instructions use only registers, and the caller guarantees that the CPU has them.
    unsafe {
        if VL {
            return _mm_rorv_epi64(x, _mm_set1_epi64x(BITS));
        }
        let (right, left) = (_mm_cvtsi32_si128(BITS as i32), _mm_cvtsi32_si128(64 - BITS as i32));
        _mm_xor_si128(_mm_srl_epi64(x, right), _mm_sll_epi64(x, left))
    }
}

/// # Safety
/// The same as for [`rotate_64`].
#[inline(always)]
unsafe fn xor3<const VL: bool>(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    // SAFETY: the instructions use only registers, and the caller guarantees that the CPU has them.
    unsafe {
        if VL { _mm_ternarylogic_epi64::<0x96>(a, b, c) } else { _mm_xor_si128(_mm_xor_si128(a, b), c) }
    }
}

/// # Safety
/// The CPU must have AVX2, BMI1, BMI2, AVX-512F and VL.
#[target_feature(enable = "avx512f,avx512vl,avx2,bmi1,bmi2")]
pub(super) unsafe fn compress_512_vl(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // SAFETY: this function enables the required features.
    unsafe { compress_512::<true>(state, blocks) }
}

/// # Safety
/// The CPU must have AVX2, BMI1 and BMI2.
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) unsafe fn compress_512_avx2(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // SAFETY: this function enables the required features.
    unsafe { compress_512::<false>(state, blocks) }
}

/// # Safety
/// The CPU must have AVX2, BMI1 and BMI2, and for `VL` AVX-512F and VL.
#[inline(always)]
unsafe fn compress_512<const VL: bool>(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // SAFETY: the caller guarantees the instructions. Loads and stores access 16 bytes inside a block, inside `wk`, and
    // inside K512, where `t + 16 + 2i` is less than 80. The assembly only reads `wk`.
    unsafe {
        // Swaps the bytes of each 64-bit word.
        let big_endian = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for block in blocks {
            let before = [a, b, c, d, e, f, g, h];
            let mut w = [_mm_setzero_si128(); 8];
            let mut wk = [0_u64; 16];
            macro_rules! store {
                ($i:literal, $t:expr) => {
                    let k = _mm_loadu_si128(K512.as_ptr().add($t + 2 * $i).cast());
                    _mm_storeu_si128(wk.as_mut_ptr().add(2 * $i).cast(), _mm_add_epi64(w[$i], k));
                };
            }
            macro_rules! load {
                ($($i:literal)*) => { $(
                    let bytes = _mm_loadu_si128(block.as_ptr().add(16 * $i).cast());
                    w[$i] = _mm_shuffle_epi8(bytes, big_endian);
                    store!($i, 0);
                )* };
            }
            load!(0 1 2 3 4 5 6 7);
            let mut x = b ^ c;
            let mut t = 0;
            macro_rules! round {
                ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:literal) => {
                    let words = wk.as_ptr();
                    scalar_round!(bmi2 "" (words, 8 * $i, x, $a $b $d $e $f $g $h) S1 14 18 41, S0 28 34 39);
                };
            }
            macro_rules! schedule {
                ($i:literal) => {
                    if t < 64 {
                        let w15 = _mm_alignr_epi8::<8>(w[($i + 1) & 7], w[$i]);
                        let w7 = _mm_alignr_epi8::<8>(w[($i + 5) & 7], w[($i + 4) & 7]);
                        let w2 = w[($i + 7) & 7];
                        let s0 = xor3::<VL>(
                            rotate_64::<VL, 1>(w15),
                            rotate_64::<VL, 8>(w15),
                            _mm_srli_epi64::<7>(w15),
                        );
                        let s1 = xor3::<VL>(
                            rotate_64::<VL, 19>(w2),
                            rotate_64::<VL, 61>(w2),
                            _mm_srli_epi64::<6>(w2),
                        );
                        w[$i] = _mm_add_epi64(_mm_add_epi64(w[$i], s0), _mm_add_epi64(w7, s1));
                        store!($i, t + 16);
                    }
                };
            }
            while t < 80 {
                round!(a b c d e f g h 0);
                round!(h a b c d e f g 1);
                schedule!(0);
                round!(g h a b c d e f 2);
                round!(f g h a b c d e 3);
                schedule!(1);
                round!(e f g h a b c d 4);
                round!(d e f g h a b c 5);
                schedule!(2);
                round!(c d e f g h a b 6);
                round!(b c d e f g h a 7);
                schedule!(3);
                round!(a b c d e f g h 8);
                round!(h a b c d e f g 9);
                schedule!(4);
                round!(g h a b c d e f 10);
                round!(f g h a b c d e 11);
                schedule!(5);
                round!(e f g h a b c d 12);
                round!(d e f g h a b c 13);
                schedule!(6);
                round!(c d e f g h a b 14);
                round!(b c d e f g h a 15);
                schedule!(7);
                t += 16;
            }
            let after = [a, b, c, d, e, f, g, h];
            [a, b, c, d, e, f, g, h] = core::array::from_fn(|i| after[i].wrapping_add(before[i]));
        }
        *state = [a, b, c, d, e, f, g, h];
    }
}
