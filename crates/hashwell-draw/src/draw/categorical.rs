//! Draws an index with probability proportional to its weight.

use super::below::below_u128;
use crate::Error;
use crate::error::shown;
use hashwell::RandomSource;

/// Draws an index with probability exactly weight / sum. It draws a number from 0 to sum - 1 with [`below_u128`], and
/// returns the first index whose running sum of weights exceeds this number. Consumes as many random numbers as a call
/// of [`below_u128`] with the sum of the weights, usually one.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if no weight is positive, or [`Error::RandomSource`] if the random source fails.
pub fn categorical_exact(words: &mut (impl RandomSource + ?Sized), weights: &[u64]) -> Result<usize, Error> {
    // Overflow would need 2^64 weights.
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    if sum == 0 {
        return Err(Error::range("the sum of the weights", "more than 0", 0));
    }
    let mut left = below_u128(words, sum)?;
    for (index, &weight) in weights.iter().enumerate() {
        match left.checked_sub(weight.into()) {
            Some(rest) => left = rest,
            None => return Ok(index),
        }
    }
    unreachable!("a number below the sum of the weights is within one of them")
}

/// Draws an index with probability weight / sum, up to rounding, by a rule that every language can implement. The
/// weights are summed from left to right, and a random number u with 0 <= u < 1 is multiplied by the sum. The result is
/// the first index whose running sum exceeds the product. If there is no such index because of rounding, the result is
/// the last index with a positive weight. Consumes one random number.
///
/// An index of weight 0 is never returned. Because u is a multiple of 2^-53, an index whose weight is less than 2^-53
/// of the sum does not get its exact probability; [`categorical_exact`] has no such limit. If the sum of the k weights
/// is at least 2^-1022, then for every i, the probability of an index up to i has an error of at most (k + 1) · 2^-53.
/// This bound adds up the errors of k - 1 rounded sums (Jeannerod and Rump, "Improved error bounds for inner products
/// in floating-point arithmetic", 2013), of the rounded product, and of u.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if a weight is negative, infinite or not a number, if the sum is infinite, or if no
/// weight is positive; no random number is consumed in this case. Returns [`Error::RandomSource`] if the random source
/// fails.
pub fn categorical(words: &mut (impl RandomSource + ?Sized), weights: &[f64]) -> Result<usize, Error> {
    let (sum, last) = checked_sum(weights)?;
    let mark = words.next_f64()? * sum;
    let mut running = 0.0;
    let exceeds = |&weight: &f64| {
        running += weight;
        running > mark
    };
    Ok(weights.iter().position(exceeds).unwrap_or(last))
}

