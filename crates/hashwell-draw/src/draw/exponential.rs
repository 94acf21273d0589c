//! Exponentially distributed times, drawn with comparisons only.

use super::below::next_u128;
use crate::Error;
use hashwell::RandomSource;
use std::cmp::Ordering;

/// An exponentially distributed time E, truncated after 128 binary digits of the fraction. It is drawn by
/// [`exponential`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exponential {
    /// The integer part of E.
    pub whole: u64,
    /// The first 128 binary digits of E after the point.
    pub fraction: u128,
}

/// Draws an exponentially distributed time by von Neumann's method ("Various techniques used in connection with random
/// digits", 1951), with integers only. It draws numbers x with 0 <= x < 2^128 as long as each is *less* than the one
/// before. Each x consists of two random numbers, the first of which is the upper half. If the length of this
/// decreasing run is odd, its first number x₁ is the fraction. If the length is even, the integer part increases by
/// one, and another run is drawn.
///
/// **Exact distribution**: with N = 2^128, the number m = whole · N + fraction has probability (1 - 1/N)^m / N. To see
/// this, take x₁ as given. Then x₁ > … > xᵢ₊₁ has probability C(x₁, i) / Nⁱ, so the length of the run is odd with
/// probability Σ (-1)ⁱ C(x₁, i) / Nⁱ = (1 - 1/N)^x₁. On average over x₁, the length is even with probability (1 -
/// 1/N)^N. This is the distribution of ⌊E · N⌋ for an exponential E of rate -N · ln(1 - 1/N) = 1 + 2^-129 + …. If times
/// only race each other, as in weighted sampling, they all have the same rate, which cancels, so the truncated times
/// are those of an exact race. The same holds for numbers of b bits and N = 2^b. The tests check this by enumeration.
///
/// Consumes at least 4 random numbers, and 2 · e² / (e - 1) = 8.60 on average (4.30 numbers of 128 bits). There is no
/// upper bound: after each run, another one is needed with probability 1 / e.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails.
pub fn exponential(words: &mut (impl RandomSource + ?Sized)) -> Result<Exponential, Error> {
    let (whole, fraction) = by_comparisons(|| next_u128(words))?;
    Ok(Exponential { whole, fraction })
}

fn by_comparisons<X: PartialOrd + Copy>(
    mut next: impl FnMut() -> Result<X, Error>,
) -> Result<(u64, X), Error> {
    let mut whole = 0;
    loop {
        let first = next()?;
        let (mut last, mut odd) = (first, true);
        loop {
            let x = next()?;
            if x >= last {
                break;
            }
            (last, odd) = (x, !odd);
        }
        if odd {
            return Ok((whole, first));
        }
        whole += 1;
    }
}

impl Exponential {
    /// Compares this time, divided by `weight`, with the other time, divided by `other_weight`. The comparison uses
    /// products of integers.
    ///
    /// If 128 digits are not enough to distinguish two quotients, they are `Equal` or, if the weights differ, may be in
    /// the wrong order. This has a probability below (weight + other weight) · 2^-128. Break ties by another property,
    /// such as an id. Times with weight 0 come last and are equal.
    #[must_use]
    pub fn cmp_over(&self, weight: u128, other: &Self, other_weight: u128) -> Ordering {
        if weight == 0 || other_weight == 0 {
            return (weight == 0).cmp(&(other_weight == 0));
        }
        times(self.digits(), halves(other_weight)).cmp(&times(other.digits(), halves(weight)))
    }

    /// The time E as a float. It is computed by additions and a multiplication by a power of two, so it is the same on
    /// every machine.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        const STEP: f64 = 1.0 / (1_u128 << 127) as f64 / 2.0;
        self.whole as f64 + self.fraction as f64 * STEP
    }

    fn digits(&self) -> [u64; 3] {
        let [high, low] = halves(self.fraction);
        [self.whole, high, low]
    }
}

fn halves(number: u128) -> [u64; 2] {
    [(number >> 64) as u64, number as u64]
}

