//! Products of any length, to compare where 128 bits and floats are not enough.

use crate::Error;
use std::cmp::Ordering;

/// A number of any length: digits to the base 2^64, the lowest first, without zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wide(Vec<u64>);

impl Wide {
    /// The product of the factors, at a cost of half the square of their number.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(crate) fn product(factors: impl IntoIterator<Item = u64>) -> Result<Self, Error> {
        let mut product = Self(vec![1]);
        for factor in factors {
            product.multiply(factor)?;
        }
        Ok(product)
    }

    fn multiply(&mut self, factor: u64) -> Result<(), Error> {
        let mut carry = 0;
        for digit in &mut self.0 {
            let wide = u128::from(*digit) * u128::from(factor) + carry;
            (*digit, carry) = (wide as u64, wide >> 64);
        }
        if carry > 0 {
            self.0.try_reserve(1).map_err(|_| Error::Memory { what: "an exact product" })?;
            self.0.push(carry as u64);
        }
        if factor == 0 {
            self.0.clear();
        }
        Ok(())
    }

    /// 2^64 times the number.
    pub(crate) fn shifted(mut self) -> Self {
        if !self.0.is_empty() {
            self.0.insert(0, 0);
        }
        self
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// a · b in digits to the base 2^64, the highest first, for numbers of three and two digits.
pub(super) fn times(a: [u64; 3], b: [u64; 2]) -> [u64; 5] {
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

    #[test]
    fn products() {
        let product = |factors: &[u64]| Wide::product(factors.iter().copied()).unwrap();
        assert_eq!(product(&[]), Wide(vec![1]));
        assert_eq!(product(&[u64::MAX, u64::MAX]), Wide(vec![1, u64::MAX - 1]));
        assert_eq!(product(&[u64::MAX, 0, 5]), Wide(vec![]));
        assert_eq!(product(&[3]).shifted(), Wide(vec![0, 3]));
        assert_eq!(product(&[0]).shifted(), product(&[0]));
        // (2^64 - 1)(2^64 + 1) = 2^128 - 1, and 2^64 + 1 = 274177 · 67280421310721.
        assert_eq!(product(&[u64::MAX, 274_177, 67_280_421_310_721]), Wide(vec![u64::MAX; 2]));
        assert!(product(&[u64::MAX, 2]) > product(&[u64::MAX]) && product(&[7, 8]) < product(&[57]));
        assert!(product(&[1 << 63, 2]) < product(&[1 << 63, 4]));
        assert_eq!(product(&[6, 35]).cmp(&product(&[14, 15])), Ordering::Equal);
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
