//! Keccak-p\[1600\] as FIPS 202 specifies it, and proofs that the portable kernel computes it when a sponge absorbs and
//! outputs blocks.
#![allow(unsafe_code)]

use super::soft::{self, Compiled, Round};
use crate::families::proof::{absorbing, named, proved, refuted, squeezing, step};
use crate::families::sponge::{Block, ByteOrder};
use crate::internal::vector::symbol::{Claim, Symbols, Word};

/// A state: A\[x, y\] of section 3.1.2 is `a[x][y]`. A lane, which consists of the bits along z, is a word.
type State = [[Word; 5]; 5];

/// θ, section 3.2.1.
fn theta(a: State) -> State {
    let c: [Word; 5] = core::array::from_fn(|x| a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4]);
    let d: [Word; 5] = core::array::from_fn(|x| c[(x + 4) % 5] ^ c[(x + 1) % 5].rotl(1));
    core::array::from_fn(|x| a[x].map(|lane| lane ^ d[x]))
}

/// ρ, section 3.2.2, algorithm 2.
fn rho(a: State) -> State {
    let mut out = a;
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        out[x][y] = a[x][y].rotl((t + 1) * (t + 2) / 2 % 64);
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    out
}

/// π, section 3.2.3.
fn pi(a: State) -> State {
    core::array::from_fn(|x| core::array::from_fn(|y| a[(x + 3 * y) % 5][x]))
}

/// χ, section 3.2.4.
fn chi(a: State) -> State {
    core::array::from_fn(|x| {
        core::array::from_fn(|y| {
            a[x][y] ^ ((a[(x + 1) % 5][y] ^ Word::constant(u64::MAX)) & a[(x + 2) % 5][y])
        })
    })
}

/// Returns bit t of the sequence rc, section 3.2.5, algorithm 5. R is a string of bits, of which `r[0]` is the
/// leftmost.
fn rc(t: usize) -> bool {
    let mut r = [true, false, false, false, false, false, false, false];
    for _ in 0..t % 255 {
        let mut longer = [false; 9];
        longer[1..].copy_from_slice(&r);
        for i in [0, 4, 5, 6] {
            longer[i] ^= longer[8];
        }
        r.copy_from_slice(&longer[..8]);
    }
    r[0]
}

/// ι, section 3.2.5, algorithm 6.
fn iota(mut a: State, round: usize) -> State {
    let constant = (0..=6).filter(|j| rc(j + 7 * round)).fold(0, |bits, j| bits | 1 << ((1 << j) - 1));
    a[0][0] = a[0][0] ^ Word::constant(constant);
    a
}

/// Keccak-p\[1600, rounds\], section 3.3: the last rounds of 24. Word i is the lane (i mod 5, ⌊i / 5⌋).
pub(in crate::families) fn standard(rounds: usize, words: [Word; 25]) -> [Word; 25] {
    let mut a: State = core::array::from_fn(|x| core::array::from_fn(|y| words[x + 5 * y]));
    for round in 24 - rounds..24 {
        // The lanes between the linear and the nonlinear steps get names.
        let between = pi(rho(theta(a))).map(|sheet| sheet.map(Word::defined));
        a = iota(chi(between), round);
    }
    core::array::from_fn(|i| a[i % 5][i / 5])
}

fn block(rate: usize) -> Block {
    Block { rate, order: ByteOrder::Little }
}

fn absorb<R: Round<Symbols<N>, N>, const N: usize, const ROUNDS: usize>(rate: usize) -> Claim {
    absorbing(
        N,
        rate / 8,
        // SAFETY: symbolic words need no CPU instructions, and each message has this number of blocks, of at least nine
        // words.
        |states, inputs, blocks| unsafe {
            soft::absorb_many::<Symbols<N>, R, N, ROUNDS>(states, inputs, block(rate), blocks);
        },
        |words| standard(ROUNDS, words),
    )
}

fn squeeze<R: Round<Symbols<N>, N>, const N: usize, const ROUNDS: usize>(rate: usize, ready: bool) -> Claim {
    squeezing(
        N,
        rate / 8,
        ready,
        // SAFETY: symbolic words need no CPU instructions, and each output has room for this number of blocks.
        |states, outputs, blocks| unsafe {
            soft::squeeze_many::<Symbols<N>, R, N, ROUNDS>(states, outputs, block(rate), blocks, ready);
        },
        |words| standard(ROUNDS, words),
    )
}

/// The rates of all algorithms, whose capacities are 1024, 768, 512, 448 and 256 bits.
const RATES: [usize; 5] = [72, 104, 136, 144, 168];

#[test]
fn is_the_standard_24() {
    for rate in RATES {
        proved(&named(&alloc::format!("Keccak-p[1600, 24], rate {rate}"), 1), 64, &|| {
            absorb::<Compiled, 1, 24>(rate)
        });
    }
    proved(&named("Keccak-p[1600, 24], output", 1), 64, &|| squeeze::<Compiled, 1, 24>(72, false));
}

#[test]
fn is_the_standard_12() {
    for rate in [136, 168] {
        proved(&named(&alloc::format!("Keccak-p[1600, 12], rate {rate}"), 1), 64, &|| {
            absorb::<Compiled, 1, 12>(rate)
        });
    }
}

#[cfg(not(planted))]
fn in_lanes<R: Round<Symbols<N>, N>, const N: usize>(how: &str) {
    let name =
        |rounds: usize, what, rate| named(&alloc::format!("Keccak-p[1600, {rounds}]{how}, {what} {rate}"), N);
    for rate in RATES {
        proved(&name(24, "rate", rate), 64, &|| absorb::<R, N, 24>(rate));
        proved(&name(24, "output, rate", rate), 64, &|| squeeze::<R, N, 24>(rate, false));
    }
    proved(&name(24, "ready output, rate", 136), 64, &|| squeeze::<R, N, 24>(136, true));
    for rate in [136, 168] {
        proved(&name(12, "rate", rate), 64, &|| absorb::<R, N, 12>(rate));
        proved(&name(12, "output, rate", rate), 64, &|| squeeze::<R, N, 12>(rate, false));
    }
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_two_and_four_lanes() {
    in_lanes::<Compiled, 2>("");
    in_lanes::<Compiled, 4>("");
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_eight_lanes() {
    in_lanes::<Compiled, 8>("");
}

#[test]
#[cfg(all(not(planted), any(target_arch = "x86_64", target_arch = "x86")))]
fn is_the_standard_folded() {
    in_lanes::<soft::Folded, 8>(" folded");
}

#[test]
#[cfg(not(planted))]
fn changes_are_refuted() {
    // One load is idle (see `refuted`) in each lane: that of the states.
    refuted(&named("Keccak-p[1600, 24]", 1), 64, step(997), 1, &|| absorb::<Compiled, 1, 24>(136));
    refuted(&named("Keccak-p[1600, 12]", 2), 64, step(997), 2, &|| absorb::<Compiled, 2, 12>(168));
    refuted(&named("Keccak-p[1600, 12], output", 2), 64, step(997), 2, &|| {
        squeeze::<Compiled, 2, 12>(168, true)
    });
}
