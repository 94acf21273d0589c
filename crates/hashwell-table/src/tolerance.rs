//! Tolerances for numbers. Integers, decimals and texts are compared exactly, as decimal numbers, because rounding them to
//! binary64 would hide differences. Two floats are compared with float arithmetic.

use crate::value::{float, json, text};
use std::cmp::Ordering;

/// Two numbers are within a tolerance if they differ by at most the tolerance. A tolerance below 1 is also relative: two
/// numbers are within it if they differ by at most this fraction of the larger absolute value.
#[derive(Clone, Debug)]
pub struct Tolerance {
    rounded: f64,
    exact: Exact,
    is_relative: bool,
}

impl Tolerance {
    /// Parses a decimal number of at least 0, such as `0.01` or `1e-9`. Returns `None` for other texts, and for numbers
    /// above the largest finite binary64.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rounded: f64 = text.parse().ok()?;
        let exact = Exact::parse(text)?;
        let is_relative = exact.compare(&Exact::one()).is_lt();
        (rounded.is_finite() && !exact.negative).then_some(Self { rounded, exact, is_relative })
    }

    /// Returns true if two numbers are within the tolerance. Each value is a number, or the text of a finite number. If
    /// the tolerance is 0, only equal numbers such as 1 and 1.0 are within it. An infinity is within the tolerance only
    /// of the same infinity; NaN is never within it. Returns `None` if a value is neither a number nor such a text.
    #[must_use]
    pub fn accepts(&self, old: &[u8], new: &[u8]) -> Option<bool> {
        if let (Some(old), Some(new)) = (float(old), float(new)) {
            return Some(self.accepts_floats(old, new));
        }
        let (old, new) = (Exact::of(old)?, Exact::of(new)?);
        let one = Exact::one();
        let largest = [&old, &new].into_iter().fold(&one, |largest, number| match largest.compare(number) {
            Ordering::Less if self.is_relative => number,
            _ => largest,
        });
        Some(old.minus(&new).compare(&self.exact.times(largest)).is_le())
    }

    fn accepts_floats(&self, old: f64, new: f64) -> bool {
        if old.is_infinite() || new.is_infinite() {
            return old == new;
        }
        let largest = if self.is_relative { 1_f64.max(old.abs()).max(new.abs()) } else { 1.0 };
        // The bound is finite. If the difference overflows, it is above the bound.
        (old - new).abs() <= self.rounded * largest
    }
}

/// The base of the limbs of an exact number, and the number of digits of a limb.
const BASE: u64 = 1_000_000_000;
const DIGITS: i64 = 9;

/// The largest absolute value of the exponent of a number in a text. It limits the memory for a short text.
const EXPONENT: i64 = 10_000;

/// An exact decimal number: the sum of `limbs[i]` times 10^(9·(`low` + i)). The last limb is not zero.
#[derive(Clone, Debug)]
struct Exact {
    negative: bool,
    limbs: Vec<u32>,
    low: i64,
}

impl Exact {
    fn one() -> Self {
        Self { negative: false, limbs: vec![1], low: 0 }
    }

    /// The number of a value, or of a text with spaces around it.
    fn of(value: &[u8]) -> Option<Self> {
        match value.first()? {
            0x10 | 0x11 => Self::parse(&json(value)),
            // No finite binary64 has more than 767 significant digits, so the text is exact.
            0x20 => Self::parse(&format!("{:.766e}", float(value)?)),
            0x30 => Self::parse(text(value)?.trim()),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (negative, text) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = [whole.as_bytes(), part.as_bytes()].concat();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) || exponent.abs() > EXPONENT {
            return None;
        }
        let mut exponent = exponent - i64::try_from(part.len()).ok()?;
        while digits.last() == Some(&b'0') {
            digits.pop();
            exponent += 1;
        }
        let zeros = usize::try_from(exponent.rem_euclid(DIGITS)).ok()?;
        digits.resize(digits.len() + zeros, b'0');
        let limb = |digits: &[u8]| digits.iter().fold(0, |limb, digit| 10 * limb + u32::from(digit - b'0'));
        let limbs = digits.rchunks(DIGITS as usize).map(limb).collect();
        Some(Self { negative, limbs, low: exponent.div_euclid(DIGITS) }.trimmed())
    }

    fn trimmed(mut self) -> Self {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        self.negative &= !self.limbs.is_empty();
        self
    }

