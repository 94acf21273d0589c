//! Chooses the picture for a process.

use super::{MAX_PATHS, paths, restaurant};
use crate::process::registry::{Model, Value};

/// Draws one value of a process: labels as the tables of a Chinese restaurant process, any other value as a path.
#[must_use]
pub fn of(model: &Model, value: &Value) -> String {
    match value {
        Value::Labels(labels) => restaurant(labels),
        value => paths(model.entry().title, "value", "", &[path(value)]),
    }
}

/// Draws the paths of several values of a process in one picture.
#[must_use]
pub fn of_many(model: &Model, values: &[Value]) -> String {
    let all: Vec<Vec<f64>> = values.iter().take(MAX_PATHS).map(path).collect();
    let title = format!("{}, {} replicates", model.entry().title, all.len());
    paths(&title, "value", "", &all)
}

fn path(value: &Value) -> Vec<f64> {
    match value {
        Value::Whole(whole) => vec![*whole as f64],
        Value::Wholes(wholes) => wholes.iter().map(|&whole| whole as f64).collect(),
        Value::Reals(reals) => reals.clone(),
        Value::Labels(labels) => labels.iter().map(|&label| f64::from(label)).collect(),
    }
}
