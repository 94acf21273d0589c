//! One message of BLAKE2 with a row of the working vector in each register: 256-bit registers for BLAKE2b, 128-bit
//! registers for BLAKE2s. This file contains the code that all instruction sets share.
//!
//! ```text
//! a = v0..v3   b = v4..v7   c = v8..v11   d = v12..v15        one register each
//! each round:   G on the columns (a, b, c, d)
//!               rotate the lanes of a, c, d so that diagonals become columns; b, which is ready last, stays
//!               G again, rotate back
//! ```
//!
//! The chain of additions, xors and rotations in G determines the time. It has twelve operations per half round if a
//! rotation is one instruction. All other work is kept out of the chain: message words are added to `a` before `b` is
//! ready, and rotations of lanes have three cycles of slack. A vector of message words is made of four broadcasts from
//! memory that are merged by masks or blends. On many CPUs, only one port executes shuffles, and broadcasts from memory
//! do not use it.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | BLAKE2b `avx512` | 24 half rounds, each 23 operations and a chain of 15 cycles (Zen 4), 12 (Xeon) | 2.84 | 3.21 | 2.25 | 2.53, B |
//! | BLAKE2b `avx2` | 24 of 25; 13 (Xeon) | – | 2.98 | 2.44 | 2.77, B |
//! | BLAKE2s `avx512` | 20 of 23; 15 (Zen 4), 12 (Xeon) | 4.72 | 5.13 | 3.75 | 3.76, B |
//! | BLAKE2s `avx2` | 20 of 27; 14 (Xeon) | – | 5.45 | 4.38 | 4.54, B |

/// Hides a value from the compiler, which then knows nothing about it.
macro_rules! hidden {
    ($class:ident, $value:expr) => {{
        let mut value = $value;
        core::arch::asm!("/* {0} */", inout($class) value, options(pure, nomem, nostack, preserves_flags));
        value
    }};
}
pub(super) use hidden;

/// Rotates the lanes of BLAKE2b: lane i takes the word of lane i + 1, i + 2 or i + 3.
macro_rules! turn_b {
    ($x:ident, 1) => {
        _mm256_permute4x64_epi64::<0b00_11_10_01>($x)
    };
    ($x:ident, 2) => {
        _mm256_permute4x64_epi64::<0b01_00_11_10>($x)
    };
    ($x:ident, 3) => {
        _mm256_permute4x64_epi64::<0b10_01_00_11>($x)
    };
}
pub(super) use turn_b;

/// Rotates the lanes of BLAKE2s in the same way.
macro_rules! turn_s {
    ($x:ident, 1) => {
        _mm_shuffle_epi32::<0b00_11_10_01>($x)
    };
    ($x:ident, 2) => {
        _mm_shuffle_epi32::<0b01_00_11_10>($x)
    };
    ($x:ident, 3) => {
        _mm_shuffle_epi32::<0b10_01_00_11>($x)
    };
}
pub(super) use turn_s;

/// Defines a chain kernel. `with` contains statements before the first block, and `rotate` the rotations by R1 to R4.
/// `words!` makes a vector of the words at four places of a block. `hide` is the register class for `hidden!`. Without
/// `hidden!`, the compiler would add `b` to the message words, which would put the addition of `a` into the chain.
macro_rules! rows {
    (
        $(#[$attribute:meta])*
        fn $name:ident($word:ty, $bytes:literal) by $load:ident $store:ident $add:ident $xor:ident;
        with { $($with:tt)* }
        rotate $r1:expr, $r2:expr, $r3:expr, $r4:expr; turn $turn:ident; hide $class:ident; words $words:ident;
    ) => {
        $(#[$attribute])*
        pub(super) unsafe fn $name(h: &mut [$word; 8], blocks: &[[u8; $bytes]], counter: u128, last: Last) {
            // SAFETY: the attribute enables every instruction used. All loads and stores access four words inside
            // arrays, or one word of a block.
            unsafe {
                $($with)*
                let (r1, r2, r3, r4) = ($r1, $r2, $r3, $r4);
                let load = |words: &[$word]| $load(words[..4].as_ptr().cast());
                let initial = [load(&<$word>::INITIAL[..4]), load(&<$word>::INITIAL[4..])];
                let (mut h0, mut h1) = (load(&h[..4]), load(&h[4..]));
                let mut t = counter;
                for block in blocks {
                    t = t.wrapping_add($bytes);
                    let m = block.as_ptr().cast::<$word>();
                    let [low, high] = <$word>::counter(t);
                    let mask = |set| if set { <$word>::ONES } else { <$word>::ZERO };
                    let tweak = [low, high, mask(last != Last::No), mask(last == Last::BlockOfLastNode)];
                    let (mut a, mut b, mut c, mut d) = (h0, h1, initial[0], $xor(initial[1], load(&tweak)));
                    macro_rules! mix {
                        ($x:expr, $y:expr) => {
                            a = $add(hidden!($class, $add(a, $x)), b);
                            d = r1($xor(d, a));
                            c = $add(c, d);
                            b = r2($xor(b, c));
                            a = $add(hidden!($class, $add(a, $y)), b);
                            d = r3($xor(d, a));
                            c = $add(c, d);
                            b = r4($xor(b, c));
                        };
                    }
                    // The rounds are written without a loop, so that the indices are constants.
                    macro_rules! round {
                        ($r:literal) => {
                            if $r < <$word>::ROUNDS {
                                let s = const { &SIGMA[$r % 10] };
                                mix!($words!(m, s[0], s[2], s[4], s[6]), $words!(m, s[1], s[3], s[5], s[7]));
                                a = $turn!(a, 3);
                                d = $turn!(d, 2);
                                c = $turn!(c, 1);
                                // The lanes of `a` are rotated by one, so the first diagonal is in column 1.
                                mix!($words!(m, s[14], s[8], s[10], s[12]), $words!(m, s[15], s[9], s[11], s[13]));
                                a = $turn!(a, 1);
                                d = $turn!(d, 2);
                                c = $turn!(c, 3);
                            }
                        };
                    }
                    round!(0);
                    round!(1);
                    round!(2);
                    round!(3);
                    round!(4);
                    round!(5);
                    round!(6);
                    round!(7);
                    round!(8);
                    round!(9);
                    round!(10);
                    round!(11);
                    h0 = $xor(h0, $xor(a, c));
                    h1 = $xor(h1, $xor(b, d));
                }
                $store(h[..4].as_mut_ptr().cast(), h0);
                $store(h[4..].as_mut_ptr().cast(), h1);
            }
        }
    };
}
pub(super) use rows;
