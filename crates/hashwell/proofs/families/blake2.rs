//! BLAKE2's compression function as RFC 7693 specifies it, and proofs that the portable kernel computes it.
#![allow(unsafe_code)]

use super::soft::{self, Arithmetic, Compiled};
use super::{Flags, Run};
use crate::families::proof::{Messages, lane, memory, named, proved, refuted, states, step, unknown};
use crate::internal::vector::MAX;
use crate::internal::vector::Vector;
use crate::internal::vector::symbol::{Claim, Slot, Symbols, Word};

/// The parameters in which BLAKE2b and BLAKE2s differ (section 2.1), and their initial values (section 2.6), as
/// printed.
pub(in crate::families) struct Parameters {
    pub(in crate::families) bytes: u64,
    rounds: usize,
    r: [u32; 4],
    iv: [u64; 8],
}

pub(in crate::families) const OF_B: Parameters = Parameters {
    bytes: 128,
    rounds: 12,
    r: [32, 24, 16, 63],
    iv: [
        0x6a09_e667_f3bc_c908,
        0xbb67_ae85_84ca_a73b,
        0x3c6e_f372_fe94_f82b,
        0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1,
        0x9b05_688c_2b3e_6c1f,
        0x1f83_d9ab_fb41_bd6b,
        0x5be0_cd19_137e_2179,
    ],
};

pub(in crate::families) const OF_S: Parameters = Parameters {
    bytes: 64,
    rounds: 10,
    r: [16, 12, 8, 7],
    iv: [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ],
};

/// The message schedule of section 2.7, as printed. Rounds 10 and 11 repeat the first two.
#[rustfmt::skip]
const SIGMA: [[usize; 16]; 12] = [
    [ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [ 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [ 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [ 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [ 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    [ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
];

/// G, section 3.1.
fn mix(v: &mut [Word; 16], r: [u32; 4], [a, b, c, d]: [usize; 4], x: Word, y: Word) {
    v[a] = v[a] + v[b] + x;
    v[d] = (v[d] ^ v[a]).rotr(r[0]);
    v[c] = v[c] + v[d];
    v[b] = (v[b] ^ v[c]).rotr(r[1]);
    v[a] = v[a] + v[b] + y;
    v[d] = (v[d] ^ v[a]).rotr(r[2]);
    v[c] = v[c] + v[d];
    v[b] = (v[b] ^ v[c]).rotr(r[3]);
}

/// F, section 3.2. Each finalization flag is a word, with all bits set if the flag is set. The second flag, for the
/// last node, is from the paper on BLAKE2.
pub(in crate::families) fn standard(
    of: &Parameters,
    h: [Word; 8],
    m: &[Word],
    t: [Word; 2],
    f: [Word; 2],
) -> [Word; 8] {
    let m: Vec<Word> = m.iter().map(|word| word.little_endian()).collect();
    let iv = of.iv.map(Word::constant);
    let mut v: [Word; 16] = core::array::from_fn(|i| if i < 8 { h[i] } else { iv[i - 8] });
    v[12] = v[12] ^ t[0];
    v[13] = v[13] ^ t[1];
    v[14] = v[14] ^ f[0];
    v[15] = v[15] ^ f[1];
    for s in &SIGMA[..of.rounds] {
        mix(&mut v, of.r, [0, 4, 8, 12], m[s[0]], m[s[1]]);
        mix(&mut v, of.r, [1, 5, 9, 13], m[s[2]], m[s[3]]);
        mix(&mut v, of.r, [2, 6, 10, 14], m[s[4]], m[s[5]]);
        mix(&mut v, of.r, [3, 7, 11, 15], m[s[6]], m[s[7]]);
        mix(&mut v, of.r, [0, 5, 10, 15], m[s[8]], m[s[9]]);
        mix(&mut v, of.r, [1, 6, 11, 12], m[s[10]], m[s[11]]);
        mix(&mut v, of.r, [2, 7, 8, 13], m[s[12]], m[s[13]]);
        mix(&mut v, of.r, [3, 4, 9, 14], m[s[14]], m[s[15]]);
    }
    core::array::from_fn(|i| h[i] ^ v[i] ^ v[i + 8])
}

/// Returns the claim for two blocks of each message, with symbolic counters and flags. By the kernel's contract, the
/// counter is one word, to which each block adds its length.
fn claim<W, const N: usize, const B: usize>(of: &Parameters) -> Claim
where
    W: Arithmetic + Slot + Default,
    Symbols<N>: Vector<W, N>,
{
    let before: [[Word; 8]; N] = core::array::from_fn(|_| unknown());
    let messages = Messages::<W>::new(N, 1, 16);
    let (counters, flags): ([Word; N], [[Word; N]; 2]) = (unknown(), [unknown(), unknown()]);
    let row = |words: [Word; N]| {
        let mut row = [W::default(); MAX];
        row[..N].copy_from_slice(&memory(words)[..N]);
        row
    };
    let mut after = states::<W, 8>(&before);
    let rows: Flags<W> = flags.map(row);
    let run = Run { blocks: 2, stride: B };
    // SAFETY: symbolic words need no CPU instructions, and each message has this number of blocks.
    unsafe {
        soft::compress_many::<W, Symbols<N>, Compiled, N, B>(
            &mut after,
            &messages.inputs(),
            run,
            &row(counters),
            &rows,
        );
    }
    let mut claim = Claim::new();
    for (column, blocks) in messages.blocks.iter().enumerate() {
        let (mut h, mut t) = (before[column], counters[column]);
        for block in blocks {
            t = t + Word::constant(of.bytes);
            let high = Word::constant(0);
            h = standard(of, h, block, [t, high], [flags[0][column], flags[1][column]]);
        }
        claim.extend(lane(&after, column).into_iter().zip(h));
    }
    claim
}

/// The number of idle loads (see [`refuted`]): one for the states, and one for each block.
const IDLE: usize = 3;

#[test]
fn is_the_standard_b() {
    proved(&named("BLAKE2b", 1), 64, &|| claim::<u64, 1, 128>(&OF_B));
}

#[test]
fn is_the_standard_s() {
    proved(&named("BLAKE2s", 1), 32, &|| claim::<u32, 1, 64>(&OF_S));
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_every_lane() {
    proved(&named("BLAKE2b", 4), 64, &|| claim::<u64, 4, 128>(&OF_B));
    proved(&named("BLAKE2b", 8), 64, &|| claim::<u64, 8, 128>(&OF_B));
    proved(&named("BLAKE2s", 4), 32, &|| claim::<u32, 4, 64>(&OF_S));
    proved(&named("BLAKE2s", 8), 32, &|| claim::<u32, 8, 64>(&OF_S));
    proved(&named("BLAKE2s", 16), 32, &|| claim::<u32, 16, 64>(&OF_S));
}

#[test]
#[cfg(not(planted))]
fn changes_are_refuted() {
    refuted(&named("BLAKE2b", 1), 64, step(197), IDLE, &|| claim::<u64, 1, 128>(&OF_B));
    refuted(&named("BLAKE2s", 1), 32, step(197), IDLE, &|| claim::<u32, 1, 64>(&OF_S));
}
