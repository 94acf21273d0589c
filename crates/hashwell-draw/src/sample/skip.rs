//! The longest skip that a random number allows, decided by integers.
//!
//! Both distributions of skips have the same form. With r(top, s, k) = C(top - s, k) / C(top, k), the probability that
//! k of `top` things, chosen at random, include none of s given ones,
//! - a reservoir skips at least s rows with probability r(t + s, s, k), where t is the number of rows seen;
//! - a sequential selection of k of N rows does so with probability r(N, s, k).
//!
//! A random number R gives the largest s with r >= (R + 1) / 2^64. r is symmetrical in s and k: r = Π (top - max - i) /
//! (top - i) for i < min, so the shorter product is enough. It is computed in floating point, with a bound on its
//! error. Only if this bound does not decide which side is larger, both sides are multiplied out as integers.
//! Logarithms give the starting point of the search, which affects its time but not its result.

use crate::number::{expm1, ln};
use num_bigint::BigUint;

/// A distribution of skips.
pub(crate) trait Law {
    /// `top` for a skip of s.
    fn top(&self, s: u64) -> u64;

    /// The x with r(s + 1) = r(s) · (x - k) / x.
    fn step(&self, s: u64) -> u64;

    /// An estimate of the s at which r is u.
    fn guess(&self, k: u64, u: f64) -> f64;
}

/// The skips of a stream's reservoir after `seen` rows.
pub(crate) struct Growing {
    pub(crate) seen: u64,
}

impl Law for Growing {
    fn top(&self, s: u64) -> u64 {
        self.seen + s
    }

    fn step(&self, s: u64) -> u64 {
        self.seen + s + 1
    }

    fn guess(&self, k: u64, u: f64) -> f64 {
        // Approximates all factors by the one in the middle.
        (self.seen as f64 - middle(k)) * expm1(-ln(u) / k as f64)
    }
}

/// The skips of a sequential selection of k rows from the n rows that are left.
pub(crate) struct Fixed {
    pub(crate) n: u64,
}

impl Law for Fixed {
    fn top(&self, _: u64) -> u64 {
        self.n
    }

    fn step(&self, s: u64) -> u64 {
        self.n - s
    }

    fn guess(&self, k: u64, u: f64) -> f64 {
        (self.n as f64 - middle(k)) * -expm1(ln(u) / k as f64)
    }
}

/// For skips below this, stepping up from 0 costs less than a guess.
const SHORT: u64 = 32;
/// The maximum number of such steps.
const STEPS: u64 = 256;
/// The number of guesses before the search switches to bisection.
const GUESSES: u32 = 16;

fn middle(k: u64) -> f64 {
    (k - 1) as f64 / 2.0
}

/// The largest s in 0..=most with r(s) >= (word + 1) / 2^64. Requires 1 <= k <= 2^40, and `most` + k may not exceed the
/// law's `top`.
pub(crate) fn longest(law: &impl Law, k: u64, most: u64, word: u64) -> u64 {
    let mark = Mark::new(word);
    let mut low = 0;
    if most == 0 {
        return 0;
    }
    if law.step(0) / k < SHORT {
        match by_steps(law, k, most, &mark) {
            Ok(found) => return found,
            Err(known) => low = known,
        }
    }
    search(law, k, low, most, &mark)
}

/// Steps up from a skip of 0. If floating point does not decide, or the skip is too long, returns the skip known so far
/// as an error.
fn by_steps(law: &impl Law, k: u64, most: u64, mark: &Mark) -> Result<u64, u64> {
    let mut r = 1.0;
    for s in 0..most.min(STEPS) {
        let x = law.step(s);
        // Each step has four roundings: two conversions, a division, a multiplication.
        r *= (x - k) as f64 / x as f64;
        match mark.is_reached_by(r, s + 1) {
            Some(true) => {}
            Some(false) => return Ok(s),
            None => return Err(s),
        }
    }
    if most <= STEPS { Ok(most) } else { Err(STEPS) }
}

/// Newton's method between two ends; `low` is known to be reached.
fn search(law: &impl Law, k: u64, mut low: u64, most: u64, mark: &Mark) -> u64 {
    // The smallest skip known to be too long; at first, one past the end.
    let mut high = u128::from(most) + 1;
    let mut guess = law.guess(k, mark.float);
    let mut guesses = 0;
    while high - u128::from(low) > 1 {
        let s = if guesses < GUESSES {
            (guess as u64).clamp(low + 1, (high - 1) as u64)
        } else {
            low + ((high - u128::from(low)) / 2) as u64
        };
        guesses += 1;
        let top = law.top(s);
        let (r, factors) = ratio(top, s, k);
        if mark.decide(r, factors, top, s, k) {
            low = s;
            if s == most {
                return s;
            }
            let x = law.step(s);
            if mark.is_reached_by(r * ((x - k) as f64 / x as f64), factors + 1) == Some(false) {
                return s;
            }
        } else {
            high = s.into();
        }
        // r falls by the fraction k / x with each step.
        guess = s as f64 + ln((r / mark.float).max(f64::MIN_POSITIVE)) * top as f64 / k as f64;
    }
    low
}

