//! SM3 as GB/T 32905-2016 specifies it, and proofs that the portable kernel computes it.
#![allow(unsafe_code)]

use super::soft;
use crate::families::proof::{IDLE, chain, named, proved, refuted, step};
use crate::internal::vector::symbol::{Claim, Symbols, Word};
use alloc::vec::Vec;

/// The constants of section 4.2.
fn t(j: usize) -> Word {
    Word::constant(if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a })
}

/// The function FF of section 4.3.
fn ff(j: usize, x: Word, y: Word, z: Word) -> Word {
    if j < 16 { x ^ y ^ z } else { (x & y) | (x & z) | (y & z) }
}

/// The function GG of section 4.3.
fn gg(j: usize, x: Word, y: Word, z: Word) -> Word {
    if j < 16 { x ^ y ^ z } else { (x & y) | (!x & z) }
}

/// The permutation P0 of section 4.4.
fn p0(x: Word) -> Word {
    x ^ x.rotl(9) ^ x.rotl(17)
}

/// The permutation P1 of section 4.4.
fn p1(x: Word) -> Word {
    x ^ x.rotl(15) ^ x.rotl(23)
}

/// The compression function, sections 5.3.2 and 5.3.3.
pub(in crate::families) fn standard(v: [Word; 8], block: [Word; 16]) -> [Word; 8] {
    let mut w = block.map(Word::big_endian).to_vec();
    for j in 16..68 {
        w.push(p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotl(15)) ^ w[j - 13].rotl(7) ^ w[j - 6]);
    }
    let w_prime: Vec<Word> = (0..64).map(|j| w[j] ^ w[j + 4]).collect();
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..64 {
        let ss1 = (a.rotl(12) + e + t(j).rotl(j as u32 % 32)).rotl(7);
        let ss2 = ss1 ^ a.rotl(12);
        let tt1 = ff(j, a, b, c) + d + ss2 + w_prime[j];
        let tt2 = gg(j, e, f, g) + h + ss1 + w[j];
        d = c;
        c = b.rotl(9);
        b = a;
        a = tt1;
        h = g;
        g = f.rotl(19);
        f = e;
        e = p0(tt2);
    }
    let after = [a, b, c, d, e, f, g, h];
    core::array::from_fn(|i| after[i] ^ v[i])
}

fn claim<const N: usize>() -> Claim {
    chain(
        N,
        // SAFETY: symbolic words need no CPU instructions, and each message has this number of blocks.
        |states, inputs, blocks| unsafe { soft::compress_many::<Symbols<N>, N>(states, inputs, blocks) },
        standard,
    )
}

#[test]
fn is_the_standard() {
    proved(&named("SM3", 1), 32, &claim::<1>);
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_every_lane() {
    proved(&named("SM3", 4), 32, &claim::<4>);
    proved(&named("SM3", 8), 32, &claim::<8>);
    proved(&named("SM3", 16), 32, &claim::<16>);
}

#[test]
#[cfg(not(planted))]
fn changes_are_refuted() {
    refuted(&named("SM3", 1), 32, step(97), IDLE, &claim::<1>);
}
