//! Compares a power of a probability with a fraction, in integers.

use crate::number::Ratio;
use num_bigint::BigUint;

/// A fraction `digits`/2^`bits`, from 0 to 1.
pub(super) struct Fraction {
    pub(super) digits: BigUint,
    pub(super) bits: u64,
}

/// The number of integers s >= 1 for which q^s is at least the fraction, or above the fraction if `strictly`. Returns
/// at most 2^64 - 1. q must not be 1.
pub(super) fn powers_above(q: &Ratio, fraction: &Fraction, strictly: bool) -> u64 {
    if strictly && fraction.digits == BigUint::ZERO && q.numerator() > 0 {
        return u64::MAX;
    }
    // s = 0 always satisfies the condition. If one s does not, no larger s does.
    let (mut has, mut has_not) = (0, 1_u128 << 64);
    while has_not - has > 1 {
        let middle = has + (has_not - has) / 2;
        if exceeds(q, middle as u64, fraction, strictly) {
            has = middle;
        } else {
            has_not = middle;
        }
    }
    has as u64
}

/// Returns true if q^s is at least the fraction, or above the fraction if `strictly`. Computes two fixed-point bounds
/// on q^s, with more and more digits until they agree. The loop always ends: if the power equals the fraction, the
/// bounds are exact from some number of digits on. Otherwise, they exclude the fraction from some number of digits on.
fn exceeds(q: &Ratio, s: u64, fraction: &Fraction, strictly: bool) -> bool {
    // 64 squarings and multiplications lose at most 2^66 units of the last digit.
    let mut places = fraction.bits + 128;
    loop {
        let [low, high] = power(q, s, places);
        let bound = &fraction.digits << (places - fraction.bits);
        if low > bound || (low == bound && !strictly) {
            return true;
        }
        if high < bound || (high == bound && strictly) {
            return false;
        }
        places *= 2;
    }
}

/// A lower and an upper bound on q^s, in units of 2^-places.
fn power(q: &Ratio, s: u64, places: u64) -> [BigUint; 2] {
    let denominator = BigUint::from(q.denominator());
    let scaled = BigUint::from(q.numerator()) << places;
    let up = &denominator - 1_u8;
    let base = [&scaled / &denominator, (scaled + up) / denominator];
    let one = BigUint::from(1_u8) << places;
    let less_than_a_unit = &one - 1_u8;
    let times = |a: &[BigUint; 2], b: &[BigUint; 2]| {
        [(&a[0] * &b[0]) >> places, (&a[1] * &b[1] + &less_than_a_unit) >> places]
    };
    let mut result = [one.clone(), one.clone()];
    for bit in (0..u64::BITS - s.leading_zeros()).rev() {
        result = times(&result, &result);
        if s >> bit & 1 == 1 {
            result = times(&result, &base);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(q: &str, digits: u128, bits: u64, strictly: bool) -> u64 {
        powers_above(&q.parse().unwrap(), &Fraction { digits: digits.into(), bits }, strictly)
    }

    #[test]
    fn powers_that_are_equal_are_told_from_those_that_are_not() {
        // (1/2)^s and 2^-64.
        assert_eq!((above("1/2", 1, 64, false), above("1/2", 1, 64, true)), (64, 63));
        assert_eq!((above("1/2", 3, 64, false), above("1/2", 2, 64, true)), (62, 62));
        // (3/4)^3 = 27/64.
        assert_eq!((above("3/4", 27, 6, false), above("3/4", 27, 6, true)), (3, 2));
        assert_eq!((above("3/4", 28, 6, false), above("3/4", 26, 6, true)), (2, 3));
        // If q is 0, no power q^s with s >= 1 is above 0 or reaches 1.
        assert_eq!((above("0", 0, 64, true), above("0", 1, 64, false)), (0, 0));
        assert_eq!((above("2/3", 1, 0, false), above("2/3", 0, 9, true)), (0, u64::MAX));
        // (1 - 2^-127)^s >= 1/2 holds for s up to 2^127·ln 2, which exceeds 64 bits.
        let nearly = format!("{}/{}", u128::MAX / 2, 1_u128 << 127);
        assert_eq!(above(&nearly, 1, 1, false), u64::MAX);
    }

    /// The first digits of these powers equal the fraction's, so more digits are computed until they differ.
    #[test]
    fn digits_are_computed_until_they_differ() {
        let fraction = |digits: u8| Fraction { digits: digits.into(), bits: 0 };
        let (least, most) =
            (Ratio::new(1, u128::MAX).unwrap(), Ratio::new(u128::MAX - 1, u128::MAX).unwrap());
        for s in [2, 3, 9] {
            assert!(exceeds(&least, s, &fraction(0), true), "a power of 2^-128 is more than 0");
            for strictly in [false, true] {
                assert!(!exceeds(&most, s, &fraction(1), strictly), "one of 1 - 2^-128 is less than 1");
            }
        }
    }

    #[test]
    fn powers_are_those_of_fractions() {
        for (a, b) in [(1_u128, 3_u128), (2, 3), (9, 10), (7, 8), (99, 100)] {
            let q = Ratio::new(a, b).unwrap();
            for digits in 1..=256_u128 {
                // Counts s upwards while a^s·256 >= digits·b^s.
                let (mut s, mut power) = (0, [BigUint::from(a) << 8, BigUint::from(b) * digits]);
                while power[0] >= power[1] {
                    s += 1;
                    power = [&power[0] * a, &power[1] * b];
                }
                let fraction = Fraction { digits: digits.into(), bits: 8 };
                assert_eq!(powers_above(&q, &fraction, false), s, "{a}/{b}, {digits}/256");
            }
        }
    }
}
