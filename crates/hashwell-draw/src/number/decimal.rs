//! Weights with a declared number of decimals, as integers.

use super::text::{parse, shown};
use crate::Error;

/// A declared number of decimals, the scale. Weights are integer multiples of 10^-scale. Only the ratios of weights
/// matter, and these are ratios of integers, which are the same on every machine.
///
/// ```
/// use hashwell_draw::number::Decimal;
///
/// let cents = Decimal::new(2)?;
/// assert_eq!(cents.integer("12.50")?, 1250);
/// assert_eq!(cents.integer("1e3")?, 100_000);
/// assert_eq!(
///     cents.integer("0.125").unwrap_err().to_string(),
///     "a weight must be a number with at most 2 decimals, not \"0.125\""
/// );
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    scale: u32,
}

impl Decimal {
    /// The maximum number of decimals: 10^38 is the largest power of ten below 2^128.
    pub const MAX_SCALE: u32 = 38;

    /// Declares a number of decimals.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if there are more than 38 decimals.
    pub fn new(scale: u32) -> Result<Self, Error> {
        if scale > Self::MAX_SCALE {
            return Err(Error::range("the scale of weights", "0 to 38 decimals", scale));
        }
        Ok(Self { scale })
    }

    /// The number of decimals.
    #[must_use]
    pub fn scale(self) -> u32 {
        self.scale
    }

    /// Reads a weight, and returns it in units of 10^-scale, from 0 to 2^128 - 1. The text consists of digits with at
    /// most one point and an optional exponent, such as `12.50`, `.5` or `1e-2`. Trailing zeros after the point are not
    /// counted as decimals.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for anything else (a sign, a space, `NaN`, `inf`), for more decimals than
    /// declared, and for weights that don't fit into 128 bits.
    pub fn integer(self, text: &str) -> Result<u128, Error> {
        let read = parse("a weight", "a number of at least 0, such as 12.50", text)?;
        let power = read.power + i64::from(self.scale);
        if power < 0 {
            let must = format!("a number with at most {} decimals", self.scale);
            return Err(Error::range("a weight", must, shown(text)));
        }
        let factor = u32::try_from(power).ok().and_then(|power| 10_u128.checked_pow(power));
        let units = if read.digits == 0 {
            Some(0)
        } else {
            factor.and_then(|factor| read.digits.checked_mul(factor))
        };
        units.ok_or_else(|| {
            let must = format!("less than 2^128 / 10^{}", self.scale);
            Error::range("a weight", must, shown(text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        let cents = Decimal::new(2).unwrap();
        assert_eq!((cents.integer("0"), cents.integer("0.000"), cents.integer("7")), (Ok(0), Ok(0), Ok(700)));
        assert_eq!(cents.integer("25e-2"), Ok(25));
        let largest = Decimal::new(0).unwrap();
        assert_eq!(largest.integer("340282366920938463463374607431768211455"), Ok(u128::MAX));
        for text in [
            "-1",
            "+1",
            "NaN",
            "inf",
            "1.001",
            "1e-3",
            "3402823669209384634633746074317682114.56",
            "1e99",
            "1e9999",
        ] {
            assert!(cents.integer(text).is_err(), "{text}");
        }
        assert!(Decimal::new(39).is_err());
        assert_eq!(Decimal::new(38).map(Decimal::scale), Ok(38));
        assert_eq!(Decimal::new(38).unwrap().integer("3.4"), Ok(34 * 10_u128.pow(37)));
    }
}
