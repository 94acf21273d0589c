//! Measures lower bounds on the algebraic degree of the output bits of one compression, as polynomials over GF(2) in
//! the bits of one word of the block.
//!
//! The XOR of a function over all 2^d values of d input bits is the derivative of order d, and is zero for each
//! polynomial whose degree is less than d (Lai, 1994). So if the XOR is not zero, the degree is at least d. This is a
//! proof. The converse does not hold: an XOR of zero can be chance.

use super::{Member, members, random_block};
use crate::report::machine;
use crate::timing::random::Random;
use hashwell_accel::family::{Implementation, Prepared};
use serde::{Deserialize, Serialize};

/// The value of [`DegreeReport::schema`] in this version.
pub const DEGREE_SCHEMA: &str = "hashwell-research-degree/1";

/// The parameters of a measurement of degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct DegreePlan {
    /// The numbers of rounds, 1 to 256 each.
    pub rounds: Vec<usize>,
    /// The implementation of the compression functions. `None` means the same as in [`Plan`](super::Plan).
    pub implementation: Option<Implementation>,
    /// The highest degree that is tested for, 1 to 32.
    pub highest: u32,
    /// The number of sets of input bits, each with a random block.
    pub cubes: usize,
    /// The seed for blocks and bits.
    pub seed: u64,
}

/// The results for one number of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DegreeRow {
    /// The number of rounds.
    pub rounds: usize,
    /// At index d - 1, the number of output bits, of 256, whose degree is at least d.
    pub bits: Vec<u32>,
}

impl DegreeRow {
    /// The highest degree that at least this number of output bits have. 0 if fewer have degree 1.
    #[must_use]
    pub fn degree_of(&self, bits: u32) -> usize {
        self.bits.iter().rposition(|&count| count >= bits).map_or(0, |index| index + 1)
    }
}

/// The results of a measurement of degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DegreeReport {
    /// The schema, [`DEGREE_SCHEMA`].
    pub schema: String,
    /// The version of hashwell.
    pub version: String,
    /// The name of the CPU.
    pub cpu: String,
    /// Same as in [`DegreePlan`].
    pub highest: u32,
    /// Same as in [`DegreePlan`].
    pub cubes: usize,
    /// Same as in [`DegreePlan`].
    pub seed: u64,
    /// The rows, in ascending order of the number of rounds.
    pub rows: Vec<DegreeRow>,
}

/// Measures the degrees. The input bits are those of the last word of the block that the rounds use, because it goes
/// through the fewest rounds. The same seed gives the same figures on every implementation.
///
/// # Errors
/// Returns a message of one line if a number of rounds or the implementation is invalid, or if an output differs from
/// that of the portable loop.
///
/// # Panics
/// Panics if the highest degree is not 1 to 32.
pub fn degrees(plan: &DegreePlan) -> Result<DegreeReport, String> {
    assert!((1..=32).contains(&plan.highest), "invalid plan: {plan:?}");
    let row = |Member { prepared, .. }: Member| {
        let mut found = vec![[0; 8]; plan.highest as usize];
        let mut random = Random(plan.seed);
        for _ in 0..plan.cubes {
            add_cube(&prepared, &mut random, &mut found);
        }
        // An output bit whose degree is at least d also counts for every lower degree.
        for lower in (1..found.len()).rev() {
            let higher = found[lower];
            found[lower - 1].iter_mut().zip(higher).for_each(|(bits, more)| *bits |= more);
        }
        let count = |bits: &[u32; 8]| bits.iter().map(|word| word.count_ones()).sum();
        DegreeRow { rounds: prepared.member().rounds(), bits: found.iter().map(count).collect() }
    };
    Ok(DegreeReport {
        schema: DEGREE_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu: machine::cpu_name(),
        highest: plan.highest,
        cubes: plan.cubes,
        seed: plan.seed,
        rows: members(&plan.rounds, plan.implementation, &[])?.into_iter().map(row).collect(),
    })
}

/// Computes the derivatives of order 1, 2, … of one random block in random bits, and records at index d - 1 which output
/// bits of the derivative of order d are not zero.
fn add_cube(prepared: &Prepared, random: &mut Random, found: &mut [[u32; 8]]) {
    let mut block = random_block(random);
    let place = 4 * (prepared.member().rounds().min(16) - 1);
    let word = |block: &[u8; 64]| u32::from_be_bytes(*block[place..].first_chunk().expect("a word"));
    let mut bits: [u32; 32] = std::array::from_fn(|bit| 1 << bit);
    random.shuffle(&mut bits);
    let mut sum = [0; 8];
    // In the order of a Gray code, the first 2^d blocks have all values of the first d bits.
    for index in 0..1_u64 << found.len() {
        if index > 0 {
            let changed = word(&block) ^ bits[index.trailing_zeros() as usize];
            block[place..][..4].copy_from_slice(&changed.to_be_bytes());
        }
        let mut state = *prepared.member().initial();
        prepared.compress(&mut state, &[block]);
        sum.iter_mut().zip(state).for_each(|(sum, word)| *sum ^= word);
        let done = index + 1;
        if done > 1 && done.is_power_of_two() {
            let order = done.trailing_zeros() as usize;
            found[order - 1].iter_mut().zip(sum).for_each(|(bits, sum)| *bits |= sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rounds: usize) -> DegreeRow {
        let plan = DegreePlan { rounds: vec![rounds], implementation: None, highest: 10, cubes: 40, seed: 1 };
        degrees(&plan).unwrap().rows.remove(0)
    }

    /// After its first round, a word of the block has been added to two words of the state. The lowest bit of a sum is
    /// linear, and the bit at place i of a sum with a constant has degree at most i + 1.
    #[test]
    fn one_round_is_two_additions() {
        for rounds in [1, 8, 16] {
            let row = of(rounds);
            assert!((33..=64).contains(&row.bits[0]), "{row:?}");
            // Below place d - 1, no bit can have degree d.
            for (index, &bits) in row.bits.iter().enumerate() {
                assert!(bits <= 2 * (32 - index as u32), "{row:?}");
            }
            assert_eq!(row.degree_of(256), 0);
        }
    }

    #[test]
    fn many_rounds_have_every_degree_that_is_tested() {
        for rounds in [24, 64, 90] {
            assert_eq!(of(rounds).bits, [256; 10]);
        }
        assert!(of(18).degree_of(256) < 10);
    }
}
