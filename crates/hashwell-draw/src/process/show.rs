//! Values and numbers as text, as the command and other front ends print them.

use super::registry::{Columns, Data, Shape, Value, ValueKind, tables};
use serde_json::{Map, Value as Json};
use std::fmt::{Display, Write as _};

/// Formats a value as one line: a number, numbers separated by spaces, or the customers of each table in brackets, with
/// the newest customer first.
#[must_use]
pub fn text(value: &Value) -> String {
    match value {
        Value::Labels(labels) => {
            let tables = tables(labels);
            separated(tables.iter().map(|table| format!("[{}]", separated(table, ' '))), ' ')
        }
        value => items(value, ' '),
    }
}

/// Formats the numbers of a value, with `between` as the separator. For labels, these are the table numbers of the
/// customers.
#[must_use]
pub fn items(value: &Value, between: char) -> String {
    match value {
        Value::Whole(whole) => whole.to_string(),
        Value::Wholes(wholes) => separated(wholes, between),
        Value::Reals(reals) => separated(reals.iter().map(|&real| number(real)), between),
        Value::Labels(labels) => separated(labels, between),
    }
}

/// The number of items of a value.
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

/// An upper bound on the number of bytes of a value as text, CSV or JSON.
#[must_use]
pub fn most_bytes(value: &Value) -> u64 {
    /// The longest number, such as -2.2250738585072014e-308, and a separator.
    const REAL: u64 = 25;
    let digits = |most: u64| u64::from(most.max(1).ilog10()) + 3;
    match value {
        Value::Whole(_) => REAL,
        Value::Wholes(wholes) => {
            count(value) * digits(wholes.iter().map(|whole| whole.unsigned_abs()).max().unwrap_or(0))
        }
        Value::Reals(_) => count(value) * REAL,
        // JSON contains the labels and the sizes of the tables. A size is at most the number of customers.
        Value::Labels(_) => 2 * count(value) * (digits(count(value)) + 1),
    }
}

/// The CSV header for values of this shape. It has a field for each item if all values have the same number of items,
/// and otherwise a single field.
#[must_use]
pub fn header(shape: &Shape) -> String {
    match shape {
        Shape::Scalars => "value".to_owned(),
        Shape::Rows { width } => separated(0..*width, ','),
        Shape::Ragged(_) => "values".to_owned(),
    }
}

/// Formats a value as CSV fields with the names in [`header`]. If a single field contains all items, they are separated
/// by spaces.
#[must_use]
pub fn fields(value: &Value, shape: &Shape) -> String {
    items(value, if matches!(shape, Shape::Ragged(_)) { ' ' } else { ',' })
}

/// Formats a value as JSON.
///
/// # Panics
/// Never panics, because numbers and lists of numbers can always be written as JSON.
#[must_use]
pub fn json(value: &Value) -> String {
    serde_json::to_string(value).expect("numbers and lists of them")
}

/// Formats a number with as few digits as are needed to read back the same value.
#[must_use]
pub fn number(number: f64) -> String {
    if number.is_finite() { Json::from(number).to_string() } else { number.to_string() }
}

/// Converts a number to JSON. JSON has no infinite numbers, so they become strings such as "-inf".
#[must_use]
pub fn json_number(number: f64) -> Json {
    if number.is_finite() { number.into() } else { number.to_string().into() }
}

/// Converts named numbers to a JSON object.
pub fn json_facts(facts: impl IntoIterator<Item = (impl Into<String>, f64)>) -> Json {
    let facts = facts.into_iter().map(|(name, value)| (name.into(), json_number(value)));
    Json::Object(facts.collect::<Map<_, _>>())
}

/// Joins items, with the character `between` as the separator.
pub fn separated(items: impl IntoIterator<Item = impl Display>, between: char) -> String {
    let mut text = String::new();
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            text.push(between);
        }
        let _ = write!(text, "{item}");
    }
    text
}

