//! Ascon-p as NIST SP 800-232 specifies it, and proofs that the portable kernel computes it when a sponge absorbs and
//! outputs blocks.
#![allow(unsafe_code)]

use super::soft;
use crate::families::proof::{absorbing, named, proved, refuted, squeezing, step};
use crate::families::sponge::{Block, ByteOrder};
use crate::internal::vector::symbol::{Claim, Symbols, Word};

type State = [Word; 5];

/// The constants of section 3.2, as printed. Ascon-p\[rounds\] uses the last ones.
const CONSTANTS: [u64; 16] =
    [0x3c, 0x2d, 0x1e, 0x0f, 0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b];

/// The substitution box of section 3.3, in algebraic normal form.
fn substitution([x0, x1, x2, x3, x4]: State) -> State {
    [
        (x4 & x1) ^ x3 ^ (x2 & x1) ^ x2 ^ (x1 & x0) ^ x1 ^ x0,
        x4 ^ (x3 & x2) ^ (x3 & x1) ^ x3 ^ (x2 & x1) ^ x2 ^ x1 ^ x0,
        (x4 & x3) ^ x4 ^ x2 ^ x1 ^ Word::constant(u64::MAX),
        (x4 & x0) ^ x4 ^ (x3 & x0) ^ x3 ^ x2 ^ x1 ^ x0,
        (x4 & x1) ^ x4 ^ x3 ^ (x1 & x0) ^ x1,
    ]
}

/// The substitution box of section 3.3 as a table. x0 is the highest bit.
const TABLE: [usize; 32] = [
    0x04, 0x0b, 0x1f, 0x14, 0x1a, 0x15, 0x09, 0x02, 0x1b, 0x05, 0x08, 0x12, 0x1d, 0x03, 0x06, 0x1c, 0x1e,
    0x13, 0x07, 0x0e, 0x00, 0x0d, 0x11, 0x18, 0x10, 0x0c, 0x01, 0x19, 0x16, 0x0a, 0x0f, 0x17,
];

/// The linear diffusion layer, section 3.4.
fn diffusion([x0, x1, x2, x3, x4]: State) -> State {
    [
        x0 ^ x0.rotr(19) ^ x0.rotr(28),
        x1 ^ x1.rotr(61) ^ x1.rotr(39),
        x2 ^ x2.rotr(1) ^ x2.rotr(6),
        x3 ^ x3.rotr(10) ^ x3.rotr(17),
        x4 ^ x4.rotr(7) ^ x4.rotr(41),
    ]
}

/// Ascon-p\[rounds\], section 3.1.
pub(in crate::families) fn standard(rounds: usize, mut s: State) -> State {
    for constant in &CONSTANTS[16 - rounds..] {
        s[2] = s[2] ^ Word::constant(*constant);
        // The words between two rounds get names.
        s = diffusion(substitution(s)).map(Word::defined);
    }
    s
}

fn block(order: ByteOrder) -> Block {
    Block { rate: 8, order }
}

fn absorb<const N: usize, const ROUNDS: usize>() -> Claim {
    absorbing(
        N,
        1,
        // SAFETY: symbolic words need no CPU instructions, and each message has this number of blocks.
        |states, inputs, blocks| unsafe {
            soft::absorb_many::<Symbols<N>, N, ROUNDS>(states, inputs, block(ByteOrder::Little), blocks);
        },
        |words| standard(ROUNDS, words),
    )
}

fn squeeze<const N: usize, const ROUNDS: usize>(ready: bool) -> Claim {
    squeezing(
        N,
        1,
        ready,
        // SAFETY: symbolic words need no CPU instructions, and each output has room for this number of blocks.
        |states, outputs, blocks| unsafe {
            let block = block(ByteOrder::Little);
            soft::squeeze_many::<Symbols<N>, N, ROUNDS>(states, outputs, block, blocks, ready);
        },
        |words| standard(ROUNDS, words),
    )
}

#[test]
fn the_substitution_is_the_table() {
    // Bit i of the words is the substitution of input i.
    let table = || {
        let column = |of: &dyn Fn(usize) -> usize, bit: usize| {
            Word::constant((0..32).fold(0, |word, i| word | (((of(i) >> (4 - bit)) & 1) as u64) << i))
        };
        let input = core::array::from_fn(|bit| column(&|i| i, bit));
        let places = Word::constant(u32::MAX.into());
        let output = (0..5).map(|bit| column(&|i| TABLE[i], bit));
        substitution(input).into_iter().map(|word| word & places).zip(output).collect()
    };
    proved("Ascon's substitution", 64, &table);
}

#[test]
fn is_the_standard() {
    proved(&named("Ascon-p[12]", 1), 64, &absorb::<1, 12>);
    proved(&named("Ascon-p[8]", 1), 64, &absorb::<1, 8>);
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_every_lane() {
    proved(&named("Ascon-p[12]", 4), 64, &absorb::<4, 12>);
    proved(&named("Ascon-p[12]", 8), 64, &absorb::<8, 12>);
    proved(&named("Ascon-p[8]", 4), 64, &absorb::<4, 8>);
    proved(&named("Ascon-p[8]", 8), 64, &absorb::<8, 8>);
    for ready in [false, true] {
        proved(&named("Ascon-p[12], output", 4), 64, &|| squeeze::<4, 12>(ready));
        proved(&named("Ascon-p[12], output", 8), 64, &|| squeeze::<8, 12>(ready));
        proved(&named("Ascon-p[8], output", 4), 64, &|| squeeze::<4, 8>(ready));
        proved(&named("Ascon-p[8], output", 8), 64, &|| squeeze::<8, 8>(ready));
    }
}

#[test]
#[cfg(not(planted))]
fn changes_are_refuted() {
    // One load is idle (see `refuted`): that of the states.
    refuted(&named("Ascon-p[12]", 1), 64, step(29), 1, &absorb::<1, 12>);
    refuted(&named("Ascon-p[8], output", 1), 64, step(29), 1, &|| squeeze::<1, 8>(false));
}
