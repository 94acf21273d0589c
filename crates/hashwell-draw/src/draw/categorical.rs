//! One of several, by weight.

use super::below::below_u128;
use crate::Error;
use hashwell::Words;

/// An index with chance weight / sum, exactly: the first whose running sum exceeds below(sum). Eats as
/// [`below_u128`] of the sum: mostly one word.
///
/// # Errors
/// [`Error::OutOfRange`] if no weight is positive; [`Error::Words`].
pub fn categorical_exact(words: &mut (impl Words + ?Sized), weights: &[u64]) -> Result<usize, Error> {
    // 2^64 weights would be needed to overflow.
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

/// An index with chance weight / sum as far as floats go, by a rule that every language can follow: the weights are
/// summed from left to right, u of 0 <= u < 1 is multiplied by the sum, and the answer is the first index whose
/// running sum exceeds that; the last with a positive weight, should rounding leave none. Eats one word.
///
/// An index of weight 0 is never given. The step of u is 2^-53: what is lighter than 2^-53 of the sum has a chance
/// that is not its own; [`categorical_exact`] has no such limit.
///
/// # Errors
/// [`Error::OutOfRange`] for a weight that is negative, infinite or not a number, for a sum that is infinite, and if no
/// weight is positive; no word is eaten then. [`Error::Words`].
pub fn categorical(words: &mut (impl Words + ?Sized), weights: &[f64]) -> Result<usize, Error> {
    let mut sum = 0.0;
    let mut last = None;
    for (index, &weight) in weights.iter().enumerate() {
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(Error::weight(weight));
        }
        last = if weight > 0.0 { Some(index) } else { last };
        sum += weight;
    }
    let (Some(last), true) = (last, f64::is_finite(sum)) else {
        return Err(Error::range("the sum of the weights", "finite and more than 0", sum));
    };
    let mark = words.next_f64()? * sum;
    let mut running = 0.0;
    let exceeds = |&weight: &f64| {
        running += weight;
        running > mark
    };
    Ok(weights.iter().position(exceeds).unwrap_or(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;

    #[test]
    fn chances_are_the_weights() {
        let weights = [3, 0, 1, 4, 0];
        // The sum divides 2^64, so that eight words stand for all.
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
        // The mark is rounded up to the sum: nothing exceeds it.
        let weights = [f64::MIN_POSITIVE / 4.0, 0.0];
        assert_eq!(categorical(&mut Tape::new(&[u64::MAX]), &weights), Ok(0));
        assert_eq!(categorical(&mut Tape::new(&[0]), &[0.0, 1e-300]), Ok(1));
    }

    #[test]
    fn weights_are_numbers() {
        let sayings = [
            (vec![1.0, -1.0], "a weight must be a finite number of 0 or more, not -1"),
            (vec![f64::NAN], "a weight must be a finite number of 0 or more, not NaN"),
            (vec![f64::INFINITY], "a weight must be a finite number of 0 or more, not inf"),
            (vec![f64::MAX, f64::MAX], "the sum of the weights must be finite and more than 0, not inf"),
            (vec![0.0], "the sum of the weights must be finite and more than 0, not 0"),
            (vec![], "the sum of the weights must be finite and more than 0, not 0"),
        ];
        for (weights, saying) in sayings {
            assert_eq!(categorical(&mut Tape::new(&[]), &weights).unwrap_err().to_string(), saying);
        }
        assert!(categorical_exact(&mut Tape::new(&[]), &[0, 0]).is_err());
    }
}
