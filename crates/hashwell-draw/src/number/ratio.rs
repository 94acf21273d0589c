//! Probabilities without rounding.

use super::text::{parse, shown};
use crate::Error;
use std::fmt;
use std::str::FromStr;

/// An exact probability: numerator/denominator in lowest terms, 0 <= numerator <= denominator < 2^128.
///
/// ```
/// use hashwell_draw::number::Ratio;
///
/// let p: Ratio = "0.15".parse()?;
/// assert_eq!((p.numerator(), p.denominator()), (3, 20));
/// assert_eq!(p, "3/20".parse()?);
/// assert_eq!("1.2".parse::<Ratio>().unwrap_err().to_string(), "a probability must be 0 to 1, not \"1.2\"");
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
}

const WHAT: &str = "a probability";
const MUST: &str = "a decimal number or a fraction a/b from 0 to 1";

impl Ratio {
    /// Probability 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// Probability 1.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// `numerator`/`denominator`, reduced.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the denominator is 0 or less than the numerator.
    pub fn new(numerator: u128, denominator: u128) -> Result<Self, Error> {
        if denominator == 0 || numerator > denominator {
            return Err(Error::range(WHAT, "0 to 1", format!("{numerator}/{denominator}")));
        }
        let common = common_divisor(numerator, denominator);
        Ok(Self { numerator: numerator / common, denominator: denominator / common })
    }

    /// The numerator, in lowest terms.
    #[must_use]
    pub fn numerator(&self) -> u128 {
        self.numerator
    }

    /// The denominator, in lowest terms. It is at least 1.
    #[must_use]
    pub fn denominator(&self) -> u128 {
        self.denominator
    }

    /// 1 - p.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self { numerator: self.denominator - self.numerator, denominator: self.denominator }
    }

    /// Returns the bound ⌈p · 2^128⌉. A uniform ticket of 128 bits is below the bound with probability p, with an error
    /// below 2^-128. Returns `None` if p is 1, because every ticket is below 2^128.
    #[must_use]
    pub fn tickets(&self) -> Option<u128> {
        if self.numerator == self.denominator {
            return None;
        }
        let (quotient, rest) = binary_digits(self.numerator, self.denominator, 128);
        // Rounding up can give 2^128.
        if rest == 0 { Some(quotient) } else { quotient.checked_add(1) }
    }

    /// Returns the probability as a float, with an error of at most 2 ulp. Use it only for estimates. Decisions use the
    /// exact probability.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// Reads `0.15`, `15e-2` and `3/20`.
impl FromStr for Ratio {
    type Err = Error;

    /// # Errors
    /// Returns [`Error::OutOfRange`] for anything that is not a number from 0 to 1, for digits or a part of a/b that
    /// exceed 128 bits, and for a decimal number with more than 38 decimals, not counting trailing zeros. The last
    /// limit applies even if the fraction in lowest terms would fit.
    fn from_str(text: &str) -> Result<Self, Error> {
        let range = |must: &'static str| Error::range(WHAT, must, shown(text));
        if let Some((numerator, denominator)) = text.split_once('/') {
            let part = |part: &str| {
                let plain = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                part.parse().ok().filter(|_| plain).ok_or_else(|| range(MUST))
            };
            return Self::new(part(numerator)?, part(denominator)?).map_err(|_| range("0 to 1"));
        }
        let read = parse(WHAT, MUST, text)?;
        if read.digits == 0 {
            return Ok(Self::ZERO);
        }
        if read.power > 0 {
            return Err(range("0 to 1"));
        }
        let power = u32::try_from(-read.power).ok();
        match power.and_then(|power| 10_u128.checked_pow(power)) {
            Some(denominator) => Self::new(read.digits, denominator).map_err(|_| range("0 to 1")),
            None => Err(range("a number with at most 38 decimals")),
        }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// ⌊rest · 2^count / denominator⌋ and the remainder, for rest < denominator and at most 128 digits. Uses long division,
/// one bit at a time.
pub(crate) fn binary_digits(mut rest: u128, denominator: u128, count: u32) -> (u128, u128) {
    let mut digits = 0;
    for _ in 0..count {
        // Twice the remainder may have 129 bits. It then exceeds the denominator, and the wrapping difference is
        // correct in 128 bits.
        let carry = rest >> 127 == 1;
        rest <<= 1;
        let one = carry || rest >= denominator;
        if one {
            rest = rest.wrapping_sub(denominator);
        }
        digits = digits << 1 | u128::from(one);
    }
    (digits, rest)
}

/// The greatest common divisor, by Euclid's algorithm.
fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_exact() {
        for (text, numerator, denominator) in [
            ("0", 0, 1),
            ("0/7", 0, 1),
            ("1", 1, 1),
            ("1.000", 1, 1),
            ("0.5", 1, 2),
            (".125", 1, 8),
            ("1e-38", 1, 10_u128.pow(38)),
            ("25e-2", 1, 4),
            ("6/8", 3, 4),
            (
                "340282366920938463463374607431768211454/340282366920938463463374607431768211455",
                u128::MAX - 1,
                u128::MAX,
            ),
        ] {
            let p: Ratio = text.parse().unwrap();
            assert_eq!((p.numerator, p.denominator), (numerator, denominator), "{text}");
            assert_eq!(p.to_string().parse(), Ok(p));
        }
    }

    #[test]
    fn nothing_else_is_one() {
        for text in [
            "", "1/0", "0/0", "2/1", "1.01", "10", "-0.5", "NaN", "1/-2", "1/+2", "/", "1/", "1e-39", "50%",
            "1/2/3",
        ] {
            assert!(text.parse::<Ratio>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn tickets_are_rounded_up() {
        let tickets = |text: &str| text.parse::<Ratio>().unwrap().tickets();
        assert_eq!(tickets("0"), Some(0));
        assert_eq!(tickets("1"), None);
        assert_eq!(tickets("0.5"), Some(1 << 127));
        assert_eq!(tickets("1/3"), Some(u128::MAX / 3 + 1));
        assert_eq!(tickets("1/340282366920938463463374607431768211455"), Some(2));
        // 1 - 1/(2^128 - 1), times 2^128, is 2^128 - 1 - 1/(2^128 - 1).
        let most = "340282366920938463463374607431768211454/340282366920938463463374607431768211455";
        assert_eq!(tickets(most), Some(u128::MAX));
    }
}