/// a · b in base 2^64, highest digit first, for numbers of three and two digits.
fn times(a: [u64; 3], b: [u64; 2]) -> [u64; 5] {
    let mut product = [0; 5];
    for (i, &a) in a.iter().enumerate().rev() {
        let mut carry = 0;
        for (j, &b) in b.iter().enumerate().rev() {
            let wide = u128::from(a) * u128::from(b) + u128::from(product[i + j + 1]) + carry;
            (product[i + j + 1], carry) = (wide as u64, wide >> 64);
        }
        product[i] = carry as u64;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;
    use hashwell::{ByteSource, CounterRng};

    /// Enumerates all tapes of `len` numbers on a grid of N points. Returns the number of tapes that give each m, in
    /// units of N^-len.
    fn enumerated(grid: u32, len: u32) -> Vec<u64> {
        let mut counts = vec![0; 3 * grid as usize];
        for tape in 0..grid.pow(len) {
            let mut at = 0;
            let next = || {
                at += 1;
                if at > len {
                    return Err(Error::Memory { what: "the tape" });
                }
                Ok(tape / grid.pow(at - 1) % grid)
            };
            let Ok((whole, first)) = by_comparisons(next) else { continue };
            if let Some(count) = counts.get_mut(whole as usize * grid as usize + first as usize) {
                *count += 1;
            }
        }
        counts
    }

    #[test]
    fn the_law_is_the_one_that_is_written() {
        // A round on a grid of 3 points has at most 4 numbers, so tapes of 4 cover the first round.
        for (grid, len) in [(2_u32, 3), (3, 4), (4, 5), (5, 6)] {
            let counts = enumerated(grid, len);
            for m in 0..grid {
                // (1 - 1/N)^m / N, in units of N^-len
                let must = u64::from(grid - 1).pow(m) * u64::from(grid).pow(len - 1 - m);
                assert_eq!(counts[m as usize], must, "{m} on a grid of {grid}");
            }
        }
        // The second round continues with the same distribution.
        let counts = enumerated(2, 6);
        assert_eq!(counts[2..4], [1 << 3, 1 << 2], "(1/2)^2 / 2 and (1/2)^3 / 2 of 64");
    }

    #[test]
    fn words_are_counted() {
        let eats = |tape: &[u64]| {
            let mut tape = Tape::new(tape);
            (exponential(&mut tape).unwrap(), tape.stream_position().unwrap() / 8)
        };
        let of = |whole, fraction| Exponential { whole, fraction };
        assert_eq!(eats(&[1, 2, 1, 3]), (of(0, (1 << 64) + 2), 4));
        // Equal numbers end a falling run.
        assert_eq!(eats(&[1, 2, 1, 2]), (of(0, (1 << 64) + 2), 4));
        assert_eq!(eats(&[5, 0, 4, 0, 4, 1, 3, 0, 7, 0]), (of(1, 3 << 64), 10));
        assert_eq!(eats(&[5, 0, 4, 0, 3, 0, 3, 0]), (of(0, 5 << 64), 8));
    }

    #[test]
    fn means() {
        let mut words = CounterRng::new(&[12; 32]);
        let draws = 100_000;
        let (mut sum, mut least_of_two) = (0.0, 0.0);
        let mut before = 0.0;
        for i in 0..draws {
            let time = exponential(&mut words).unwrap().to_f64();
            sum += time;
            least_of_two += if i % 2 == 1 { f64::min(time, before) } else { 0.0 };
            before = time;
        }
        // Standard deviations: 1 / sqrt(100000) = 0.0032 for the mean, 0.0022 for half of the minimum over 50000 pairs,
        // 0.03 for the count of random numbers.
        let n = f64::from(draws);
        let eaten = words.position() as f64 / 8.0 / n;
        assert!((sum / n - 1.0).abs() < 0.016, "{}", sum / n);
        assert!((least_of_two / n * 2.0 - 0.5).abs() < 0.011);
        assert!((eaten - 8.600).abs() < 0.1, "{eaten}");
    }

    #[test]
    fn races_are_products() {
        let of = |whole, fraction| Exponential { whole, fraction };
        let half = of(0, 1 << 127);
        assert_eq!(half.cmp_over(1, &of(1, 0), 2), Ordering::Equal);
        assert_eq!(half.cmp_over(1, &of(1, 1), 2), Ordering::Less);
        assert_eq!(of(0, 2).cmp_over(u128::MAX, &of(0, 1), u128::MAX - 1), Ordering::Greater);
        assert_eq!(of(u64::MAX, 0).cmp_over(u128::MAX, &of(1, 0), 1), Ordering::Less);
        assert_eq!(
            (half.cmp_over(0, &half, 1), half.cmp_over(0, &half, 0)),
            (Ordering::Greater, Ordering::Equal)
        );
        // For a time of 0, all products are equal.
        let at_once = of(0, 0);
        assert_eq!(
            (at_once.cmp_over(0, &half, 1), half.cmp_over(1, &at_once, 0)),
            (Ordering::Greater, Ordering::Less)
        );
        assert_eq!((half.to_f64(), of(3, 0).to_f64()), (0.5, 3.0));
    }

    #[test]
    fn of_five_digits() {
        let most = u64::MAX;
        // (2^192 - 1)(2^128 - 1) = 2^320 - 2^192 - 2^128 + 1
        assert_eq!(times([most; 3], [most; 2]), [most, most - 1, most, 0, 1]);
        assert_eq!(times([0, 0, 6], [0, 7]), [0, 0, 0, 0, 42]);
        assert_eq!(times([1, 0, 0], [1, 0]), [0, 1, 0, 0, 0]);
    }
}
