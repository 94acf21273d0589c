//! Values as text.

use hashwell_draw::process::registry::{Columns, Data, Outcome, Shape, Value, tables};
use std::fmt::{Display, Write as _};

/// A value for a line: a number, numbers with blanks between them, or the customers of each table in brackets, the newest
/// first.
pub(super) fn text(value: &Value) -> String {
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
pub(super) fn items(value: &Value, between: char) -> String {
    match value {
        Value::Whole(whole) => whole.to_string(),
        Value::Wholes(wholes) => separated(wholes, between),
        Value::Reals(reals) => separated(reals, between),
        Value::Labels(labels) => separated(labels, between),
    }
}

/// A value as JSON.
pub(super) fn json(value: &Value) -> String {
    serde_json::to_string(value).expect("numbers and lists of them")
}

/// A number that is read back as it is, in as few digits as that takes.
pub(super) fn number(number: f64) -> String {
    if number.is_finite() { serde_json::Value::from(number).to_string() } else { number.to_string() }
}

/// Items with a character between each two.
pub(super) fn separated(items: &[impl Display], between: char) -> String {
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
pub(super) fn value(columns: &Columns, outcome: Outcome, j: usize) -> Value {
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
