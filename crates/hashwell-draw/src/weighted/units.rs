//! Weights as integers of any size.

use crate::{Error, RandomSource};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// Integers that count units of weight. Samplers add and multiply them, and compare fractions of them with uniform
/// numbers.
pub trait Units: Clone + Ord + Default {
    /// The sum of both numbers, or `None` if it overflows.
    fn plus(&self, other: &Self) -> Option<Self>;

    /// This number minus `other`, which must not be larger.
    #[must_use]
    fn minus(&self, other: &Self) -> Self;

    /// This number times `factor`, or `None` if the product overflows.
    fn times(&self, factor: usize) -> Option<Self>;

    /// This number as an integer of any size.
    fn big(&self) -> BigUint;

    /// Returns true if a uniform number whose first 64 binary digits are `digits` is below `self / whole`. Returns
    /// `None` if these digits do not determine the answer, or if the numbers are too large for the fast path.
    fn decide(&self, whole: &Self, digits: u64) -> Option<bool>;
}

impl Units for u128 {
    fn plus(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other)
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn times(&self, factor: usize) -> Option<Self> {
        self.checked_mul(factor as u128)
    }

    fn big(&self) -> BigUint {
        BigUint::from(*self)
    }

    #[inline]
    fn decide(&self, whole: &Self, digits: u64) -> Option<bool> {
        // The uniform number is between digits / 2^64 and (digits + 1) / 2^64, so its product with `whole` is between
        // these bounds. The lower bound is rounded down, and the upper bound is rounded up.
        let low = u128::from(digits) * u128::from(*whole as u64);
        let lower = u128::from(digits) * (whole >> 64) + (low >> 64);
        let (low, carry) = (low as u64).overflowing_add(*whole as u64);
        let upper = lower + (whole >> 64) + u128::from(carry) + u128::from(low > 0);
        if upper <= *self { Some(true) } else { (lower >= *self).then_some(false) }
    }
}

/// A uniform number from 0 to 1. Its binary digits are drawn 64 at a time, when a comparison needs them.
#[derive(Default)]
pub(super) struct Uniform {
    /// The number of digits so far.
    count: usize,
    first: u64,
    /// All digits, if the first 64 were not enough. That happens in about one of 2^64 comparisons.
    digits: BigUint,
}

impl Uniform {
    /// Returns true if the number is below `share / whole`. If the digits so far do not determine the answer, 64 more
    /// are drawn.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the source has no further digits.
    pub(super) fn is_below<N: Units>(
        &mut self,
        words: &mut (impl RandomSource + ?Sized),
        share: &N,
        whole: &N,
    ) -> Result<bool, Error> {
        loop {
            if self.count > 0 {
                if self.count == 64 {
                    if let Some(is_below) = share.decide(whole, self.first) {
                        return Ok(is_below);
                    }
                    self.digits = BigUint::from(self.first);
                }
                let (lower, reach) = (&self.digits * whole.big(), share.big() << self.count);
                if lower >= reach {
                    return Ok(false);
                }
                if lower + whole.big() <= reach {
                    return Ok(true);
                }
            }
            let word = words.next_u64()?;
            if self.count == 0 {
                self.first = word;
            } else {
                self.digits = (&self.digits << 64_usize) + word;
            }
            self.count += 64;
        }
    }
}

/// An integer of any size. Its representation is unique: only integers of at least 2^128 are `Big`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Small(u128),
    Big(BigUint),
}

impl Default for Amount {
    fn default() -> Self {
        Self::Small(0)
    }
}

impl Ord for Amount {
    // This is not inlined, because a sort calls it in many places.
    #[inline(never)]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(one), Self::Small(other)) => one.cmp(other),
            (Self::Small(_), Self::Big(_)) => Ordering::Less,
            (Self::Big(_), Self::Small(_)) => Ordering::Greater,
            (Self::Big(one), Self::Big(other)) => one.cmp(other),
        }
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<BigUint> for Amount {
    fn from(number: BigUint) -> Self {
        let mut digits = number.iter_u64_digits();
        match (digits.next(), digits.next(), digits.next()) {
            (_, _, Some(_)) => Self::Big(number),
            (low, high, None) => {
                Self::Small(u128::from(high.unwrap_or(0)) << 64 | u128::from(low.unwrap_or(0)))
            }
        }
    }
}

impl Amount {
    /// This number times a power of ten.
    pub(crate) fn scaled(&self, power: u32) -> Self {
        let small = match self {
            _ if power == 0 => return self.clone(),
            Self::Small(0) => Some(0),
            Self::Small(number) => 10_u128.checked_pow(power).and_then(|ten| number.checked_mul(ten)),
            Self::Big(_) => None,
        };
        small.map_or_else(|| Self::from(self.big() * BigUint::from(10_u32).pow(power)), Self::Small)
    }

    /// The big-endian bytes without leading zeros. For 0, there are none.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Small(0) => Vec::new(),
            number => number.big().to_bytes_be(),
        }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        BigUint::from_bytes_be(bytes).into()
    }

    /// The decimal text of this number of units of 10^-`decimals`, without zeros at the end.
    pub(crate) fn decimal(&self, decimals: u32) -> String {
        let decimals = decimals as usize;
        let digits = format!("{:0>width$}", self.big(), width = decimals + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        match fraction.trim_end_matches('0') {
            "" => whole.to_owned(),
            fraction => format!("{whole}.{fraction}"),
        }
    }
}

impl Units for Amount {
    fn plus(&self, other: &Self) -> Option<Self> {
        let small = match (self, other) {
            (Self::Small(one), Self::Small(other)) => one.checked_add(*other).map(Self::Small),
            _ => None,
        };
        small.or_else(|| Some(Self::from(self.big() + other.big())))
    }

