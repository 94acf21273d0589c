//! Converts Python values to keys, labels and weights.

use super::batch::{Texts, Weights};
use crate::boundary::errors::{self, exception};
use hashwell_draw::row_sampling::{Value, Weigher, joined};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyFloat, PyInt, PyString, PyTuple};
use std::borrow::Cow;

/// Returns the texts of values, one value per row. A tuple contains the values of several columns.
pub(super) fn texts(what: &str, before: u64, values: &Bound<'_, PyAny>) -> PyResult<Texts> {
    let mut texts = Texts::default();
    for (i, value) in values.try_iter()?.enumerate() {
        let place = || format!("{what} of row {}", before + i as u64 + 1);
        let value = value?;
        match value.cast::<PyTuple>() {
            Ok(several) => {
                let owned = |value: Bound<'_, PyAny>| Ok(Cow::Owned(text(&value, place)?.into_owned()));
                let fields: Vec<_> = several.iter().map(owned).collect::<PyResult<_>>()?;
                texts.push(&joined(&fields)).map_err(errors::from_draw)?;
            }
            Err(_) => texts.push(&text(&value, place)?).map_err(errors::from_draw)?,
        }
    }
    Ok(texts)
}

/// Returns the text of a key: strings and bytes unchanged, integers in decimal, bools as `true` and `false`, and None
/// as the empty string. Other types are rejected, because their texts differ between programs.
fn text<'a>(value: &'a Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(string) = value.cast::<PyString>() {
        return Ok(match string.to_cow()? {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        });
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    if value.is_none() {
        return Ok(Cow::Borrowed(b""));
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Cow::Borrowed(if truth.is_true() { b"true" } else { b"false" }));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Cow::Owned(bytes.to_vec()));
    }
    match value.call_method0(intern!(value.py(), "__index__")) {
        Ok(number) if number.is_instance_of::<PyInt>() => {
            // Small integers, which are the most frequent, need no Python string.
            let digits = match number.extract::<i64>() {
                Ok(number) => number.to_string(),
                Err(_) => number.str()?.to_string(),
            };
            Ok(Cow::Owned(digits.into_bytes()))
        }
        _ => Err(exception::<PyTypeError>(format!(
            "{} is of type '{}': expected str, bytes, int, bool or None, whose text is the same in every language",
            place(),
            value.get_type().name()?
        ))),
    }
}

/// Returns the weights of rows, which may be floats or any objects whose text is a number.
pub(super) fn weights(weigher: &Weigher, before: u64, values: &Bound<'_, PyAny>) -> PyResult<Weights> {
    let mut weights = Weights::default();
    for (i, value) in values.try_iter()?.enumerate() {
        let value = value?;
        let weight = match value.cast::<PyFloat>().ok().and_then(|weight| weigher.quick(weight.value())) {
            Some(weight) => weight,
            None => weight(weigher, before + i as u64 + 1, &value)?,
        };
        weights.push(weight)?;
    }
    Ok(weights)
}

fn weight(weigher: &Weigher, row: u64, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let text = if value.is_none() {
        String::new()
    } else if value.is_instance_of::<PyBool>() {
        return Err(exception::<PyTypeError>(format!(
            "row {row}: the weight is a bool, which is not a number"
        )));
    } else {
        value.str()?.to_string()
    };
    weigher.of_text(text.as_bytes()).map_err(|wrong| exception::<PyValueError>(errors::weight(row, &wrong)))
}