    /// The place above the highest limb.
    fn high(&self) -> i64 {
        self.low + self.limbs.len() as i64
    }

    /// The limb at a place; 0 if there is none.
    fn limb(&self, place: i64) -> u32 {
        let at = usize::try_from(place - self.low).ok();
        at.and_then(|at| self.limbs.get(at)).copied().unwrap_or(0)
    }

    /// Compares the absolute values.
    fn compare(&self, other: &Self) -> Ordering {
        match (self.limbs.is_empty(), other.limbs.is_empty()) {
            (false, false) => {}
            (mine, others) => return others.cmp(&mine),
        }
        let places = (self.low.min(other.low)..self.high()).rev();
        let limbs = || places.map(|place| self.limb(place).cmp(&other.limb(place)));
        self.high()
            .cmp(&other.high())
            .then_with(|| limbs().find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    }

    /// The absolute value of the difference.
    fn minus(&self, other: &Self) -> Self {
        let (large, small) = if self.compare(other).is_lt() { (other, self) } else { (self, other) };
        if small.limbs.is_empty() {
            return Self { negative: false, ..large.clone() };
        }
        let low = large.low.min(small.low);
        let (mut limbs, mut carry) = (Vec::new(), 0);
        let sign = if self.negative == other.negative { -1 } else { 1 };
        for place in low..=large.high() {
            let sum = i64::from(large.limb(place)) + sign * i64::from(small.limb(place)) + carry;
            limbs.push(sum.rem_euclid(BASE as i64) as u32);
            carry = sum.div_euclid(BASE as i64);
        }
        Self { negative: false, limbs, low }.trimmed()
    }

    /// The absolute value of the product.
    fn times(&self, other: &Self) -> Self {
        let mut limbs = vec![0; self.limbs.len() + other.limbs.len()];
        for (i, mine) in self.limbs.iter().enumerate() {
            let mut carry = 0;
            let others = other.limbs.iter().chain([&0]);
            for (limb, others) in limbs[i..].iter_mut().zip(others) {
                let product = u64::from(*limb) + u64::from(*mine) * u64::from(*others) + carry;
                (*limb, carry) = ((product % BASE) as u32, product / BASE);
            }
        }
        Self { negative: false, limbs, low: self.low + other.low }.trimmed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Writer;

    fn text_value(text: &str) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.string(0x30, text.as_bytes());
        writer.as_bytes().to_vec()
    }

    fn float_value(number: f64) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.float(number);
        writer.as_bytes().to_vec()
    }

    #[test]
    fn texts_are_compared_exactly() {
        let cases = [
            ("9007199254740993", "9007199254740992", "1e-300", Some(false)),
            ("9007199254740993", "9007199254740992", "1", Some(true)),
            ("9007199254740993", "9007199254740992", "0", Some(false)),
            ("0.1", "0.10000", "0", Some(true)),
            ("1e3", "1000", "0.0", Some(true)),
            // A tolerance of 1 or more is not relative.
            ("1", "1000000", "1", Some(false)),
            ("1000000", "1000001", "1", Some(true)),
            ("10", "20.0", "9.99", Some(false)),
            ("-5", "5", "10", Some(true)),
            ("10", "20", "0.99999999999999999999", Some(true)),
            ("0.10000000000000000001", "0.1", "1e-30", Some(false)),
            ("0.10000000000000000001", "0.1", "1e-20", Some(true)),
            ("0.10000000000000000001", "0.1", "0.99999999999999999999e-20", Some(false)),
            // For numbers above 1, the tolerance is a fraction of the larger one.
            ("1000000000000000000001", "1000000000000000000000", "1e-21", Some(true)),
            ("1000000000000000000001", "1000000000000000000000", "0.9999999999999999999989e-21", Some(false)),
            ("-100", "-99", "0.01", Some(true)),
            ("-100", "99", "199", Some(true)),
            ("-100", "99", "198.999", Some(false)),
            ("1e400", "1.1e400", "0.1", Some(true)),
            ("1e400", "1.1e400", "0.09", Some(false)),
            ("0.3", "0", "0.3", Some(true)),
            ("0", "-0.00", "0.3", Some(true)),
            ("-0.3", "0.0", "0.2999999999999999999", Some(false)),
            (" 1.0 ", "+1e0", "1e-400", Some(true)),
            (".5", "5.E-1", "1e-400", Some(true)),
            ("999999999999999999", "1000000000000000000", "1e-18", Some(true)),
            ("1e10001", "1e10001", "1", None),
            ("1e99999999999999999999", "1", "1", None),
            ("inf", "1", "1", None),
            ("1_0", "1", "1", None),
            ("", "1", "1", None),
            (".", "1", "1", None),
            ("-", "1", "1", None),
            ("1e", "1", "1", None),
            ("--1", "1", "1", None),
            ("1.-2", "1", "1", None),
        ];
        for (old, new, tolerance, expected) in cases {
            let accepts = |old: &[u8], new: &[u8]| Tolerance::parse(tolerance).unwrap().accepts(old, new);
            let (old_value, new_value) = (text_value(old), text_value(new));
            assert_eq!(accepts(&old_value, &new_value), expected, "{old} {new} {tolerance}");
            assert_eq!(accepts(&new_value, &old_value), expected, "{new} {old} {tolerance}");
        }
    }

