//! Bernoulli samples that skip from one selected row to the next.

use super::power::{Fraction, powers_above};
use crate::number::{Ratio, ln, log1p, minus_ln_unit};
use crate::{Error, RandomSource};
use num_bigint::BigUint;

/// A Bernoulli sample that skips rows without looking at them. Every row has the same probability p. The gap is the
/// number of rows to skip before the next row in the sample. It is the number of integers s >= 1 with (1 - p)^s >= U,
/// where U is uniform, so a gap of s has probability (1 - p)^s·p.
///
/// **Exactness**: U has as many binary digits as are needed to determine the gap. The first random number gives 64
/// digits, and floating-point arithmetic with an error bound nearly always determines the gap from them. Otherwise, the
/// gap is computed with big integers. If 64 digits still allow two gaps, another random number appends 64 more digits.
/// The distribution has no error at all, not even 2^-64, and the gaps are the same on every machine.
///
/// Consumes one random number for each gap, and a second one with a probability of about (1 + ln(2^64·p))·2^-64/p, for
/// p well above 2^-64. p = 1 and p = 0 consume no random numbers. Computing a gap takes about 30 ns, or up to a
/// millisecond if 1/p exceeds 10^11.
///
/// Gaps are memoryless: if each part of a file has its own random numbers, the samples of the parts can be concatenated
/// into one sample.
#[derive(Clone, Debug)]
pub struct BernoulliSkips<W> {
    words: W,
    /// 1 - p.
    q: Ratio,
    /// -ln q, with a relative error of at most 2^-49.
    rate: f64,
}

impl<W: RandomSource> BernoulliSkips<W> {
    /// Starts a sample with probability `p`.
    ///
    /// # Errors
    /// This function currently never fails.
    pub fn new(words: W, p: &Ratio) -> Result<Self, Error> {
        let q = p.complement();
        // The logarithm is computed from the smaller of p and q, because its float is accurate to the last digit.
        let rate = if p.to_f64() < 0.5 { -log1p(-p.to_f64()) } else { -ln(q.to_f64()) };
        Ok(Self { words, q, rate })
    }

