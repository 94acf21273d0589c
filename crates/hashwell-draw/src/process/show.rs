//! Values and numbers as text, as the command and others print them.

use super::registry::{Columns, Data, Outcome, Shape, Value, tables};
use serde_json::{Map, Value as Json};
use std::fmt::{Display, Write as _};

/// A value for a line: a number, numbers with blanks between them, or the customers of each table in brackets, the newest
/// first.
#[must_use]
pub fn text(value: &Value) -> String {
    match value {
        Value::Labels(labels) => {
            let tables: Vec<String> =
                tables(labels).iter().map(|table| format!("[{}]", separated(table, ' '))).collect();
            separated(&tables, ' ')
        }
        value => items(value, ' '),
    }
}

/// The numbers of a value, of labels the table of each customer.
#[must_use]
pub fn items(value: &Value, between: char) -> String {
    match value {
        Value::Whole(whole) => whole.to_string(),
        Value::Wholes(wholes) => separated(wholes, between),
        Value::Reals(reals) => {
            separated(&reals.iter().map(|&real| number(real)).collect::<Vec<_>>(), between)
        }
        Value::Labels(labels) => separated(labels, between),
    }
}

/// How many numbers a value has.
#[must_use]
pub fn count(value: &Value) -> u64 {
    let count = match value {
        Value::Whole(_) => 1,
        Value::Wholes(wholes) => wholes.len(),
        Value::Reals(reals) => reals.len(),
        Value::Labels(labels) => labels.len(),
    };
    count as u64
}

/// The names of a value's fields in comma-separated values: a field for each item where all values have as many; else one.
#[must_use]
pub fn header(shape: &Shape) -> String {
    match shape {
        Shape::Scalars => "value".to_owned(),
        Shape::Rows { width } => separated(&(0..*width).collect::<Vec<_>>(), ','),
        Shape::Ragged(_) => "values".to_owned(),
    }
}

/// The fields of a value: [`header`] names them. Where there is one for all items, blanks are between these.
#[must_use]
pub fn fields(value: &Value, shape: &Shape) -> String {
    items(value, if matches!(shape, Shape::Ragged(_)) { ' ' } else { ',' })
}

/// A value as JSON.
///
/// # Panics
/// Never: numbers and lists of them are JSON.
#[must_use]
pub fn json(value: &Value) -> String {
    serde_json::to_string(value).expect("numbers and lists of them")
}

/// A number that is read back as it is, in as few digits as that takes.
#[must_use]
pub fn number(number: f64) -> String {
    if number.is_finite() { Json::from(number).to_string() } else { number.to_string() }
}

/// The same as JSON, which has no infinite numbers: these are texts, as "-inf".
#[must_use]
pub fn json_number(number: f64) -> Json {
    if number.is_finite() { number.into() } else { number.to_string().into() }
}

/// Numbers by name, as JSON.
pub fn json_facts(facts: impl IntoIterator<Item = (impl Into<String>, f64)>) -> Json {
    let facts = facts.into_iter().map(|(name, value)| (name.into(), json_number(value)));
    Json::Object(facts.collect::<Map<_, _>>())
}

/// Items with a character between each two.
pub fn separated(items: &[impl Display], between: char) -> String {
    let mut text = String::new();
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push(between);
        }
        let _ = write!(text, "{item}");
    }
    text
}

/// Value `j` of a process whose values are of that kind.
///
/// # Panics
/// If there are not so many.
#[must_use]
pub fn value(columns: &Columns, outcome: Outcome, j: usize) -> Value {
    let items = match &columns.shape {
        Shape::Scalars => j..j + 1,
        Shape::Rows { width } => j * width..(j + 1) * width,
        Shape::Ragged(offsets) => offsets[j]..offsets[j + 1],
    };
    match &columns.data {
        Data::I64(numbers) if outcome == Outcome::Whole => Value::Whole(numbers[items.start]),
        Data::I64(numbers) => Value::Wholes(numbers[items].to_vec()),
        Data::U32(labels) => Value::Labels(labels[items].to_vec()),
        Data::F64(numbers) => Value::Reals(numbers[items].to_vec()),
    }
}
