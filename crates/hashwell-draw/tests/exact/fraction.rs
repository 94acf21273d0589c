//! Fractions, to add probabilities without rounding.

use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction(i128, i128);

impl Fraction {
    pub(crate) fn new(numerator: i128, denominator: i128) -> Self {
        let (mut a, mut b) = (numerator.abs(), denominator);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Self(numerator / a, denominator / a)
    }

    /// ⌊2^64 · self⌋ for a fraction from 0 to 1.
    pub(crate) fn words(self) -> u128 {
        // Denominators are small here.
        ((self.0 as u128) << 64) / self.1 as u128
    }
}

impl Add for Fraction {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }
}

impl Sub for Fraction {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self(-other.0, other.1)
    }
}

impl Mul for Fraction {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.0 * other.0, self.1 * other.1)
    }
}
