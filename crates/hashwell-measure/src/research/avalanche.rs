//! Measures how far one bit of a block spreads in one compression.
//!
//! A random block is drawn, one of its bits is flipped, and both blocks go through the compression function from the
//! initial value. The blocks and bits of different pairs are independent. So for each of the 256 output bits, the
//! number of pairs in which it changed is binomial. For an ideal function, it changes in half of them.

use super::{Interval, random_block};
use crate::timing::random::Random;
use hashwell_accel::family::Prepared;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// The number of output bits.
const BITS: usize = 256;

/// The probability that any output bit of an ideal function is called biased.
const LEVEL: f64 = 0.05;

/// The bit of the block that is flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flipped {
    /// Any of the 512 bits.
    Anywhere,
    /// Any of the 32 bits of the word that is used last, in round 15.
    LastWord,
}

/// The results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Avalanche {
    /// The fraction of output bits that changed, with a 95 % interval from the spread between pairs.
    pub share: Interval,
    /// The rate of change of the output bit whose rate is furthest from one half, with Wilson's interval (1927,
    /// equation 2). By Bonferroni's correction, the level is 95 % for all 256 bits together.
    pub worst: Interval,
    /// The number of output bits whose interval does not contain one half. For an ideal function, it is 0 in 19 of 20
    /// cases.
    pub biased_bits: usize,
}

/// Flips one bit in each of `pairs` blocks. The same seed gives the same figures on every implementation.
///
/// # Panics
/// Panics if `pairs` is 0.
#[must_use]
pub fn avalanche(prepared: &Prepared, flipped: Flipped, pairs: usize, seed: u64) -> Avalanche {
    assert!(pairs > 0, "no pairs of blocks");
    let mut random = Random(seed);
    let mut changed = [0_usize; BITS];
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..pairs {
        let block = random_block(&mut random);
        let bit = match flipped {
            Flipped::Anywhere => random.below(512),
            Flipped::LastWord => 480 + random.below(32),
        };
        let mut other = block;
        other[bit / 8] ^= 1 << (bit % 8);
        let [before, after] = [block, other].map(|block| {
            let mut state = *prepared.member().initial();
            prepared.compress(&mut state, &[block]);
            state
        });
        let mut count = 0;
        for (word, (before, after)) in before.iter().zip(after).enumerate() {
            let difference = before ^ after;
            count += difference.count_ones();
            (0..32).for_each(|bit| changed[32 * word + bit] += (difference >> bit & 1) as usize);
        }
        let part = f64::from(count) / BITS as f64;
        sum += part;
        squares += part * part;
    }
    let n = pairs as f64;
    let mean = sum / n;
    let error = ((squares / n - mean * mean).max(0.0) / n).sqrt();
    let half = quantile(0.05) * error;
    let z = quantile(LEVEL / BITS as f64);
    let intervals = changed.map(|count| wilson(count, pairs, z));
    let distance = |interval: &&Interval| (interval.value - 0.5).abs();
    let worst = intervals.iter().max_by(|a, b| distance(a).total_cmp(&distance(b)));
    Avalanche {
        share: Interval { value: mean, low: mean - half, high: mean + half },
        worst: *worst.expect("256 bits"),
        biased_bits: intervals.iter().filter(|i| i.low > 0.5 || i.high < 0.5).count(),
    }
}

/// The number of standard deviations that is exceeded, in either direction, with this probability.
pub(super) fn quantile(chance: f64) -> f64 {
    Normal::standard().inverse_cdf(1.0 - chance / 2.0)
}

/// Wilson's score interval.
fn wilson(count: usize, of: usize, z: f64) -> Interval {
    let (n, z2) = (of as f64, z * z);
    let value = count as f64 / n;
    let centre = (value + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (value * (1.0 - value) / n + z2 / (4.0 * n * n)).sqrt();
    Interval { value, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell_accel::family::Sha256Family;

    fn of(rounds: usize, flipped: Flipped) -> Avalanche {
        let prepared = Sha256Family::sha256_with_rounds(rounds).unwrap().prepare();
        avalanche(&prepared, flipped, 2000, 1)
    }

    #[test]
    fn wilson_as_printed() {
        // The expected intervals for 81 of 263 and for 0 of 20 are from Newcombe, Statistics in Medicine 17 (1998),
        // table I, method 3.
        let close = |a: f64, b: f64| (a - b).abs() < 5e-5;
        let Interval { low, high, .. } = wilson(81, 263, quantile(0.05));
        assert!(close(low, 0.2553) && close(high, 0.3662), "{low} {high}");
        let Interval { low, high, .. } = wilson(0, 20, quantile(0.05));
        assert!(close(low, 0.0) && close(high, 0.1611), "{low} {high}");
    }

    /// The controls: with sixteen rounds, the last word has been used in only one round, so only two words of the state
    /// can have changed.
    #[test]
    fn few_rounds_are_biased_and_many_are_not() {
        let few = of(16, Flipped::LastWord);
        assert!(few.biased_bits == BITS && few.worst.value == 0.0, "{few:?}");
        assert!(few.share.high < 0.05, "{few:?}");
        assert!(of(20, Flipped::LastWord).biased_bits > 0 && of(16, Flipped::Anywhere).biased_bits > 0);
        for rounds in [64, 90, 255] {
            for flipped in [Flipped::Anywhere, Flipped::LastWord] {
                let many = of(rounds, flipped);
                assert_eq!(many.biased_bits, 0, "{rounds} rounds: {many:?}");
                assert!((many.share.value - 0.5).abs() < 0.005, "{many:?}");
            }
        }
    }
}
