//! The weights of rows, in the forms that designs use.

use super::kind::Kind;
use crate::number::{Decimal, float};
use crate::weighted::{Amount, DECIMALS, MAX_DIGITS};
use num_bigint::BigUint;

/// The weight of a row, in the form that the design uses.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The design has no weights.
    One,
    /// A finite number that is not negative.
    Float(f64),
    /// An integer in units of 10^-18.
    Units(u128),
    /// A weight that has more than 18 decimals, or is too large for 128 bits.
    Exact(Exact),
}

/// A decimal number that is not 0, in units of 10^-(18 + `more`).
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    pub(super) units: Amount,
    pub(super) more: u32,
}

impl Value {
    /// Returns true if the row can be picked.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        match self {
            Self::One => true,
            Self::Float(weight) => *weight > 0.0,
            Self::Units(units) => *units > 0,
            Self::Exact(_) => true,
        }
    }
}

/// Reads weights from texts and floats, by the same rule for all front ends.
#[derive(Clone, Debug)]
pub struct Weigher {
    missing: Option<String>,
    /// True if the design uses integers, so that weights are read to their last digit.
    exact: bool,
}

impl Weigher {
    /// Creates a reader of weights for a kind of sample. `missing` is the default weight, which is used for rows
    /// without a weight.
    #[must_use]
    pub fn new(kind: Kind, missing: Option<&str>) -> Self {
        Self { missing: missing.map(str::to_owned), exact: kind.row().exact_weights }
    }

    /// Returns the weight if the design uses floats and the weight is finite and above 0. This is a fast path for valid
    /// floats. If it returns `None`, call [`Weigher::of_text`] with the text of the weight.
    #[inline]
    #[must_use]
    pub fn quick(&self, weight: f64) -> Option<Value> {
        (!self.exact && weight > 0.0 && weight.is_finite()).then_some(Value::Float(weight))
    }

    /// Returns true if [`Weigher::quick`] can return a weight.
    #[must_use]
    pub fn takes_floats(&self) -> bool {
        !self.exact
    }

    /// Reads a weight from text. The text must be a number that is not negative, and spaces around it are ignored. An
    /// empty text means that the row has no weight.
    ///
    /// # Errors
    /// Returns [`WeightError::Blank`] if the text is empty and there is no default weight, or [`WeightError::Is`] if
    /// the weight is invalid.
    pub fn of_text(&self, field: &[u8]) -> Result<Value, WeightError> {
        let text = match (field.trim_ascii(), &self.missing) {
            (b"", Some(missing)) => missing.as_bytes(),
            (b"", None) => return Err(WeightError::Blank),
            (text, _) => text,
        };
        // Both conversions are correctly rounded, so a weight is the same on all machines.
        let number = std::str::from_utf8(text).ok().and_then(|text| Some((text, float::read(text)?)));
        match number {
            Some((text, weight)) if weight == 0.0 && is_above_zero(text) => {
                Err(WeightError::Is(format!("{text}, which is too small: the minimum is 5e-324")))
            }
            Some((text, weight)) if weight.is_finite() && weight >= 0.0 => {
                if self.exact {
                    exact(text)
                } else {
                    Ok(Value::Float(weight))
                }
            }
            Some(_) => Err(WeightError::Is(format!("{}; it must be finite and not negative", shown(text)))),
            None => Err(WeightError::Is(format!("'{}', which is not a number", shown(text)))),
        }
    }
}

/// The reason why a field is not a valid weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightError {
    /// The field is empty, and no default weight was given.
    Blank,
    /// A description of the invalid weight. It completes a sentence that starts with "the weight is".
    Is(String),
}

/// The exact weight of a decimal text, which must be a finite number of at least 0.
fn exact(text: &str) -> Result<Value, WeightError> {
    if !is_above_zero(text) {
        return Ok(Value::Units(0));
    }
    // Most weights are short, and take this path without allocation.
    if let Ok(units) = Decimal::new(DECIMALS).and_then(|decimal| decimal.integer(text)) {
        return Ok(Value::Units(units));
    }
    let (number, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let digits = [whole.trim_start_matches('+'), decimals].concat();
    let significant = digits.trim_end_matches('0');
    let zeros = digits.len() - significant.len();
    let significant = significant.trim_start_matches('0');
    if significant.len() > MAX_DIGITS {
        let (count, text) = (significant.len(), shown(text.as_bytes()));
        return Err(WeightError::Is(format!(
            "{text}, which has {count} significant digits; the maximum is {MAX_DIGITS}"
        )));
    }
    // The number is finite and not 0, so the exponent is at most about the length of the text.
    let units = |power: i64| {
        let power = power + i64::from(DECIMALS) + zeros as i64 - decimals.len() as i64;
        let digits = Amount::from(BigUint::parse_bytes(significant.as_bytes(), 10)?);
        Some((digits.scaled(u32::try_from(power.max(0)).ok()?), u32::try_from((-power).max(0)).ok()?))
    };
    match power.parse().ok().and_then(units) {
        Some((Amount::Small(units), 0)) => Ok(Value::Units(units)),
        Some((units, more)) => Ok(Value::Exact(Exact { units, more })),
        None => Err(WeightError::Is(format!("'{}', which is not a number", shown(text.as_bytes())))),
    }
}

/// Returns true if a number, as text, has a digit other than 0 before its exponent.
fn is_above_zero(text: &str) -> bool {
    text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).any(|byte| matches!(byte, b'1'..=b'9'))
}

/// The beginning of a field, for messages.
fn shown(text: &[u8]) -> String {
    const MOST: usize = 40;
    let begin = String::from_utf8_lossy(&text[..text.len().min(MOST)]).into_owned();
    if text.len() > MOST { begin + "…" } else { begin }
}
