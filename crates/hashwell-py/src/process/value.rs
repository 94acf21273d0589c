//! Values of built-in processes as Python has them.

use hashwell_draw::process::registry::{Columns, Data, Outcome, Shape, Value};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyTuple};

/// A value: an int, a list, or labels as a bytearray of native numbers of 32 bits.
pub(crate) fn object(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Whole(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Wholes(wholes) => PyList::new(py, wholes)?.into_any(),
        Value::Reals(reals) => PyList::new(py, reals)?.into_any(),
        Value::Labels(labels) => array(py, &labels, u32::to_ne_bytes)?.into_any(),
    })
}

/// A value as the key of a dictionary: an int, or a tuple.
pub(crate) fn key(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Whole(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Wholes(wholes) => PyTuple::new(py, wholes)?.into_any(),
        Value::Reals(reals) => PyTuple::new(py, reals)?.into_any(),
        Value::Labels(labels) => PyTuple::new(py, labels)?.into_any(),
    })
}

/// What an object is as a value of that kind.
pub(crate) fn value_of(outcome: Outcome, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let list = object.call_method0("tolist");
    let object = list.as_ref().unwrap_or(object);
    Ok(match outcome {
        Outcome::Whole => Value::Whole(object.extract()?),
        Outcome::Wholes => Value::Wholes(object.extract()?),
        Outcome::Reals => Value::Reals(object.extract()?),
        Outcome::Labels => Value::Labels(object.extract()?),
    })
}

/// `data, dtype, width, offsets, replicates`: a bytearray of native numbers with NumPy's name of their type, and how
/// many make a value: None (each is one), so many, or those between offsets.
pub(crate) fn columns(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyAny>> {
    let (data, dtype) = match columns.data {
        Data::I64(items) => (array(py, &items, i64::to_ne_bytes)?, "int64"),
        Data::U32(items) => (array(py, &items, u32::to_ne_bytes)?, "uint32"),
        Data::F64(items) => (array(py, &items, f64::to_ne_bytes)?, "float64"),
    };
    let (width, offsets) = match columns.shape {
        Shape::Scalars => (None, None),
        Shape::Rows { width } => (Some(width), None),
        Shape::Ragged(offsets) => (None, Some(array(py, &offsets, |offset| (offset as i64).to_ne_bytes())?)),
    };
    Ok((data, dtype, width, offsets, columns.replicates).into_pyobject(py)?.into_any())
}

/// Native numbers, for memoryview and NumPy.
pub(crate) fn array<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    items: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, items.len() * N, |out| {
        for (place, &item) in out.as_chunks_mut::<N>().0.iter_mut().zip(items) {
            *place = bytes(item);
        }
        Ok(())
    })
}
