//! SHA-1 as FIPS 180-4 specifies it, and proofs that the portable kernel computes it.
#![allow(unsafe_code)]

use super::soft;
use crate::families::proof::{IDLE, chain, named, proved, refuted, step};
use crate::internal::vector::symbol::{Claim, Symbols, Word};

/// The functions of section 4.1.1.
fn f(t: usize, x: Word, y: Word, z: Word) -> Word {
    match t {
        0..=19 => (x & y) ^ (!x & z),
        20..=39 => x ^ y ^ z,
        40..=59 => (x & y) ^ (x & z) ^ (y & z),
        _ => x ^ y ^ z,
    }
}

/// The constants of section 4.2.1.
fn k(t: usize) -> Word {
    Word::constant(match t {
        0..=19 => 0x5a82_7999,
        20..=39 => 0x6ed9_eba1,
        40..=59 => 0x8f1b_bcdc,
        _ => 0xca62_c1d6,
    })
}

/// The compression function, section 6.1.2.
pub(in crate::families) fn standard(state: [Word; 5], block: [Word; 16]) -> [Word; 5] {
    let mut w = block.map(Word::big_endian).to_vec();
    for t in 16..80 {
        w.push((w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotl(1));
    }
    let [mut a, mut b, mut c, mut d, mut e] = state;
    for (t, w) in w.into_iter().enumerate() {
        let temporary = a.rotl(5) + f(t, b, c, d) + e + k(t) + w;
        e = d;
        d = c;
        c = b.rotl(30);
        b = a;
        a = temporary;
    }
    let [h0, h1, h2, h3, h4] = state;
    [a + h0, b + h1, c + h2, d + h3, e + h4]
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
    proved(&named("SHA-1", 1), 32, &claim::<1>);
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_every_lane() {
    proved(&named("SHA-1", 4), 32, &claim::<4>);
    proved(&named("SHA-1", 8), 32, &claim::<8>);
    proved(&named("SHA-1", 16), 32, &claim::<16>);
}

#[test]
#[cfg(not(planted))]
fn changes_are_refuted() {
    refuted(&named("SHA-1", 1), 32, step(97), IDLE, &claim::<1>);
}