/// The sum of the weights from left to right, and the last index with a positive weight. Returns the same errors as
/// [`categorical`].
#[inline(always)]
pub(crate) fn checked_sum(weights: &[f64]) -> Result<(f64, usize), Error> {
    let mut sum = 0.0;
    let mut last = None;
    for (index, &weight) in weights.iter().enumerate() {
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(Error::weight(shown(weight)));
        }
        last = if weight > 0.0 { Some(index) } else { last };
        sum += weight;
    }
    match last {
        Some(last) if f64::is_finite(sum) => Ok((sum, last)),
        _ => Err(Error::range("the sum of the weights", "finite and more than 0", shown(sum))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;
    use num_bigint::BigUint;

    #[test]
    fn chances_are_the_weights() {
        let weights = [3, 0, 1, 4, 0];
        // The sum of the weights, 8, divides 2^64, so eight random numbers represent all others.
        let counts = (0..8).fold([0; 5], |mut counts, word| {
            counts[categorical_exact(&mut Tape::new(&[word]), &weights).unwrap()] += 1;
            counts
        });
        assert_eq!(counts, weights);
        let floats = weights.map(|weight| weight as f64);
        let counts = (0..8).fold([0; 5], |mut counts, word| {
            counts[categorical(&mut Tape::new(&[word << 61]), &floats).unwrap()] += 1;
            counts
        });
        assert_eq!(counts, weights);
        let huge = [u64::MAX; 3];
        assert_eq!(categorical_exact(&mut Tape::new(&[2, u64::MAX - 4]), &huge), Ok(2));
        assert_eq!(categorical_exact(&mut Tape::new(&[0, u64::MAX]), &huge), Ok(1));
    }

    #[test]
    fn the_end_has_a_weight() {
        // The product is rounded up to the sum, which no running sum exceeds.
        let weights = [f64::MIN_POSITIVE / 4.0, 0.0];
        assert_eq!(categorical(&mut Tape::new(&[u64::MAX]), &weights), Ok(0));
        assert_eq!(categorical(&mut Tape::new(&[0]), &[0.0, 1e-300]), Ok(1));
    }

    /// The number of units, out of 2^53, that give an index of at most `index`. These are the smallest units.
    fn units(weights: &[f64], index: usize) -> u64 {
        let (mut low, mut high) = (0, 1 << 53);
        while low < high {
            let unit = (low + high) / 2;
            if categorical(&mut Tape::new(&[unit << 11]), weights).unwrap() <= index {
                low = unit + 1;
            } else {
                high = unit;
            }
        }
        low
    }

    /// For each index, compares the probability of the indices up to it with their share of the sum. Returns the
    /// largest deviation in units of 2^-53, rounded down. Weights are multiples of 2^-60, so integers are exact.
    fn farthest(weights: &[f64]) -> BigUint {
        let exact = |weight: f64| {
            let (bits, power) =
                (weight.to_bits() & ((1 << 52) - 1) | 1 << 52, (weight.to_bits() >> 52) as i32);
            BigUint::from(bits) << u32::try_from(power - 1075 + 60).unwrap()
        };
        let sum: BigUint = weights.iter().copied().map(exact).sum();
        let mut part = BigUint::ZERO;
        let far = weights.iter().enumerate().map(|(index, &weight)| {
            part += exact(weight);
            let (is, must) = (units(weights, index) * &sum, &part << 53_u32);
            if is > must { is - must } else { must - is }
        });
        far.max().unwrap() / sum
    }

    #[test]
    fn chances_are_as_near_as_is_said() {
        let mut words = crate::Key([7; 32]).words();
        let mut most = BigUint::ZERO;
        for k in [1, 2, 3, 10, 100] {
            for round in 0..20 {
                let scale = if round % 2 == 0 { 1.0 } else { 1e6 };
                let weight = |_| 1.0 + scale * crate::draw::unit(&mut words).unwrap();
                let weights: Vec<f64> = (0..k).map(weight).collect();
                let far = farthest(&weights);
                assert!(far <= BigUint::from(k as u64 + 1), "{weights:?}: {far}");
                most = most.max(far);
            }
        }
        // The step of u by itself would contribute only 1.
        assert!(most > BigUint::from(3_u64), "{most}");
        // Without rounding of sums, only the rounding of the product and the step of u are left.
        assert!(farthest(&[1.0; 1000]) <= BigUint::from(2_u64));
    }

    #[test]
    fn weights_are_numbers() {
        let sayings = [
            (vec![1.0, -1.0], "a weight must be a finite number of at least 0, not -1"),
            (vec![f64::NAN], "a weight must be a finite number of at least 0, not NaN"),
            (vec![f64::INFINITY], "a weight must be a finite number of at least 0, not inf"),
            (vec![f64::MAX, f64::MAX], "the sum of the weights must be finite and more than 0, not inf"),
            (vec![-1e300], "a weight must be a finite number of at least 0, not -1e300"),
            (vec![0.0], "the sum of the weights must be finite and more than 0, not 0"),
            (vec![], "the sum of the weights must be finite and more than 0, not 0"),
        ];
        for (weights, saying) in sayings {
            assert_eq!(categorical(&mut Tape::new(&[]), &weights).unwrap_err().to_string(), saying);
        }
        assert!(categorical_exact(&mut Tape::new(&[]), &[0, 0]).is_err());
    }
}
