//! Floats between 0 and 1 with 53 bits, in both conventions: with 0 but without 1, and with 1 but without 0.

use crate::Error;
use hashwell::RandomSource;

/// 2^-53, the step of both conventions.
pub(crate) const STEP: f64 = 1.0 / (1_u64 << 53) as f64;

/// Returns a number u with 0 <= u < 1. It is (w >> 11) · 2^-53, where w is the next random number. The result can be 0,
/// which has no logarithm; use [`unit_positive`] if you need the logarithm. Consumes one random number.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails.
#[inline]
pub fn unit(words: &mut (impl RandomSource + ?Sized)) -> Result<f64, Error> {
    Ok(words.next_f64()?)
}

/// The result of [`unit`] for a random number.
#[inline]
pub(crate) fn unit_of(word: u64) -> f64 {
    steps_of(word) * STEP
}

/// The result of [`unit`] for a random number, as an integer number of steps of 2^-53.
#[inline]
pub(crate) fn steps_of(word: u64) -> f64 {
    (word >> 11) as f64
}

/// Returns a number u with 0 < u <= 1. It is ((w >> 11) + 1) · 2^-53, where w is the next random number. This is equal
/// to 1 - v, where v is the [`unit()`] of the bitwise complement of w. Consumes one random number.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails.
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
