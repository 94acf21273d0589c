//! Numbers between 0 and 1, of 53 bits, in both conventions.

use crate::Error;
use hashwell::RandomSource;

/// 2^-53, the step of both.
pub(crate) const STEP: f64 = 1.0 / (1_u64 << 53) as f64;

/// u of 0 <= u < 1: (w >> 11) · 2^-53. It can be 0, whose logarithm is not a number of use; see [`unit_positive`].
/// Eats one word.
///
/// # Errors
/// [`Error::RandomSource`].
#[inline]
pub fn unit(words: &mut (impl RandomSource + ?Sized)) -> Result<f64, Error> {
    Ok(words.next_f64()?)
}

/// The [`unit`] of a word.
#[inline]
pub(crate) fn unit_of(word: u64) -> f64 {
    steps_of(word) * STEP
}

/// The [`unit`] of a word in steps of 2^-53: a whole number.
#[inline]
pub(crate) fn steps_of(word: u64) -> f64 {
    (word >> 11) as f64
}

/// u of 0 < u <= 1: ((w >> 11) + 1) · 2^-53. It is 1 - v for the v that the complement of the word gives in [`unit`].
/// Eats one word.
///
/// # Errors
/// [`Error::RandomSource`].
#[inline]
pub fn unit_positive(words: &mut (impl RandomSource + ?Sized)) -> Result<f64, Error> {
    Ok(((words.next_u64()? >> 11) + 1) as f64 * STEP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;

    #[test]
    fn ends_of_both_conventions() {
        let of = |word: u64| {
            (unit(&mut Tape::new(&[word])).unwrap(), unit_positive(&mut Tape::new(&[word])).unwrap())
        };
        assert_eq!(of(0), (0.0, STEP));
        assert_eq!(of(u64::MAX), (1.0 - STEP, 1.0));
        assert_eq!(of(1 << 63), (0.5, 0.5 + STEP));
        assert_eq!(of(0x7ff), of(0));
        for word in [1 << 63, 0x800, 0x0123_4567_89ab_cdef, u64::MAX] {
            assert_eq!(of(word).0, unit_of(word));
        }
        for word in [0, 5 << 50, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(of(word).1, 1.0 - of(!word).0);
        }
    }
}
