//! Which picture a process has.

use super::{paths, restaurant, sticks};
use crate::process::registry::{Model, Value};

/// The natural picture of a value: a restaurant, a stick, a path.
#[must_use]
pub fn of(model: &dyn Model, value: &Value) -> String {
    let row = model.row();
    match value {
        Value::Labels(labels) => restaurant(labels),
        Value::Reals(lengths) if row.name == "stick-breaking" => sticks(lengths),
        Value::Reals(path) => paths(row.title, "value", "", std::slice::from_ref(path)),
        Value::Wholes(path) => paths(row.title, "value", "", &[as_reals(path)]),
        Value::Whole(whole) => paths(row.title, "value", "", &[vec![*whole as f64]]),
    }
}

fn as_reals(path: &[i64]) -> Vec<f64> {
    path.iter().map(|&value| value as f64).collect()
}