/// Computes r = r(top, s, k) in floating point, and returns it with its number of factors. If r is below 2^-80, an
/// upper bound on r is returned instead.
///
/// Each factor has four roundings (two conversions, two multiplications), and every eight have two more.
fn ratio(top: u64, s: u64, k: u64) -> (f64, u64) {
    const GROUP: u64 = 8;
    let (few, many) = (s.min(k), s.max(k));
    let below = top - many;
    let group = |r: f64, from: u64, to: u64| {
        let (mut upper, mut lower) = (1.0, 1.0);
        for i in from..to {
            upper *= (below - i) as f64;
            lower *= (top - i) as f64;
        }
        r * (upper / lower)
    };
    let (mut r, mut i) = (1.0, 0);
    while i + GROUP <= few {
        r = group(r, i, i + GROUP);
        i += GROUP;
        if r < 1e-25 {
            return (r, few);
        }
    }
    (group(r, i, few), few)
}

/// (R + 1) / 2^64 as a float, with one rounding.
#[inline]
pub(crate) fn unit_of_mark(word: u64) -> f64 {
    const STEP: f64 = 1.0 / (1_u128 << 64) as f64;
    // The sum stays in 64 bits, because converting 64 bits takes a few instructions, whereas converting 128 bits is a
    // function call.
    word.checked_add(1).map_or(1.0, |above| above as f64 * STEP)
}

/// (R + 1) / 2^64.
struct Mark {
    word: u64,
    float: f64,
}

impl Mark {
    fn new(word: u64) -> Self {
        Self { word, float: unit_of_mark(word) }
    }

    /// Returns true if a product of `factors` factors, each with at most five roundings, is at least the mark; `None`
    /// if its error leaves this open.
    ///
    /// n roundings of at most e = 2^-53 make an error of at most n · e / (1 - n · e), which is below 1.01 · n · e, as
    /// there are at most 2^40 factors. 1.01 · 5 · factors is below 6 · factors. The mark itself, its product with the
    /// bound and the bound have one rounding each, for which 16 is more than enough.
    fn is_reached_by(&self, r: f64, factors: u64) -> Option<bool> {
        const E: f64 = 1.0 / (1_u64 << 53) as f64;
        let bound = (6 * factors + 16) as f64 * E;
        if r > self.float * (1.0 + bound) {
            Some(true)
        } else if r < self.float * (1.0 - bound) {
            Some(false)
        } else {
            None
        }
    }

    /// Returns true if r(top, s, k), which is about r, is at least the mark.
    fn decide(&self, r: f64, factors: u64, top: u64, s: u64, k: u64) -> bool {
        self.is_reached_by(r, factors).unwrap_or_else(|| self.is_reached_exactly(top, s, k))
    }

    /// Returns true if Π (top - max - i) · 2^64 >= Π (top - i) · (R + 1). This takes two products of min(s, k) factors
    /// each, whose cost grows faster than linearly but slower than quadratically. About one random number in 2^46 /
    /// factors is decided here.
    fn is_reached_exactly(&self, top: u64, s: u64, k: u64) -> bool {
        let (few, many) = (s.min(k), s.max(k));
        (product(top - many, few) << 64) >= product(top, few) * (u128::from(self.word) + 1)
    }
}

