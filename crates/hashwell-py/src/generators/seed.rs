//! Seeds: one rule for every function and class that takes one (`docs/guides/random.md`, Seeds in Python).

use crate::boundary::buffer::{Input, copied_bytes};
use crate::boundary::errors;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMemoryView, PySequence, PyString};

/// The prefix of the text that represents several integers. It prevents accidental collisions with other texts.
const NUMBERS: &str = "hwseed/1:";

/// The number of 32-bit integers requested from a `SeedSequence`: they have as many bits as the key of a stream.
const WORDS: usize = 8;

/// A seed: bytes, or the text that represents it.
pub(crate) enum Seed<'a, 'py> {
    Bytes(Input<'a, 'py>),
    Text(String),
}

impl<'a, 'py> Seed<'a, 'py> {
    /// Bytes and strings are used as they are, and an integer is represented by its decimal digits. Several integers,
    /// including those that `generate_state` returns, are written in hexadecimal after [`NUMBERS`].
    pub(crate) fn of(seed: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = seed.cast::<PyString>() {
            return Ok(Self::Text(text.to_cow()?.into_owned()));
        }
        if Input::of_bytes(seed).is_some() || is_bytes(seed) {
            return Input::of(seed).map(Self::Bytes);
        }
        if let Some(integer) = integer(seed)? {
            return decimal(&integer).map(Self::Text);
        }
        if let Some(generate_state) = seed.getattr_opt(intern!(seed.py(), "generate_state"))? {
            return numbers(&generate_state.call1((WORDS,))?).map(Self::Text);
        }
        if is_sequence(seed) { numbers(seed).map(Self::Text) } else { Err(errors::not_a_seed(seed)) }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Seed::Bytes(input) => input.as_slice(),
            Seed::Text(text) => text.as_bytes(),
        }
    }
}

/// Return a seed as a str. If the seed is bytes, return it as bytes.
#[pyfunction(name = "_seed")]
pub(super) fn seed<'py>(py: Python<'py>, seed: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match Seed::of(seed)? {
        Seed::Bytes(input) => copied_bytes(py, input.as_slice())?.into_any(),
        Seed::Text(text) => PyString::new(py, &text).into_any(),
    })
}

/// Formats the integers of a sequence, with commas between them.
fn numbers(sequence: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut text = NUMBERS.to_owned();
    for (i, number) in sequence.try_iter()?.enumerate() {
        let number = number?;
        let integer = integer(&number)?.ok_or_else(|| errors::not_a_seed(&number))?;
        if integer.lt(0)? {
            return Err(errors::negative_seed(&integer));
        }
        text.push_str(if i > 0 { "," } else { "" });
        text.push_str(integer.call_method1(intern!(integer.py(), "__format__"), ("x",))?.extract()?);
    }
    Ok(text)
}

/// Converts the object to an int, if it supports that (`__index__`).
fn integer<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Ok(number) = object.call_method0(intern!(object.py(), "__index__")) else { return Ok(None) };
    let is_integer = !object.is_instance_of::<PyBool>() && number.is_instance_of::<PyInt>();
    Ok(is_integer.then_some(number))
}

/// The decimal digits of an int.
fn decimal(integer: &Bound<'_, PyAny>) -> PyResult<String> {
    match integer.str() {
        // By default, Python refuses to convert an int of more than a few thousand digits to a str. Decimal has no such
        // limit.
        Err(error) if error.is_instance_of::<PyValueError>(integer.py()) => {
            integer.py().import("decimal")?.getattr("Decimal")?.call1((integer,))?.str()?.extract()
        }
        digits => digits?.extract(),
    }
}

/// The item type and the number of dimensions of a buffer.
fn shape(object: &Bound<'_, PyAny>) -> Option<(String, usize)> {
    let view = PyMemoryView::from(object).ok()?;
    let format = view.getattr("format").ok()?.extract().ok()?;
    Some((format, view.getattr("ndim").ok()?.extract().ok()?))
}

/// Returns true for a buffer of bytes. Wider items would have different bytes on other machines, and a buffer without
/// dimensions is a number of NumPy or ctypes.
fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    shape(object).is_some_and(|(format, dimensions)| {
        dimensions > 0 && matches!(format.trim_start_matches(['<', '>', '=', '@']), "B" | "b" | "c")
    })
}

/// Returns true if the object may be a sequence of integers: a list, tuple, range or array. Sets are excluded, because
/// they have no order.
fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<PySequence>().is_ok() || shape(object).is_some_and(|(_, dimensions)| dimensions > 0)
}