    fn minus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Small(one), Self::Small(other)) => Self::Small(one - other),
            _ => Self::from(self.big() - other.big()),
        }
    }

    fn times(&self, factor: usize) -> Option<Self> {
        let small = match self {
            Self::Small(number) => number.checked_mul(factor as u128).map(Self::Small),
            Self::Big(_) => None,
        };
        small.or_else(|| Some(Self::from(self.big() * BigUint::from(factor))))
    }

    fn big(&self) -> BigUint {
        match self {
            Self::Small(number) => BigUint::from(*number),
            Self::Big(number) => number.clone(),
        }
    }

    #[inline]
    fn decide(&self, whole: &Self, digits: u64) -> Option<bool> {
        match (self, whole) {
            (Self::Small(share), Self::Small(whole)) => share.decide(whole, digits),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;

    #[test]
    fn amounts_are_integers() {
        let small = [0, 1, 7, u128::from(u64::MAX), 1 << 64, u128::MAX / 3, u128::MAX];
        let mut all: Vec<BigUint> = small.map(BigUint::from).to_vec();
        all.extend([1_u32, 10, u32::MAX].map(|factor| BigUint::from(u128::MAX) * factor + 1_u32));
        for one in &all {
            let amount = Amount::from(one.clone());
            assert_eq!((amount.big(), Amount::from_bytes(&amount.to_bytes())), (one.clone(), amount.clone()));
            assert_eq!(amount.scaled(40).big(), one * BigUint::from(10_u32).pow(40));
            assert_eq!(amount.times(99).unwrap().big(), one * 99_u32);
            for other in &all {
                let second = Amount::from(other.clone());
                let sum = amount.plus(&second).unwrap();
                assert_eq!((sum.big(), sum.minus(&second)), (one + other, amount.clone()));
                assert_eq!(amount.cmp(&second), one.cmp(other));
            }
        }
        assert_eq!(Amount::Small(0).to_bytes(), b"");
    }

    #[test]
    fn texts_are_decimal() {
        for (units, decimals, text) in [
            (0, 3, "0"),
            (5, 0, "5"),
            (5, 3, "0.005"),
            (12_500, 3, "12.5"),
            (1_000, 3, "1"),
            (u128::MAX, 1, "34028236692093846346337460743176821145.5"),
        ] {
            assert_eq!(Amount::Small(units).decimal(decimals), text);
        }
    }

    /// A uniform number is compared by its first binary digits, and further ones are drawn only if these are equal to those
    /// of the fraction.
    #[test]
    fn uniform_numbers_are_compared_exactly() {
        let is_below = |digits: &[u64], share: &Amount, whole: &Amount| {
            let mut tape = Tape::new(digits);
            let found = Uniform::default().is_below(&mut tape, share, whole);
            (found.ok(), tape.next_u64().is_err())
        };
        let third = u64::MAX / 3;
        // A common factor of any size does not change the result.
        for factor in [1, 1000, 1 << 64, u128::MAX / 3] {
            let scaled = |n: u32| Amount::from(BigUint::from(factor) * n);
            let scale = |n: u32| (scaled(n), scaled(n).times(1 << 40).unwrap());
            let ((one, big_one), (three, big_three)) = (scale(1), scale(3));
            for (one, three) in [(one, three), (big_one, big_three)] {
                assert_eq!(is_below(&[third - 1], &one, &three), (Some(true), true));
                assert_eq!(is_below(&[third + 1], &one, &three), (Some(false), true));
                assert_eq!(is_below(&[third], &one, &three), (None, true));
                assert_eq!(is_below(&[third, third - 1], &one, &three), (Some(true), true));
                assert_eq!(is_below(&[third, third, third + 1], &one, &three), (Some(false), true));
                for word in [0, u64::MAX] {
                    assert_eq!(is_below(&[word], &three, &three), (Some(true), true));
                    assert_eq!(is_below(&[word], &Amount::default(), &three), (Some(false), true));
                }
            }
        }
        // One half has a single binary digit.
        for (word, below) in [((1 << 63) - 1, true), (1 << 63, false)] {
            assert_eq!(
                is_below(&[word], &Amount::Small(u128::MAX / 2), &Amount::Small(u128::MAX - 1)),
                (Some(below), true)
            );
        }
    }

    /// The fast path gives the same answer as integers without a bound.
    #[test]
    fn quick_answers_are_exact() {
        let mut words = hashwell::CounterRng::new(&[7; 32]);
        let mut answers = [0; 3];
        for _ in 0..20_000 {
            let mut next = || words.next_u64().unwrap();
            let (size, digits) = (next() % 128, next());
            let whole = ((u128::from(next()) << 64 | u128::from(next())) >> size).max(1);
            // The digits always determine the answer, unless the share is near the number itself.
            let near = (BigUint::from(whole) * digits) >> 64_u32;
            let share = Units::minus(&Amount::from(near + next() % 5), &Amount::Small(0));
            let Amount::Small(share) = share else { continue };
            let share = share.min(whole);
            let (floor, reach) = (BigUint::from(whole) * digits, BigUint::from(share) << 64_u32);
            let exact = if &floor + whole <= reach { Some(true) } else { (floor >= reach).then_some(false) };
            assert_eq!(share.decide(&whole, digits), exact, "{share} of {whole}, {digits}");
            answers[exact.map_or(2, usize::from)] += 1;
        }
        assert!(answers.iter().all(|count| *count > 1000), "{answers:?}");
    }
}
