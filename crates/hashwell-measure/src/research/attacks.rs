//! Measures generic attacks on the first bits of the output of one compression: collisions, preimages, and the number
//! of different outputs for all inputs of a counter.
//!
//! Each figure is compared with its expectation for a random function. A difference is a weakness. The absence of a
//! difference shows nothing about attacks that use the structure of the function.

use super::avalanche::quantile;
use super::{Interval, Member, members, random_block};
use crate::report::machine;
use crate::timing::random::Random;
use hashwell_accel::family::{Implementation, Prepared};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The value of [`AttackReport::schema`] in this version.
pub const ATTACKS_SCHEMA: &str = "hashwell-research-attacks/1";

/// The parameters of the attacks.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackPlan {
    /// The numbers of rounds, 1 to 256 each.
    pub rounds: Vec<usize>,
    /// The implementation of the compression functions. `None` means the same as in [`Plan`](super::Plan).
    pub implementation: Option<Implementation>,
    /// The number of output bits that are attacked, 1 to 32: the first bits of the digest.
    pub bits: u32,
    /// The number of experiments of each kind: searches for a collision, searches for a preimage, and counters.
    pub experiments: usize,
    /// The seed for blocks.
    pub seed: u64,
}

/// The results for one number of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttackRow {
    /// The number of rounds.
    pub rounds: usize,
    /// The number of random blocks until two have the same output: the mean, with a 95 % interval.
    pub collision: Interval,
    /// The number of random blocks until one has the same output as a given random block: the mean, with a 95 %
    /// interval.
    pub preimage: Interval,
    /// The fraction of all outputs that occur if the last word that is used counts from 0 to 2^bits - 1 and the rest of
    /// the block is random and fixed: the mean, with a 95 % interval.
    pub images: Interval,
}

/// The results of all attacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttackReport {
    /// The schema, [`ATTACKS_SCHEMA`].
    pub schema: String,
    /// The version of hashwell.
    pub version: String,
    /// The name of the CPU.
    pub cpu: String,
    /// Same as in [`AttackPlan`].
    pub bits: u32,
    /// Same as in [`AttackPlan`].
    pub experiments: usize,
    /// Same as in [`AttackPlan`].
    pub seed: u64,
    /// The expectations for a random function, in the order of the fields of [`AttackRow`].
    pub expected: Expected,
    /// The rows, in ascending order of the number of rounds.
    pub rows: Vec<AttackRow>,
}

/// The expectations for a random function with 2^bits outputs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// The expected number of inputs until a collision.
    pub collision: f64,
    /// The expected number of inputs until a preimage.
    pub preimage: f64,
    /// The expected fraction of outputs that occur, with 2^bits inputs.
    pub images: f64,
}

impl Expected {
    fn of(bits: u32) -> Self {
        let outputs = f64::from(bits).exp2();
        // The sum over k of the probability that k inputs have different outputs (Flajolet and Odlyzko, 1990, theorem
        // 2, where it is approximated by the square root of pi * outputs / 2).
        let (mut collision, mut different, mut k) = (0.0, 1.0, 0.0);
        while different > 1e-18 {
            collision += different;
            different *= 1.0 - k / outputs;
            k += 1.0;
        }
        Self { collision, preimage: outputs, images: 1.0 - (outputs * (-1.0 / outputs).ln_1p()).exp() }
    }
}

/// Performs all attacks. The same seed gives the same figures on every implementation.
///
/// # Errors
/// Returns a message of one line if a number of rounds or the implementation is invalid, or if an output differs from
/// that of the portable loop.
///
/// # Panics
/// Panics if the number of bits is not 1 to 32, or if there are fewer than two experiments.
pub fn attack(plan: &AttackPlan) -> Result<AttackReport, String> {
    assert!((1..=32).contains(&plan.bits) && plan.experiments > 1, "invalid plan: {plan:?}");
    let row = |Member { prepared, .. }: Member| {
        let target = Target { prepared: &prepared, shift: 32 - plan.bits };
        let mut random = Random(plan.seed);
        let mut mean_of = |experiment: &dyn Fn(&mut Random) -> f64| {
            mean(&(0..plan.experiments).map(|_| experiment(&mut random)).collect::<Vec<_>>())
        };
        AttackRow {
            rounds: prepared.member().rounds(),
            collision: mean_of(&|random| target.collision(random)),
            preimage: mean_of(&|random| target.preimage(random)),
            images: mean_of(&|random| target.images(random)),
        }
    };
    Ok(AttackReport {
        schema: ATTACKS_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu: machine::cpu_name(),
        bits: plan.bits,
        experiments: plan.experiments,
        seed: plan.seed,
        expected: Expected::of(plan.bits),
        rows: members(&plan.rounds, plan.implementation, &[])?.into_iter().map(row).collect(),
    })
}

