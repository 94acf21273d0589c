//! RIPEMD-160 as appendix A of its paper specifies it, and proofs that the portable kernel computes it.
#![allow(unsafe_code)]

use super::soft;
use crate::families::md::Little;
use crate::families::proof::{IDLE, chain, named, proved, refuted, step};
use crate::internal::vector::symbol::{Claim, Symbols, Word};

/// The "nonlinear functions at bit level".
fn f(j: usize, x: Word, y: Word, z: Word) -> Word {
    match j / 16 {
        0 => x ^ y ^ z,
        1 => (x & y) | (!x & z),
        2 => (x | !y) ^ z,
        3 => (x & z) | (y & !z),
        _ => x ^ (y | !z),
    }
}

/// The "added constants".
const K: [u64; 5] = [0x0000_0000, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e];
const K_PRIME: [u64; 5] = [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0x0000_0000];

/// The "selection of message word", as printed.
#[rustfmt::skip]
const R: [usize; 80] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8,
    3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12,
    1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2,
    4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
];
#[rustfmt::skip]
const R_PRIME: [usize; 80] = [
    5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12,
    6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2,
    15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13,
    8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14,
    12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
];

/// The "amount for rotate left", as printed.
#[rustfmt::skip]
const S: [u32; 80] = [
    11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8,
    7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12,
    11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5,
    11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12,
    9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
];
#[rustfmt::skip]
const S_PRIME: [u32; 80] = [
    8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6,
    9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11,
    9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5,
    15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8,
    8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
];

/// The compression function, from the pseudo-code of the appendix.
pub(in crate::families) fn standard(h: [Word; 5], block: [Word; 16]) -> [Word; 5] {
    let x = block.map(Word::little_endian);
    let [mut a, mut b, mut c, mut d, mut e] = h;
    let [mut a2, mut b2, mut c2, mut d2, mut e2] = h;
    for j in 0..80 {
        let t = (a + f(j, b, c, d) + x[R[j]] + Word::constant(K[j / 16])).rotl(S[j]) + e;
        a = e;
        e = d;
        d = c.rotl(10);
        c = b;
        b = t;
        let f2 = f(79 - j, b2, c2, d2);
        let t = (a2 + f2 + x[R_PRIME[j]] + Word::constant(K_PRIME[j / 16])).rotl(S_PRIME[j]) + e2;
        a2 = e2;
        e2 = d2;
        d2 = c2.rotl(10);
        c2 = b2;
        b2 = t;
    }
    [h[1] + c + d2, h[2] + d + e2, h[3] + e + a2, h[4] + a + b2, h[0] + b + c2]
}

fn claim<const N: usize>() -> Claim {
    chain(
        N,
        |states, inputs, blocks| {
            let mut little = states.map(|row| row.map(Little));
            // SAFETY: symbolic words need no CPU instructions, and each message has this number of blocks.
            unsafe { soft::compress_many::<Symbols<N>, N>(&mut little, inputs, blocks) };
            *states = little.map(|row| row.map(|Little(word)| word));
        },
        standard,
    )
}

#[test]
fn is_the_standard() {
    proved(&named("RIPEMD-160", 1), 32, &claim::<1>);
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_every_lane() {
    proved(&named("RIPEMD-160", 4), 32, &claim::<4>);
    proved(&named("RIPEMD-160", 8), 32, &claim::<8>);
    proved(&named("RIPEMD-160", 16), 32, &claim::<16>);
}

#[test]
#[cfg(not(planted))]
fn changes_are_refuted() {
    refuted(&named("RIPEMD-160", 1), 32, step(97), IDLE, &claim::<1>);
}
