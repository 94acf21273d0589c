//! `Xof.uniform`: the library's rejection sampling into a list or a buffer of integers.

use crate::buffer::{Integer, Output};
use crate::errors;
use hashwell::{Error, Reader};
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The upper bound and the width of candidates, in range.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    below: u64,
    bits: Option<u32>,
}

/// Runs a function on the reader, told how many bytes it will read.
type Draw<'a> = &'a mut (dyn FnMut(&mut Reader) -> Result<(), Error> + Send);

impl Range {
    pub(crate) fn new(below: &Bound<'_, PyAny>, bits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let out_of_range = |what, error: PyErr| {
            if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(below.py()) {
                PyValueError::new_err(what)
            } else {
                error
            }
        };
        let below: u64 = below.extract().map_err(|e| out_of_range("below must be 1 to 2**64 - 1", e))?;
        let bits: Option<u32> = match bits {
            None => None,
            Some(bits) => Some(bits.extract().map_err(|e| out_of_range("bits must be 1 to 64", e))?),
        };
        Ok(Self { below, bits })
    }

    /// Bytes that `n` draws read at the least.
    fn work(self, n: usize) -> usize {
        let width = self.bits.unwrap_or(u64::BITS - self.below.leading_zeros());
        n.saturating_mul(width as usize) / 8
    }
}

/// The integers as a list.
pub(crate) fn list<'py>(
    py: Python<'py>,
    n: usize,
    range: Range,
    draw: impl FnOnce(usize, Draw<'_>) -> Result<(), Error>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut drawn: Vec<u64> = Vec::new();
    drawn.try_reserve_exact(n).map_err(|_| PyMemoryError::new_err(()))?;
    draw(range.work(n), &mut |reader| reader.uniform(n, range.below, range.bits, |value| drawn.push(value)))
        .map_err(errors::from_library)?;
    Ok(PyList::new(py, drawn)?.into_any())
}

/// The integers in the first `n` items of `out`, which is returned.
pub(crate) fn fill<'py>(
    out: Bound<'py, PyAny>,
    n: usize,
    range: Range,
    draw: impl FnOnce(usize, Draw<'_>) -> Result<(), Error>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut output = Output::of(&out)?;
    let Some(Integer { size, max }) = output.integer() else {
        return Err(PyBufferError::new_err(
            "out must hold integers of 1, 2, 4 or 8 bytes in the machine's byte order",
        ));
    };
    let items = output.len() / size;
    if items < n {
        return Err(PyValueError::new_err(format!("out must hold at least {n} items, not {items}")));
    }
    if range.below.saturating_sub(1) > max {
        return Err(PyValueError::new_err(format!(
            "out's items must hold {}, but end at {max}",
            range.below - 1
        )));
    }
    let mut items = output.as_mut_slice().chunks_exact_mut(size);
    draw(range.work(n), &mut |reader| {
        reader.uniform(n, range.below, range.bits, |value| {
            // `size` bytes of the value are all of it: the largest one fits.
            let item = items.next().expect("n items were counted above");
            if cfg!(target_endian = "little") {
                item.copy_from_slice(&value.to_le_bytes()[..size]);
            } else {
                item.copy_from_slice(&value.to_be_bytes()[8 - size..]);
            }
        })
    })
    .map_err(errors::from_library)?;
    drop(output);
    Ok(out)
}
