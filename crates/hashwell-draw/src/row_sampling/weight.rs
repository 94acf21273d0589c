//! Weights of rows, as their designs take them.

use super::kind::Kind;
use crate::number::{Decimal, float};
use crate::weighted::{Amount, DECIMALS, MAX_DIGITS};
use num_bigint::BigUint;

/// A row's weight, as its design takes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// All rows are alike.
    One,
    /// A finite number that is not negative.
    Float(f64),
    /// In units of 10^-18.
    Units(u128),
    /// A weight that has more decimals, or is too large for 128 bits.
    Exact(Exact),
}

/// A decimal number that is not 0, in units of 10^-(18 + `more`).
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    pub(super) units: Amount,
    pub(super) more: u32,
}

impl Value {
    /// Whether the row can be picked.
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

/// Weights from texts and floats, by the one rule for all fronts.
#[derive(Clone, Debug)]
pub struct Weigher {
    missing: Option<String>,
    /// Whether the design counts in integers, so that weights are read digit by digit.
    exact: bool,
}

impl Weigher {
    /// For a kind of sample; `missing` is the weight of rows that have none.
    #[must_use]
    pub fn new(kind: Kind, missing: Option<&str>) -> Self {
        Self { missing: missing.map(str::to_owned), exact: kind.row().exact_weights }
    }

    /// The weight that is this float, where the design takes floats and it is above 0 and finite: the quick way. The long
    /// one names what is odd.
    #[inline]
    #[must_use]
    pub fn quick(&self, weight: f64) -> Option<Value> {
        (!self.exact && weight > 0.0 && weight.is_finite()).then_some(Value::Float(weight))
    }

    /// Whether [`Weigher::quick`] may find something.
    #[must_use]
    pub fn takes_floats(&self) -> bool {
        !self.exact
    }

    /// The weight that a text says: a number that is not negative, spaces around it left out; an empty one is that of rows
    /// without weights.
    ///
    /// # Errors
    /// What is wrong with it, to stand after "the weight is".
    pub fn of_text(&self, field: &[u8]) -> Result<Value, WeightError> {
        let text = match (field.trim_ascii(), &self.missing) {
            (b"", Some(missing)) => missing.as_bytes(),
            (b"", None) => return Err(WeightError::Blank),
            (text, _) => text,
        };
        // Both ways are correctly rounded, so that a weight is the same everywhere.
        let number = std::str::from_utf8(text).ok().and_then(|text| Some((text, float::read(text)?)));
        match number {
            Some((text, weight)) if weight == 0.0 && is_above_zero(text) => {
                Err(WeightError::Is(format!("{text}, which is too small: the least is 5e-324")))
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

/// Why a field is no weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightError {
    /// There is none, and nothing says what then.
    Blank,
    /// What it is, to stand after "the weight is".
    Is(String),
}

/// The weight of a decimal text that is a finite number of at least 0, to its last digit.
fn exact(text: &str) -> Result<Value, WeightError> {
    if !is_above_zero(text) {
        return Ok(Value::Units(0));
    }
    // Most weights are short, and need no memory.
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
            "{text}, which has {count} significant digits; the most is {MAX_DIGITS}"
        )));
    }
    // The number is finite and not 0, so that its power is about the length of its text at most.
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

/// Whether a number, as text, has a digit other than 0 before its exponent.
fn is_above_zero(text: &str) -> bool {
    text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).any(|byte| matches!(byte, b'1'..=b'9'))
}

/// A field for a message: its beginning.
fn shown(text: &[u8]) -> String {
    const MOST: usize = 40;
    let begin = String::from_utf8_lossy(&text[..text.len().min(MOST)]).into_owned();
    if text.len() > MOST { begin + "…" } else { begin }
}
