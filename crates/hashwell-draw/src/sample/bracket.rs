//! Computes where a reservoir's skip ends from a closed-form approximation, with a bound on its error.
//!
//! After t rows, the skip is the largest s with r(s) = t (t - 1) … (t - k + 1) / ((t + s) … (t + s - k + 1)) >= mark. r
//! also falls for real s, so the skip is ⌊s*⌋ with r(s*) = mark. Let c = t - (k - 1)/2 be the middle of the factors
//! above, and let j run from -(k - 1)/2 to (k - 1)/2 in steps of 1. The product of the factors c + j and c - j is c²
//! (1 - j²/c²), so that
//!
//! ```text
//! Σ ln(c + j) = k ln c - k E(c),   E(c) = Σ_{m >= 1} S_2m / (2m c^2m),   S_2m the mean of all j^2m:
//! r(s*) = mark   if and only if   ln(1 + s*/c) = a - D(s*),   a = -ln(mark)/k,   D(s) = E(c) - E(c + s).
//! ```
//!
//! Without D, this is s0 = c (e^a - 1), and s* <= s0 because D >= 0. With only D's first term D_1, in which S_2 = (k² -
//! 1)/12,
//!
//! ```text
//! s1 = s0 - (c + s0) D_1(s0) = c (e^a - 1) - (k² - 1)/12 · sinh(a) / c,
//! ```
//!
//! where everything except c depends only on the mark and k. These parts are computed in advance for several random
//! numbers, in SIMD lanes.
//!
//! **Error of s1.** Let h = k/(2c) <= 1/4. As j^2m is convex, S_2m <= (k/2)^2m / (2m + 1), and as 1 - (1 - p)^2m <= 2m
//! p, (c + s) D(s) <= s Σ S_2m c^-2m <= s B, where B = Σ h^2m/(2m + 1) <= 0.36 h²; and D <= E(c) <= B/2. Exactly, s0 -
//! s* = (c + s0) (1 - e^-D(s*)). The error s1 - s* therefore has three parts, each bounded by s0 times the given
//! factor:
//! - from using D instead of 1 - e^-D at s*: D²/2, thus B²/4;
//! - from using D at s0 instead of s*: s0 - s* <= s0 B, and D' <= B/(c + s*) between them, where (c + s0)/(c + s*) =
//!   e^D(s*) <= e^(B/2): thus B² e^(B/2);
//! - from D's terms after the first: Σ_{m >= 2} h^2m/(2m + 1) <= 0.22 h⁴.
//!
//! Their sum is less than 0.13 · 1.27 h⁴ + 0.22 h⁴ < h⁴/2.
//!
//! **Rounding errors**, in units of 2^-53: the mark has a relative error of 1 and its logarithm of 2; 1/k and the
//! product add 2, so that a is off by 1/k and 5a. c has a relative error of 3. e^a - 1 has a relative error of 4, plus
//! e^a times the error of a. The subtrahend, which is at most s0 h²/3, and the difference together are off by less than
//! 3 s0. `RELATIVE` and `ABSOLUTE` are more than four times these errors, which also covers the rounding of the bound
//! itself.

use super::skip::unit_of_mark;
use crate::number::{expm1, ln};

const E: f64 = 1.0 / (1_u64 << 53) as f64;
const RELATIVE: f64 = 48.0 * E;
const ABSOLUTE: f64 = 24.0 * E;

/// The part of a skip's end that depends only on the random number and k, not on the rows seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    /// e^a - 1.
    growth: f64,
    /// (k² - 1)/12 · sinh(a).
    bend: f64,
    /// The bound on rounding errors, divided by c.
    blur: f64,
    /// h⁴/2 · s0 · c³, the bound on the terms left out.
    tail: f64,
}

impl Bracket {
    /// A bracket that decides nothing.
    pub(super) const NONE: Self = Self { growth: 0.0, bend: 0.0, blur: f64::INFINITY, tail: 0.0 };

    /// Computes the brackets of these random numbers, for k slots with 1 <= k <= 2^40. Each step is computed for all
    /// numbers before the next step starts, so that dependent operations of one number overlap with those of the
    /// others.
    #[inline]
    pub(super) fn of<const N: usize>(words: [u64; N], k: u64) -> [Self; N] {
        let k = k as f64;
        let per_slot = 1.0 / k;
        let square = k * k;
        let (bends, tails) = ((square - 1.0) * (1.0 / 12.0), square * square * (1.0 / 32.0));
        let a = words.map(|word| -ln(unit_of_mark(word)) * per_slot);
        let growth = a.map(expm1);
        std::array::from_fn(|i| {
            let (a, growth) = (a[i], growth[i]);
            let sinh = growth - 0.5 * growth * growth / (1.0 + growth);
            Self {
                growth,
                bend: bends * sinh,
                blur: growth * RELATIVE + (1.0 + growth) * (per_slot + a) * ABSOLUTE,
                tail: growth * tails,
            }
        })
    }