    /// Returns the number of rows to skip before the next row in the sample, or `u64::MAX` if this number is 2^64 - 1
    /// or more.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn skip(&mut self) -> Result<u64, Error> {
        if self.q == Ratio::ONE {
            return Ok(u64::MAX);
        }
        if self.q == Ratio::ZERO {
            return Ok(0);
        }
        let word = self.words.next_u64()?;
        match self.guess(word) {
            Some(gap) => Ok(gap),
            None => self.decide(word),
        }
    }

    /// The gap, if floats determine it for every U that begins with this random number.
    #[inline]
    fn guess(&self, word: u64) -> Option<u64> {
        // -ln U differs from the value at the interval's middle by less than 1/word: ln(1 + 1/(2·word)) < 1/(2·word).
        let quotient = minus_ln_unit(word) / self.rate;
        // Together, the errors of both logarithms, of the quotient and of p as a float are below 2^-48 of the quotient:
        // 16 roundings.
        const OFF: f64 = 1.0 / (1_u64 << 47) as f64;
        let doubt = quotient * OFF + 1.0 / (word as f64 * self.rate);
        let (least, most) = (quotient - doubt, quotient + doubt);
        const ALL: f64 = (1_u128 << 64) as f64;
        if least > ALL {
            return Some(u64::MAX);
        }
        // Casts turn negative values into 0, and are exact here.
        let exact = most < (1_u64 << 52) as f64 && least as u64 == most as u64;
        exact.then_some(least as u64)
    }

    /// Determines the gap with integers.
    #[cold]
    fn decide(&mut self, word: u64) -> Result<u64, Error> {
        let (mut digits, mut bits) = (BigUint::from(word), 64);
        loop {
            // U is between these two fractions. With probability 1, it equals neither of them.
            let low = Fraction { digits: digits.clone(), bits };
            let high = Fraction { digits: &digits + 1_u8, bits };
            let gap = powers_above(&self.q, &high, false);
            if gap == powers_above(&self.q, &low, true) {
                return Ok(gap);
            }
            digits = (digits << 64) + self.words.next_u64()?;
            bits += 64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;
    use hashwell::{ByteSource, CounterRng};

    fn ratio(text: &str) -> Ratio {
        text.parse().unwrap()
    }

    #[test]
    fn what_floats_decide_integers_decide_alike() {
        let mut words = CounterRng::new(&[4; 32]);
        for p in ["1/2", "1/3", "0.9", "0.999999999999999999", "0.01", "1e-6", "1e-9", "123/456789"] {
            let mut skips = BernoulliSkips::new(Tape::new(&[]), &ratio(p)).unwrap();
            let mut guessed = 0;
            for i in 0..60 {
                // Test all magnitudes of U, and of 1 - U.
                let word = words.next_word() >> (i % 60);
                let word = if i % 2 == 0 { word } else { !word };
                if let Some(gap) = skips.guess(word) {
                    assert_eq!(skips.decide(word).unwrap(), gap, "{p}, {word}");
                    guessed += 1;
                }
            }
            assert!(guessed > 30, "{p}: {guessed}");
        }
    }

    #[test]
    fn words_at_a_power_are_decided_exactly() {
        // (2/3)^s·2^64, truncated, is the last random number that may have gap s; all smaller ones have at least this
        // gap.
        let skips = |word: u64| {
            let tape = [word, 1 << 63];
            let mut skips = BernoulliSkips::new(Tape::new(&tape), &ratio("1/3")).unwrap();
            let gap = skips.skip().unwrap();
            (gap, skips.words.stream_position().unwrap() / 8)
        };
        let mut power = [BigUint::from(1_u8) << 64, BigUint::from(1_u8)];
        for s in 1..=100_u64 {
            power = [&power[0] * 2_u8, &power[1] * 3_u8];
            let edge = u64::try_from(&power[0] / &power[1]).unwrap();
            let fraction = &power[0] % &power[1];
            if edge < 10 {
                break;
            }
            assert_eq!((skips(edge - 1), skips(edge + 1)), ((s, 1), (s - 1, 1)), "{s}");
            // The second random number makes U = (edge + ½)/2^64, which decides the gap.
            let above = &fraction * 2_u8 > power[1];
            assert_eq!(skips(edge), (if above { s } else { s - 1 }, 2), "{s}");
        }
    }

    /// For p = 1/2, the gap is the number of zeros before U's first digit 1, across any number of random numbers.
    #[test]
    fn halves_count_zeros() {
        for zeros in 0..190_u64 {
            let mut tape = [u64::MAX / 3; 4];
            for (at, word) in tape.iter_mut().enumerate() {
                let own = zeros.saturating_sub(64 * at as u64);
                *word = match own {
                    0 => *word,
                    64.. => 0,
                    own => u64::MAX >> own,
                };
            }
            tape[zeros as usize / 64] |= 1 << (63 - zeros % 64);
            let mut skips = BernoulliSkips::new(Tape::new(&tape), &ratio("0.5")).unwrap();
            assert_eq!(skips.skip().unwrap(), zeros);
            assert!(skips.words.stream_position().unwrap() <= 8 * u128::from(zeros / 64 + 1));
        }
    }

    #[test]
    fn ends() {
        let gap = |p: &str, word| BernoulliSkips::new(Tape::new(&[word, 0]), &ratio(p)).unwrap().skip();
        assert_eq!(BernoulliSkips::new(Tape::new(&[]), &Ratio::ZERO).unwrap().skip(), Ok(u64::MAX));
        assert_eq!(BernoulliSkips::new(Tape::new(&[]), &Ratio::ONE).unwrap().skip(), Ok(0));
        // U = 1 - 2^-65 has a gap of about 2^-65/p rows.
        let tiny = "1/340282366920938463463374607431768211455";
        assert_eq!(gap(tiny, 1 << 63), Ok(u64::MAX));
        assert_eq!(gap("1e-15", u64::MAX), Ok(0));
        assert!(BernoulliSkips::new(Tape::new(&[]), &ratio("0.5")).unwrap().skip().is_err());
    }
}
