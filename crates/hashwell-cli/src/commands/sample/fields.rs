//! What columns say of a row: weights, strata, keys.

use super::plan::{Kind, Weight};
use super::stop::Stop;
use hashwell_draw::number::Decimal;
use hashwell_rows::{Column, Format, Row, Rows};
use std::borrow::Cow;

/// A row's weight, as its design takes it.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// All rows are alike.
    One,
    Float(f64),
    /// In units of 10^-[`DECIMALS`].
    Units(u128),
}

impl Value {
    /// Whether the row can be picked.
    pub(super) fn is_positive(self) -> bool {
        match self {
            Self::One => true,
            Self::Float(weight) => weight > 0.0,
            Self::Units(units) => units > 0,
        }
    }
}

/// The most decimals of weights where inclusion is to be proportional, which is done in whole numbers.
pub(super) const DECIMALS: u32 = 18;

/// A column of weights.
pub(super) struct Weights {
    column: Column,
    name: String,
    missing: Option<String>,
    /// For whole numbers.
    decimal: Option<Decimal>,
}

impl Weights {
    pub(super) fn of(rows: &Rows, weight: &Weight, kind: Kind) -> Result<Self, Stop> {
        let column = column(rows, "--weight", &weight.column)?;
        let decimal = (kind == Kind::Pps).then(|| Decimal::new(DECIMALS)).transpose()?;
        Ok(Self { column, name: weight.column.clone(), missing: weight.missing.clone(), decimal })
    }

    /// The weight of a row: a number that is not negative.
    pub(super) fn read(&self, row: &Row<'_>) -> Result<Value, Stop> {
        // Most weights go this way, which is the quickest; the long one names what is odd.
        if self.decimal.is_none()
            && let Ok(weight) = row.float(&self.column)
            && weight > 0.0
            && weight.is_finite()
        {
            return Ok(Value::Float(weight));
        }
        let field = row.field(&self.column)?;
        let text = match (field.trim_ascii(), &self.missing) {
            (b"", Some(missing)) => missing.as_bytes(),
            (b"", None) => {
                return Err(self.wrong(row, "blank; --missing-weight 0 would never pick such rows"));
            }
            (text, _) => text,
        };
        // Both ways are correctly rounded, so that a weight is the same everywhere.
        let number = std::str::from_utf8(text).ok().and_then(|text| Some((text, text.parse::<f64>().ok()?)));
        match number {
            Some((text, weight)) if weight == 0.0 && is_above_zero(text) => {
                Err(self.wrong(row, &format!("{text}, which is too small: the least is 5e-324")))
            }
            Some((text, weight)) if weight.is_finite() && weight >= 0.0 => match self.decimal {
                None => Ok(Value::Float(weight)),
                Some(decimal) => decimal
                    .integer(text)
                    .map(Value::Units)
                    .map_err(|error| Stop::work(format!("{}: column {}: {error}", row.place(), self.name))),
            },
            Some(_) => Err(self.wrong(row, &format!("{}; it must be finite and not negative", shown(text)))),
            None => Err(self.wrong(row, &format!("'{}', which is no number", shown(text)))),
        }
    }

    fn wrong(&self, row: &Row<'_>, what: &str) -> Stop {
        Stop::work(format!("{}: the weight (column {}) is {what}", row.place(), self.name))
    }
}

/// What strata or keys are made of: a column, or the whole row.
pub(super) struct Values(Option<Column>);

/// The name of the whole row as a column.
const WHOLE: &str = "0";

impl Values {
    pub(super) fn of(rows: &Rows, option: &str, name: &str) -> Result<Self, Stop> {
        if name == WHOLE && !matches!(rows.format(), Format::JsonLines | Format::Parquet) {
            return Ok(Self(None));
        }
        column(rows, option, name).map(Some).map(Self)
    }

    /// The value of a row, as the format means it: without the quotes of CSV, and without what ends a row.
    pub(super) fn read<'a>(&self, row: &Row<'a>) -> Result<Cow<'a, [u8]>, Stop> {
        match &self.0 {
            Some(column) => Ok(row.field(column)?),
            None => Ok(Cow::Borrowed(without_end(row.bytes()))),
        }
    }
}

fn without_end(row: &[u8]) -> &[u8] {
    match row.split_last() {
        Some((b'\n', line)) => line.strip_suffix(b"\r").unwrap_or(line),
        Some((0, record)) => record,
        _ => row,
    }
}

fn column(rows: &Rows, option: &str, name: &str) -> Result<Column, Stop> {
    rows.column(name).map_err(|error| Stop::work(format!("{option}: {error}")))
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
