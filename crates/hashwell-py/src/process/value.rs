//! Values, distributions and weights as Python objects.

use super::faults::from_draw;
use hashwell_draw::process::interpret::{Exact, Weighted};
use hashwell_draw::process::registry::{Columns, Data, Shape, Value, ValueKind};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyTuple};

/// Converts a value to an int, a list, or for labels a bytearray of native 32-bit integers.
pub(crate) fn object(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Whole(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Wholes(wholes) => PyList::new(py, wholes)?.into_any(),
        Value::Reals(reals) => PyList::new(py, reals)?.into_any(),
        Value::Labels(labels) => array(py, &labels, u32::to_ne_bytes)?.into_any(),
    })
}

/// Converts a value to the key of a dictionary: an int or a tuple.
pub(crate) fn key(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Whole(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Wholes(wholes) => PyTuple::new(py, wholes)?.into_any(),
        Value::Reals(reals) => PyTuple::new(py, reals)?.into_any(),
        Value::Labels(labels) => PyTuple::new(py, labels)?.into_any(),
    })
}

/// Converts an object to a value of this kind.
pub(crate) fn value_of(outcome: ValueKind, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let list = object.call_method0("tolist");
    let object = list.as_ref().unwrap_or(object);
    Ok(match outcome {
        ValueKind::Whole => Value::Whole(object.extract()?),
        ValueKind::Wholes => Value::Wholes(object.extract()?),
        ValueKind::Reals => Value::Reals(object.extract()?),
        ValueKind::Labels => Value::Labels(object.extract()?),
    })
}

/// `data, dtype, width, offsets, replicates`: a bytearray of native numbers with NumPy's name of their type, and the
/// number of items per value. If `width` and `offsets` are None, each item is a value; otherwise a value has `width`
/// items or the items between two offsets.
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

/// Returns native numbers for memoryview and NumPy.
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

/// `[(outcome, mass), …], lost, evidence, log_evidence, unit, steps, expanded`; masses are in units of 2^unit.
pub(crate) fn distribution<'py, O>(
    py: Python<'py>,
    exact: Exact<O>,
    object: impl Fn(O) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let log_evidence = exact.log_evidence();
    let Exact { outcomes, lost, evidence, unit, steps, expanded } = exact;
    let masses = PyList::empty(py);
    for (out, mass) in outcomes {
        masses.append((object(out)?, mass))?;
    }
    (masses, lost, evidence, log_evidence, unit, steps, expanded).into_pyobject(py)
}

/// `[out, …], [log_weight, …], [weight, …], effective_sample_size, log_evidence`; the weights have the sum 1.
pub(crate) fn weighted<'py>(
    py: Python<'py>,
    outs: Bound<'py, PyAny>,
    log_weights: Vec<f64>,
) -> PyResult<Bound<'py, PyTuple>> {
    let weights: Weighted<()> = Weighted { outs: Vec::new(), log_weights, finished: true };
    let size = weights.effective_sample_size().map_err(from_draw)?;
    let log_evidence = weights.log_evidence().map_err(from_draw)?;
    let posterior = weights.posterior().map_err(from_draw)?;
    (outs, weights.log_weights, posterior, size, log_evidence).into_pyobject(py)
}