    /// ⌊s*⌋ after `seen` rows, or 2^64 - 1 if it is larger. `None` if this method cannot decide: there are fewer than
    /// about 2.5·k rows, or s* is too close to an integer.
    #[inline]
    pub(super) fn end(&self, seen: u64, k: u64) -> Option<u64> {
        let k = k as f64;
        let c = seen as f64 - (k - 1.0) * 0.5;
        if c < 2.0 * k {
            return None;
        }
        let inverse = 1.0 / c;
        let end = c * self.growth - self.bend * inverse;
        let off = c * self.blur + inverse * inverse * (inverse * self.tail);
        // The conversion truncates, and turns negative values into 0, which is right because s* is not negative.
        let (least, most) = ((end - off) as u64, (end + off) as u64);
        (least == most).then_some(least)
    }
}

#[cfg(test)]
mod tests {
    use super::super::skip::{Growing, longest};
    use super::*;
    use hashwell::{CounterRng, RandomSource};

    /// The skip, computed with products of factors.
    fn slow(word: u64, seen: u64, k: u64) -> u64 {
        longest(&Growing { seen }, k, u64::MAX - seen, word)
    }

    fn quick(word: u64, seen: u64, k: u64) -> Option<u64> {
        Bracket::of([word], k)[0].end(seen, k).map(|end| end.min(u64::MAX - seen))
    }

    /// Returns random numbers of slots and rows: 1 to about 2^`bits` slots, and 2.5 to 2^30 times as many rows.
    fn sizes(words: &mut CounterRng, bits: u64) -> (u64, u64) {
        let mut below = |n: u64| words.next_u64().unwrap() % n;
        let bits = below(bits);
        let k = 1 + below(1 << bits);
        let times = below(31);
        (k, 5 * k / 2 + 1 + below(k << times))
    }

    #[test]
    fn what_it_tells_is_what_products_tell() {
        let mut words = CounterRng::new(&[8; 32]);
        let (mut told, mut near, mut all) = (0, 0, 0);
        for _ in 0..40_000 {
            let (k, seen) = sizes(&mut words, 11);
            // One random number in four is small and has a long skip.
            let word = words.next_u64().unwrap() >> [0, 0, 0, 40][all % 4];
            let (quick, slow) = (quick(word, seen, k), slow(word, seen, k));
            assert!(quick.is_none_or(|skip| skip == slow), "{word} {seen} {k}: {quick:?}");
            all += 1;
            if seen > 8 * k && slow < 1 << 32 {
                told += usize::from(quick.is_some());
                near += 1;
            }
        }
        assert!(near > 20_000 && told * 200 > near * 199, "{told} of {near}");
    }

    /// Tests the last random number that has a skip, and the next random number. For these, s* is as close to an
    /// integer as random numbers allow.
    #[test]
    fn words_at_the_edge_are_left_to_products_or_right() {
        let mut words = CounterRng::new(&[9; 32]);
        let mut left = 0;
        for _ in 0..600 {
            let (k, seen) = sizes(&mut words, 9);
            let middle = words.next_u64().unwrap();
            let skip = slow(middle, seen, k);
            let (mut low, mut high) = (middle, u64::MAX);
            while high - low > 1 {
                let half = low + (high - low) / 2;
                *if slow(half, seen, k) == skip { &mut low } else { &mut high } = half;
            }
            for word in [low, low.saturating_add(1)] {
                let quick = quick(word, seen, k);
                assert!(quick.is_none_or(|quick| quick == slow(word, seen, k)), "{word} {seen} {k}");
                left += u32::from(quick.is_none());
            }
        }
        // Floats can decide only a few of these cases, in which the random numbers are far enough apart.
        assert!(left > 1000, "{left}");
    }

    #[test]
    fn ends() {
        // This end is so far beyond 64 bits that floats can decide.
        assert_eq!(quick(0, 1 << 40, 2), Some(u64::MAX - (1 << 40)));
        assert_eq!(quick(u64::MAX, 1000, 100), Some(0));
        // There are too few rows to decide, or only the rows that fill the slots.
        for seen in [10, 20, 24] {
            assert_eq!(quick(1 << 63, seen, 10), None);
        }
        assert_eq!(Bracket::NONE.end(1000, 10), None);
        for (word, seen, k) in [(1 << 63, u64::MAX, 3), (1 << 63, u64::MAX, 1 << 40), (5, 1 << 41, 1 << 38)] {
            assert!(quick(word, seen, k).is_none_or(|skip| skip == slow(word, seen, k)), "{word} {seen} {k}");
        }
    }
}