/// The product of `count` numbers from `first` downwards. Splits the range into halves, because big integers of about
/// the same length are multiplied faster than digit by digit. Multiplying factor by factor would take quadratic time.
fn product(first: u64, count: u64) -> BigUint {
    if count <= 32 {
        return (0..count).fold(BigUint::from(1_u32), |product, i| product * (first - i));
    }
    let half = count / 2;
    product(first, half) * product(first - half, count - half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::{CounterRng, RandomSource};

    /// The skip by definition: one exact comparison for each s.
    fn slow(law: &impl Law, k: u64, most: u64, word: u64) -> u64 {
        let reached = |s: u64| Mark::new(word).is_reached_exactly(law.top(s), s, k);
        (1..=most).find(|&s| !reached(s)).map_or(most, |s| s - 1)
    }

    /// The largest random number whose skip is at least s: ⌊2^64 · r(s)⌋ - 1, found by bisection.
    fn last_word(law: &impl Law, k: u64, s: u64) -> u64 {
        let (mut low, mut high) = (0, 1 << 64);
        while high - low > 1_u128 {
            let middle = (low + high) / 2;
            let reached = Mark::new(middle as u64).is_reached_exactly(law.top(s), s, k);
            (low, high) = if reached { (middle, high) } else { (low, middle) };
        }
        low as u64
    }

    #[test]
    fn halves_make_the_same_product() {
        for (first, count) in [(5, 0), (5, 5), (40, 33), (u64::MAX, 64), (u64::MAX - 7, 1000), (99_999, 4097)]
        {
            let one_by_one = (0..count).fold(BigUint::from(1_u32), |product, i| product * (first - i));
            assert_eq!(product(first, count), one_by_one, "{first} {count}");
        }
    }

    #[test]
    fn skips_are_what_they_are_defined_to_be() {
        let mut words = CounterRng::new(&[5; 32]);
        let mut below = |n: u64| words.next_u64().unwrap() % n;
        for _ in 0..400 {
            let k = 1 + below(40);
            let seen = k + below(500);
            // The random numbers are large, so that the slow method ends soon. They still give all kinds of small
            // skips.
            let word = u64::MAX - below(1 << 63);
            let law = Growing { seen };
            assert_eq!(longest(&law, k, 1 << 40, word), slow(&law, k, 1 << 40, word), "{k} {seen} {word}");
            let law = Fixed { n: seen };
            assert_eq!(longest(&law, k, seen - k, word), slow(&law, k, seen - k, word), "{k} {seen} {word}");
        }
    }

    /// The first guess, from which the search starts, is accurate to a few percent, so that few more are needed.
    #[test]
    fn guesses_are_near() {
        fn is_near(law: &impl Law, k: u64, most: u64, word: u64) {
            let (guess, is) = (law.guess(k, Mark::new(word).float), longest(law, k, most, word) as f64);
            assert!((guess - is).abs() <= 2.0 + is / 50.0, "{k} {most} {word}: {guess} {is}");
        }
        let mut words = CounterRng::new(&[7; 32]);
        for k in [1, 2, 5, 30, 400] {
            for rows in [10 * k + 1000, 1 << 20, 1 << 40] {
                for _ in 0..20 {
                    let word = words.next_word();
                    is_near(&Growing { seen: rows }, k, 1 << 60, word);
                    is_near(&Fixed { n: rows }, k, rows - k, word);
                }
            }
        }
    }

    #[test]
    fn words_at_the_very_edge_are_decided_exactly() {
        let mut words = CounterRng::new(&[6; 32]);
        let mut below = |n: u64| words.next_u64().unwrap() % n;
        let mut open = 0;
        for _ in 0..60 {
            let k = 1 + below(30);
            let bits = 4 + below(24);
            let seen = k + below(1 << bits);
            let s = 1 + below(3 * seen / k + 2);
            let law = Growing { seen };
            let last = last_word(&law, k, s);
            let (r, factors) = ratio(law.top(s), s, k);
            open += u32::from(Mark::new(last).is_reached_by(r, factors).is_none());
            assert!(longest(&law, k, 1 << 50, last) >= s, "{k} {seen} {s}");
            assert!(longest(&law, k, 1 << 50, last + 1) < s, "{k} {seen} {s}");
        }
        // Floats by themselves could not have decided these cases.
        assert!(open > 50, "{open}");
    }

    #[test]
    fn ends() {
        let law = Growing { seen: 1000 };
        assert_eq!(longest(&law, 10, 1 << 40, u64::MAX), 0);
        // C(1000, 10) / C(1000 + s, 10) >= 2^-64 holds up to this s, computed with Python's integers.
        assert_eq!(longest(&law, 10, 1 << 40, 0), 83_072);
        assert_eq!(longest(&law, 10, 777, 0), 777);
        assert_eq!(longest(&law, 10, 0, 0), 0);
        // This is beyond the integers that floats represent: 2 slots, 2^60 rows, a skip of about 2^60 · (2^(1/2) - 1).
        let law = Growing { seen: 1 << 60 };
        let s = longest(&law, 2, 1 << 61, (1 << 63) - 1);
        let reached = |s| Mark::new((1 << 63) - 1).is_reached_exactly(law.top(s), s, 2);
        assert!(reached(s) && !reached(s + 1));
        let law = Growing { seen: u64::MAX - 5 };
        assert_eq!(longest(&law, 3, 5, 0), 5);
        let law = Fixed { n: u64::MAX };
        assert_eq!(longest(&law, 1, u64::MAX - 1, 0), u64::MAX - 1);
        assert_eq!(longest(&law, 1, u64::MAX - 1, u64::MAX), 0);
    }
}
