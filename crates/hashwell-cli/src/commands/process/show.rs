//! Values as text.

use hashwell_draw::process::registry::{Value, tables};
use std::fmt::{Display, Write as _};

/// A value for a line: a number, numbers with blanks between them, or the customers of each table in brackets, the newest
/// first.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Whole(whole) => whole.to_string(),
        Value::Wholes(wholes) => separated(wholes, ' '),
        Value::Reals(reals) => separated(reals, ' '),
        Value::Labels(labels) => {
            let tables: Vec<String> =
                tables(labels).iter().map(|table| format!("[{}]", separated(table, ' '))).collect();
            separated(&tables, ' ')
        }
    }
}

/// A value as JSON.
pub(super) fn json(value: &Value) -> String {
    serde_json::to_string(value).expect("numbers and lists of them")
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