/// The function that is attacked.
struct Target<'a> {
    prepared: &'a Prepared,
    /// 32 minus the number of bits.
    shift: u32,
}

impl Target<'_> {
    fn output(&self, block: &[u8; 64]) -> u32 {
        let mut state = *self.prepared.member().initial();
        self.prepared.compress(&mut state, std::slice::from_ref(block));
        state[0] >> self.shift
    }

    fn collision(&self, random: &mut Random) -> f64 {
        let mut seen = HashSet::new();
        while seen.insert(self.output(&random_block(random))) {}
        seen.len() as f64 + 1.0
    }

    fn preimage(&self, random: &mut Random) -> f64 {
        let wanted = self.output(&random_block(random));
        let mut tries = 1_u64;
        while self.output(&random_block(random)) != wanted {
            tries += 1;
        }
        tries as f64
    }

    fn images(&self, random: &mut Random) -> f64 {
        let mut block = random_block(random);
        let word = 4 * (self.prepared.member().rounds().min(16) - 1);
        let outputs = 1_u64 << (32 - self.shift);
        let mut seen = vec![0_u64; outputs.div_ceil(64) as usize];
        for counter in 0..outputs {
            block[word..][..4].copy_from_slice(&(counter as u32).to_be_bytes());
            let output = self.output(&block);
            seen[(output / 64) as usize] |= 1 << (output % 64);
        }
        let distinct: u64 = seen.iter().map(|word| u64::from(word.count_ones())).sum();
        distinct as f64 / outputs as f64
    }
}

/// The mean of the values, with a 95 % interval from their spread.
fn mean(values: &[f64]) -> Interval {
    let n = values.len() as f64;
    let value = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - value) * (x - value)).sum::<f64>() / (n - 1.0);
    let half = quantile(0.05) * (variance / n).sqrt();
    Interval { value, low: value - half, high: value + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rounds: usize) -> (AttackRow, Expected) {
        let plan =
            AttackPlan { rounds: vec![rounds], implementation: None, bits: 12, experiments: 200, seed: 1 };
        let mut report = attack(&plan).unwrap();
        (report.rows.remove(0), report.expected)
    }

    #[test]
    fn expectations_of_one_bit_and_of_the_birthday_problem() {
        // With two outputs, there is a collision after two inputs or after three, and 3/4 of them occur on average.
        let Expected { collision, preimage, images } = Expected::of(1);
        assert!((collision - 2.5).abs() < 1e-12 && preimage == 2.0 && (images - 0.75).abs() < 1e-12);
        // Ramanujan's approximation: the square root of pi N / 2, plus 2/3.
        let approximation = (std::f64::consts::PI * 65_536.0 / 2.0).sqrt() + 2.0 / 3.0;
        assert!((Expected::of(16).collision - approximation).abs() < 1e-3);
        assert!((Expected::of(16).images - (1.0 - (-1.0_f64).exp())).abs() < 1e-5);
    }

    /// A counter is the control. The first round that uses it only adds it to the state, so its low bits have no
    /// influence on the first bits of the output. Random blocks do not show this weakness.
    #[test]
    fn a_counter_shows_few_rounds_and_random_blocks_do_not() {
        let (few, expected) = of(16);
        assert!(few.images.high < 0.01, "{few:?}");
        assert!((few.collision.value / expected.collision - 1.0).abs() < 0.2, "{few:?}");
        for rounds in [24, 64, 90] {
            let (many, _) = of(rounds);
            // The values must be within five standard deviations. The intervals extend over 1.96 standard deviations.
            for (measured, expected) in [
                (many.collision, expected.collision),
                (many.preimage, expected.preimage),
                (many.images, expected.images),
            ] {
                let half = (measured.high - measured.low) / 2.0;
                assert!((measured.value - expected).abs() < 2.6 * half, "{rounds} rounds: {many:?}");
            }
        }
    }
}
