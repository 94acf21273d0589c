//! Exact Bernoulli trials with a rational probability.

use crate::Error;
use crate::number::{Ratio, binary_digits};
use hashwell::RandomSource;

/// Returns true with exactly the probability `p`, like [`bernoulli_of`] with the numerator and denominator of `p`.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails.
pub fn bernoulli(words: &mut (impl RandomSource + ?Sized), p: &Ratio) -> Result<bool, Error> {
    bernoulli_of(words, p.numerator(), p.denominator())
}

/// Returns true with probability exactly numerator / denominator. The random numbers are the binary digits of a number
/// U with 0 <= U < 1, 64 digits at a time. The result is true if U < p, where p = numerator / denominator. Digits of p
/// are computed only as long as they agree with those of U.
///
/// Consumes no random number for p = 0 and p = 1. Otherwise it consumes one, and one more each time that 64 digits
/// agree and p has further digits (probability 2^-64).
///
/// # Errors
/// Returns [`Error::OutOfRange`] if the denominator is 0 or less than the numerator, or [`Error::RandomSource`] if the
/// random source fails.
pub fn bernoulli_of(
    words: &mut (impl RandomSource + ?Sized),
    numerator: u128,
    denominator: u128,
) -> Result<bool, Error> {
    if numerator > denominator || denominator == 0 {
        let got = format!("{numerator}/{denominator}");
        return Err(Error::range("a probability", "a fraction from 0 to 1", got));
    }
    if numerator == denominator {
        return Ok(true);
    }
    let mut rest = numerator;
    // If p has no further digits, U is at least p.
    while rest > 0 {
        let digits;
        (digits, rest) = next_digits(rest, denominator);
        let word = words.next_u64()?;
        if word != digits {
            return Ok(word < digits);
        }
    }
    Ok(false)
}

/// ⌊rest · 2^64 / denominator⌋ and the remainder, for rest < denominator.
fn next_digits(rest: u128, denominator: u128) -> (u64, u128) {
    if denominator <= 1 << 64 {
        // The quotient is below 2^64, as rest is below the denominator.
        let wide = rest << 64;
        return ((wide / denominator) as u64, wide % denominator);
    }
    let (digits, rest) = binary_digits(rest, denominator, 64);
    (digits as u64, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::ByteSource;
    use hashwell::random::Tape;

    fn eats(tape: &[u64], numerator: u128, denominator: u128) -> (bool, u128) {
        let mut tape = Tape::new(tape);
        let yes = bernoulli_of(&mut tape, numerator, denominator).unwrap();
        (yes, tape.stream_position().unwrap() / 8)
    }

    #[test]
    fn digits_are_compared_to_their_end() {
        assert_eq!((eats(&[], 0, 5), eats(&[], 5, 5)), ((false, 0), (true, 0)));
        // 1/2 ends after its first digit.
        assert_eq!((eats(&[(1 << 63) - 1], 3, 6), eats(&[1 << 63], 3, 6)), ((true, 1), (false, 1)));
        // 1/3 = 0.010101… never ends.
        let third = u64::MAX / 3;
        assert_eq!(eats(&[third - 1], 1, 3), (true, 1));
        assert_eq!(eats(&[third + 1], 1, 3), (false, 1));
        assert_eq!(eats(&[third, third, third - 1], 1, 3), (true, 3));
        assert_eq!(eats(&[third, third + 1], 1, 3), (false, 2));
        // The same with a denominator of 128 bits.
        assert_eq!(eats(&[(1 << 63) - 1], 1 << 64, 1 << 65), (true, 1));
        let big = u128::MAX / 3;
        assert_eq!(eats(&[third, third, third - 1], big, 3 * big), (true, 3));
        // In binary, 2^-128 begins with 64 zeros, and the next 64 digits are the number 1.
        let least = |tape| eats(tape, 1, u128::MAX);
        assert_eq!((least(&[1]), least(&[0, 0]), least(&[0, 2])), ((false, 1), (true, 2), (false, 2)));
        // 1 / (2^128 - 1) = 2^-128 + 2^-256 + …
        assert_eq!((least(&[0, 1, 0, 0]), least(&[0, 1, 0, 2])), ((true, 4), (false, 4)));
    }

    #[test]
    fn long_division_is_division() {
        for (rest, denominator) in [(1, 3), (5, 7), (u128::MAX - 1, u128::MAX), (1 << 127, (1 << 127) + 1)] {
            let mut digits = Vec::new();
            let mut left = rest;
            for _ in 0..4 {
                let word;
                (word, left) = next_digits(left, denominator);
                digits.push(word);
            }
            // Compute the digits one by one with a different method: shift and subtract in numbers with one more bit.
            let (mut left, mut slow) = ((false, rest), Vec::new());
            for _ in 0..256 {
                left = (left.1 >> 127 == 1, left.1 << 1);
                let one = left.0 || left.1 >= denominator;
                slow.push(one);
                left = (false, if one { left.1.wrapping_sub(denominator) } else { left.1 });
            }
            let bits = |word: &u64| (0..64).rev().map(|at| word >> at & 1 == 1).collect::<Vec<_>>();
            assert_eq!(digits.iter().flat_map(bits).collect::<Vec<_>>(), slow);
        }
    }

    #[test]
    fn ratios_are_fractions() {
        let third: Ratio = "1/3".parse().unwrap();
        let yes = |word| bernoulli(&mut Tape::new(&[word]), &third).unwrap();
        assert_eq!((yes(u64::MAX / 3 - 1), yes(u64::MAX / 3 + 1)), (true, false));
        let of = |p| bernoulli(&mut Tape::new(&[]), p);
        assert_eq!((of(&Ratio::ZERO), of(&Ratio::ONE)), (Ok(false), Ok(true)));
        assert!(matches!(of(&third), Err(Error::RandomSource(_))));
    }

    #[test]
    fn chances_are_fractions() {
        for (numerator, denominator) in [(2, 1), (0, 0), (u128::MAX, 5)] {
            assert!(bernoulli_of(&mut Tape::new(&[]), numerator, denominator).is_err());
        }
    }
}
