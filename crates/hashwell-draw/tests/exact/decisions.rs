//! Enumerates all tapes of a sampler, by classes of random numbers.
//!
//! A bounded draw divides the random numbers into classes of equal size, one for each result (`below`, `below_lemire`:
//! proved and tested in their modules). The exact distribution of a sampler is determined by its result for one number
//! of each class. To show that all numbers of a class have the same effect, the first, a middle and the last one are
//! tried.

use std::collections::BTreeMap;

/// The decision that a random number makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draw {
    /// `below(n)`: the number mod n.
    Below(u64),
    /// `below_lemire(n)`: the upper half of the number times n.
    Lemire(u64),
    /// The first 64 digits of a uniform number, which is compared with multiples of 1/n.
    Uniform(u64),
}

impl Draw {
    pub(crate) fn choices(self) -> u64 {
        let (Draw::Below(n) | Draw::Lemire(n) | Draw::Uniform(n)) = self;
        n
    }

    /// A random number of class x: the first, one in the middle, or the last.
    pub(crate) fn word(self, x: u64, which: u64) -> u64 {
        match self {
            Draw::Below(n) => {
                let blocks = (1_u128 << 64) / u128::from(n);
                x + n * [0, blocks / 2, blocks - 1][which as usize] as u64
            }
            Draw::Lemire(n) => {
                let wide = u128::from(n);
                let first = ((u128::from(x) << 64) + u128::from(n.wrapping_neg() % n)).div_ceil(wide);
                let last = ((u128::from(x) + 1) << 64).div_ceil(wide) - 1;
                [first, first.midpoint(last), last][which as usize] as u64
            }
            Draw::Uniform(n) => {
                // Numbers that are also the first digits of a threshold are excluded, because they leave the comparison
                // open.
                let wide = u128::from(n);
                let first = (u128::from(x) << 64).div_ceil(wide);
                let last = ((u128::from(x) + 1) << 64) / wide - 1;
                [first, first.midpoint(last), last][which as usize] as u64
            }
        }
    }
}

/// The number of times that `sampler` returns each result, counted over all tapes: one tape for each combination of the
/// draws' results. All tapes are equally likely. `more` is appended to each tape.
pub(crate) fn law<T: Ord + std::fmt::Debug>(
    draws: &[Draw],
    more: &[u64],
    sampler: impl Fn(&[u64]) -> T,
) -> BTreeMap<T, u64> {
    let mut counts = BTreeMap::new();
    let tapes: u64 = draws.iter().map(|draw| draw.choices()).product();
    for tape in 0..tapes {
        let words = |which| {
            let mut left = tape;
            let mut words = Vec::new();
            for draw in draws {
                words.push(draw.word(left % draw.choices(), which));
                left /= draw.choices();
            }
            words.extend(more);
            words
        };
        let given = sampler(&words(0));
        for which in 1..3 {
            assert_eq!(sampler(&words(which)), given, "words of one class differ");
        }
        *counts.entry(given).or_insert(0) += 1;
    }
    counts
}

/// Checks that there is this number of outcomes, and that all are equally frequent.
pub(crate) fn assert_uniform<T: std::fmt::Debug>(law: &BTreeMap<T, u64>, outcomes: u64) {
    assert_eq!(law.len() as u64, outcomes, "{law:?}");
    let first = law.values().next();
    assert!(law.values().all(|count| Some(count) == first), "{law:?}");
}

pub(crate) fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}