/// Returns value `j`. `outcome` is the kind of the values.
///
/// # Panics
/// Panics if there is no value `j`.
#[must_use]
pub fn value(columns: &Columns, outcome: ValueKind, j: usize) -> Value {
    let items = match &columns.shape {
        Shape::Scalars => j..j + 1,
        Shape::Rows { width } => j * width..(j + 1) * width,
        Shape::Ragged(offsets) => offsets[j]..offsets[j + 1],
    };
    match &columns.data {
        Data::I64(numbers) if outcome == ValueKind::Whole => Value::Whole(numbers[items.start]),
        Data::I64(numbers) => Value::Wholes(numbers[items].to_vec()),
        Data::U32(labels) => Value::Labels(labels[items].to_vec()),
        Data::F64(numbers) => Value::Reals(numbers[items].to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_the_command_prints_them() {
        let shown = |value: &Value| (text(value), items(value, ','), count(value));
        let of = |text: &str, items: &str, count| (text.to_owned(), items.to_owned(), count);
        assert_eq!(shown(&Value::Whole(-3)), of("-3", "-3", 1));
        assert_eq!(shown(&Value::Wholes(vec![1, 2, 3])), of("1 2 3", "1,2,3", 3));
        assert_eq!(shown(&Value::Wholes(vec![])), of("", "", 0));
        assert_eq!(shown(&Value::Reals(vec![0.1, 1e300])), of("0.1 1e+300", "0.1,1e+300", 2));
        assert_eq!(shown(&Value::Labels(vec![0, 0, 1, 0])), of("[3 1 0] [2]", "0,0,1,0", 4));
        assert_eq!(json(&Value::Labels(vec![0, 1, 0])), r#"{"labels":[0,1,0],"tables":[[2,0],[1]]}"#);
        assert_eq!([number(2.0), number(f64::NEG_INFINITY)], ["2.0", "-inf"]);
        assert_eq!(json_facts([("a", 0.5), ("b", f64::INFINITY)]).to_string(), r#"{"a":0.5,"b":"inf"}"#);
    }

    #[test]
    fn no_text_is_longer_than_the_bound() {
        for value in [
            Value::Whole(i64::MIN),
            Value::Wholes(vec![i64::MIN, i64::MAX, 0, -9, 10]),
            Value::Reals(vec![
                -f64::MIN_POSITIVE,
                f64::MAX,
                -1.234_567_890_123_456_7e-300,
                f64::NEG_INFINITY,
            ]),
            Value::Labels((0..1000).collect()),
            Value::Labels(vec![0; 1000]),
        ] {
            // JSON has brackets and names in addition to the numbers.
            let longest =
                text(&value).len().max(items(&value, ',').len()).max(json(&value).len().saturating_sub(26))
                    as u64;
            assert!(longest <= most_bytes(&value), "{value:?}");
        }
    }

    #[test]
    fn fields_are_those_of_the_header() {
        let row = Value::Wholes(vec![4, 5]);
        let shapes = [Shape::Scalars, Shape::Rows { width: 3 }, Shape::Ragged(vec![0, 2])];
        assert_eq!(shapes.each_ref().map(header), ["value", "0,1,2", "values"]);
        assert_eq!(shapes.each_ref().map(|shape| fields(&row, shape)), ["4,5", "4,5", "4 5"]);
    }

    #[test]
    fn values_are_cut_out_of_columns() {
        let columns = |data, shape| Columns { data, shape, replicates: 2, finished: true };
        let wholes = || Data::I64(vec![7, 8, 9, 10]);
        let rows = columns(wholes(), Shape::Rows { width: 2 });
        assert_eq!(value(&columns(wholes(), Shape::Scalars), ValueKind::Whole, 2), Value::Whole(9));
        assert_eq!(value(&rows, ValueKind::Wholes, 1), Value::Wholes(vec![9, 10]));
        let ragged = columns(wholes(), Shape::Ragged(vec![0, 3, 4]));
        assert_eq!(value(&ragged, ValueKind::Wholes, 0), Value::Wholes(vec![7, 8, 9]));
        let labels = columns(Data::U32(vec![0, 1]), Shape::Rows { width: 1 });
        assert_eq!(value(&labels, ValueKind::Labels, 1), Value::Labels(vec![1]));
        let reals = columns(Data::F64(vec![0.5, 1.5]), Shape::Rows { width: 2 });
        assert_eq!(value(&reals, ValueKind::Reals, 0), Value::Reals(vec![0.5, 1.5]));
    }
}
