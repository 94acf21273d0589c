//! Weights of rows, as their designs take them.

use super::design::Kind;
use crate::number::{Decimal, float};

/// A row's weight, as its design takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// All rows are alike.
    One,
    /// A finite number that is not negative.
    Float(f64),
    /// In units of 10^-[`DECIMALS`].
    Units(u128),
}

impl Value {
    /// Whether the row can be picked.
    #[must_use]
    pub fn is_positive(self) -> bool {
        match self {
            Self::One => true,
            Self::Float(weight) => weight > 0.0,
            Self::Units(units) => units > 0,
        }
    }
}

/// The most decimals of weights where inclusion is to be proportional, which is done in whole numbers.
pub const DECIMALS: u32 = 18;

/// Weights from texts and floats, by the one rule for all fronts.
#[derive(Clone, Debug)]
pub struct Weigher {
    missing: Option<String>,
    /// For whole numbers.
    decimal: Option<Decimal>,
}

impl Weigher {
    /// For a kind of sample; `missing` is the weight of rows that have none.
    #[must_use]
    pub fn new(kind: Kind, missing: Option<&str>) -> Self {
        // There may be so many decimals.
        let decimal = Decimal::new(DECIMALS).ok().filter(|_| kind == Kind::Pps);
        Self { missing: missing.map(str::to_owned), decimal }
    }

    /// The weight that is this float, where the design takes floats and it is above 0 and finite: the quick way. The long
    /// one names what is odd.
    #[inline]
    #[must_use]
    pub fn quick(&self, weight: f64) -> Option<Value> {
        (self.decimal.is_none() && weight > 0.0 && weight.is_finite()).then_some(Value::Float(weight))
    }

    /// Whether [`Weigher::quick`] may find something.
    #[must_use]
    pub fn takes_floats(&self) -> bool {
        self.decimal.is_none()
    }

    /// The weight that a text says: a number that is not negative, spaces around it left out; an empty one is that of rows
    /// without weights.
    ///
    /// # Errors
    /// What is wrong with it, to stand after "the weight is"; or, of designs in whole numbers, a whole sentence.
    pub fn of_text(&self, field: &[u8]) -> Result<Value, Wrong> {
        let text = match (field.trim_ascii(), &self.missing) {
            (b"", Some(missing)) => missing.as_bytes(),
            (b"", None) => return Err(Wrong::Blank),
            (text, _) => text,
        };
        // Both ways are correctly rounded, so that a weight is the same everywhere.
        let number = std::str::from_utf8(text).ok().and_then(|text| Some((text, float::read(text)?)));
        match number {
            Some((text, weight)) if weight == 0.0 && is_above_zero(text) => {
                Err(Wrong::Is(format!("{text}, which is too small: the least is 5e-324")))
            }
            Some((text, weight)) if weight.is_finite() && weight >= 0.0 => match self.decimal {
                None => Ok(Value::Float(weight)),
                Some(decimal) => {
                    decimal.integer(text).map(Value::Units).map_err(|error| Wrong::Refused(error.to_string()))
                }
            },
            Some(_) => Err(Wrong::Is(format!("{}; it must be finite and not negative", shown(text)))),
            None => Err(Wrong::Is(format!("'{}', which is no number", shown(text)))),
        }
    }
}

/// Why a field is no weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// There is none, and nothing says what then.
    Blank,
    /// What it is, to stand after "the weight is".
    Is(String),
    /// A whole sentence.
    Refused(String),
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
