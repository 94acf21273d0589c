//! Weights as integers of any size.

use crate::draw::below_u128;
use crate::{Error, RandomSource};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// Units of weight, which samplers add, multiply and draw below.
pub trait Units: Clone + Ord + Default {
    /// The sum, if there is room for it.
    fn plus(&self, other: &Self) -> Option<Self>;

    /// The difference from a number that is not larger.
    #[must_use]
    fn minus(&self, other: &Self) -> Self;

    /// A multiple, if there is room for it.
    fn times(&self, factor: usize) -> Option<Self>;

    /// A random number from 0 to one less than this one, each equally likely.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    fn below(&self, words: &mut (impl RandomSource + ?Sized)) -> Result<Self, Error>;
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

    fn below(&self, words: &mut (impl RandomSource + ?Sized)) -> Result<Self, Error> {
        below_u128(words, *self)
    }
}

/// An integer of any size. Each has one form: `Big` is 2^128 or more.
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
    // Not inlined, because a sort calls it in many places.
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
    fn big(&self) -> BigUint {
        match self {
            Self::Small(number) => BigUint::from(*number),
            Self::Big(number) => number.clone(),
        }
    }

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

    /// Big-endian bytes without leading zeros; of 0 none.
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

    /// As [`below_u128`], with as many random numbers of 64 bits as this number has.
    fn below(&self, words: &mut (impl RandomSource + ?Sized)) -> Result<Self, Error> {
        let number = match self {
            Self::Small(number) => return below_u128(words, *number).map(Self::Small),
            Self::Big(number) => number,
        };
        let len = number.bits().div_ceil(64);
        let end = (BigUint::from(1_u32) << (64 * len)) / number * number;
        loop {
            let mut drawn = BigUint::ZERO;
            for _ in 0..len {
                drawn = (drawn << 64_u32) | BigUint::from(words.next_u64()?);
            }
            if drawn < end {
                return Ok(Self::from(drawn % number));
            }
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

    /// Of n the words w < n · ⌊2^192 / n⌋ are taken, and give w mod n.
    #[test]
    fn numbers_below_large_ones() {
        let two = |power: u32| BigUint::from(1_u32) << power;
        let n = Amount::from(two(191) + 5_u32);
        let mut tape = Tape::new(&[1 << 63, 0, 5, u64::MAX, 0, 0, 1 << 63, 0, 4, 0, 2, 3]);
        // 2^191 + 5 and a larger one are beyond the one block that there is.
        assert_eq!(n.below(&mut tape).unwrap().big(), two(191) + 4_u32);
        assert_eq!(n.below(&mut tape).unwrap().big(), two(65) + 3_u32);
        assert!(n.below(&mut tape).is_err());
        // Of 2^128, three: the first is a multiple.
        let drawn = Amount::from(two(128)).below(&mut Tape::new(&[9, 7, 8])).unwrap();
        assert_eq!(drawn, Amount::Small((7 << 64) + 8));
    }
}