    /// Small integers give the same result as arithmetic with 128 bits.
    #[test]
    fn small_numbers_agree_with_integers() {
        let mut state = 1_u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut accepted = 0;
        for _ in 0..20_000 {
            let size = 10_u64.pow(next(10) as u32 + 1);
            let [a, b] = [0, 1].map(|_| i128::from(next(size)) - i128::from(size / 2));
            // The tolerance in units of 10^-6.
            let tolerance = next(3_000_000);
            let text = format!("{}.{:06}", tolerance / 1_000_000, tolerance % 1_000_000);
            let largest = if tolerance < 1_000_000 { 1.max(a.abs()).max(b.abs()) } else { 1 };
            let expected = (a - b).abs() * 1_000_000 <= i128::from(tolerance) * largest;
            let [old, new] = [a, b].map(|number| text_value(&number.to_string()));
            assert_eq!(
                Tolerance::parse(&text).unwrap().accepts(&old, &new),
                Some(expected),
                "{a} {b} {text}"
            );
            accepted += u32::from(expected);
        }
        assert!((2_000..18_000).contains(&accepted), "{accepted}");
    }

    #[test]
    fn floats_are_compared_as_floats_or_by_their_exact_values() {
        let accepts =
            |tolerance: &str, old: &[u8], new: &[u8]| Tolerance::parse(tolerance).unwrap().accepts(old, new);
        assert_eq!(accepts("0.1", &float_value(0.3), &float_value(0.2)), Some(true));
        assert_eq!(accepts("1", &float_value(1.0), &float_value(1e6)), Some(false));
        assert_eq!(accepts("1e300", &float_value(1e308), &float_value(-1e308)), Some(false));
        assert_eq!(accepts("0.999", &float_value(f64::MAX), &float_value(f64::MIN)), Some(false));
        assert_eq!(accepts("1e-9", &float_value(f64::INFINITY), &float_value(5.0)), Some(false));
        assert_eq!(
            accepts("1e-9", &float_value(f64::INFINITY), &float_value(f64::NEG_INFINITY)),
            Some(false)
        );
        assert_eq!(accepts("1e-9", &float_value(f64::NAN), &float_value(5.0)), Some(false));
        assert_eq!(accepts("1e-9", &float_value(f64::INFINITY), &text_value("5")), None);
        // A float that is compared with an exact number is converted to an exact number without rounding.
        assert_eq!(
            accepts("1e-300", &float_value(9_007_199_254_740_992.0), &text_value("9007199254740993")),
            Some(false)
        );
        assert_eq!(accepts("1e-300", &float_value(0.5), &text_value("0.5")), Some(true));
        assert_eq!(accepts("1e-17", &float_value(0.1), &text_value("0.1")), Some(true));
        assert_eq!(accepts("5e-18", &float_value(0.1), &text_value("0.1")), Some(false));
        assert_eq!(accepts("1e-400", &float_value(f64::from_bits(1)), &text_value("0")), Some(false));
        assert_eq!(accepts("5e-324", &float_value(f64::from_bits(1)), &text_value("0")), Some(true));
    }

    #[test]
    fn tolerances_are_finite_and_not_negative() {
        for text in ["", "x", "-1", "inf", "NaN", "1e309", " 1", "1e-99999"] {
            assert!(Tolerance::parse(text).is_none(), "{text}");
        }
        assert!(Tolerance::parse("-0").is_some() && Tolerance::parse("1e-400").is_some());
    }
}
