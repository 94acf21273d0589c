//! What may seed a stream, as bytes: `docs/random.md` has the rule for numbers.

use crate::border::buffer::Input;
use crate::border::errors;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMemoryView, PySequence, PyString};

/// What the bytes of numbers begin with, so that nobody passes them by accident.
const NUMBERS: &str = "hwseed/1:";

/// Numbers of 32 bits that a `SeedSequence` is asked for: as many bits as a stream's key has.
const WORDS: usize = 8;

/// A seed's bytes.
pub(crate) enum Seed<'a, 'py> {
    Bytes(Input<'a, 'py>),
    Numbers(String),
}

impl<'a, 'py> Seed<'a, 'py> {
    /// Bytes are themselves. A number, a sequence of numbers, and the numbers that `generate_state` gives are
    /// written as text.
    pub(crate) fn of(seed: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if Input::of_bytes(seed).is_some() || is_bytes(seed) {
            return Input::of(seed).map(Seed::Bytes);
        }
        if let Some(digits) = digits(seed)? {
            return Ok(Seed::Numbers(NUMBERS.to_owned() + &digits));
        }
        if let Some(generate_state) = seed.getattr_opt(intern!(seed.py(), "generate_state"))? {
            return numbers(&generate_state.call1((WORDS,))?);
        }
        if is_sequence(seed) { numbers(seed) } else { Err(errors::not_a_seed(seed)) }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Seed::Bytes(input) => input.as_slice(),
            Seed::Numbers(text) => text.as_bytes(),
        }
    }
}

/// The numbers of a sequence, with commas between them.
fn numbers<'a, 'py>(sequence: &Bound<'py, PyAny>) -> PyResult<Seed<'a, 'py>> {
    let mut text = NUMBERS.to_owned();
    for (i, number) in sequence.try_iter()?.enumerate() {
        let number = number?;
        let digits = digits(&number)?.ok_or_else(|| errors::not_a_seed(&number))?;
        text.push_str(if i > 0 { "," } else { "" });
        text.push_str(&digits);
    }
    Ok(Seed::Numbers(text))
}

/// A number in hexadecimal, if the object says that it is one.
fn digits(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let py = object.py();
    let Ok(number) = object.call_method0(intern!(py, "__index__")) else { return Ok(None) };
    if object.is_instance_of::<PyBool>() || !number.is_instance_of::<PyInt>() {
        return Ok(None);
    }
    if number.lt(0)? {
        return Err(errors::negative_seed(&number));
    }
    number.call_method1(intern!(py, "__format__"), ("x",))?.extract().map(Some)
}

/// Item type and dimensions of a buffer.
fn shape(object: &Bound<'_, PyAny>) -> Option<(String, usize)> {
    let view = PyMemoryView::from(object).ok()?;
    let format = view.getattr("format").ok()?.extract().ok()?;
    Some((format, view.getattr("ndim").ok()?.extract().ok()?))
}

/// Whether it is a buffer of bytes. Wider items would be other bytes on another machine; one item without a
/// dimension is a number of NumPy's or ctypes'.
fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    shape(object).is_some_and(|(format, dimensions)| {
        dimensions > 0 && matches!(format.trim_start_matches(['<', '>', '=', '@']), "B" | "b" | "c")
    })
}

/// Whether it may be a sequence of numbers: a list, tuple, range or array. Sets have no order, and a string is
/// text that somebody forgot to encode.
fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    let array = || shape(object).is_some_and(|(_, dimensions)| dimensions > 0);
    !object.is_instance_of::<PyString>() && (object.cast::<PySequence>().is_ok() || array())
}
