//! `Xof.ml_rej_uniform`: rejection sampling by the library, into a list or a buffer of integers.

use crate::boundary::buffer::{Integer, Output, reserved};
use crate::boundary::errors::{self, exception};
use hashwell::Reader;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The upper bound and the width of candidates, which have been checked.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    below: u64,
    bits: Option<u32>,
}

/// A function that draws from the reader. From time to time it calls its second argument, which checks for signals.
pub(crate) type Draw<'a> =
    &'a mut (dyn FnMut(&mut Reader, &mut dyn FnMut() -> PyResult<()>) -> PyResult<()> + Send);

impl Range {
    pub(crate) fn new(below: &Bound<'_, PyAny>, bits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let out_of_range = |what, error: PyErr| {
            if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(below.py()) {
                exception::<PyValueError>(what)
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

    /// The average number of bytes that `n` draws read. It is large if `below` is small compared with the range of
    /// candidates.
    fn work(self, n: usize) -> usize {
        let width = self.bits.unwrap_or(u64::BITS - self.below.leading_zeros());
        let draws = n as f64 * f64::from(width).exp2() / self.below as f64;
        (draws * f64::from(width) / 8.0) as usize
    }

    /// Draws `n` integers. Calls `look` every few thousand candidates, and stops if it returns an error.
    fn draw(
        self,
        reader: &mut Reader,
        n: usize,
        accept: impl FnMut(u64),
        look: &mut dyn FnMut() -> PyResult<()>,
    ) -> PyResult<()> {
        const BUFFERS: u32 = 256;
        let (mut buffers, mut looked) = (0, Ok(()));
        let go_on = || {
            buffers += 1;
            if buffers % BUFFERS == 0 {
                looked = look();
            }
            looked.is_ok()
        };
        reader.ml_rej_uniform_while(n, self.below, self.bits, accept, go_on).map_err(errors::from_library)?;
        looked
    }
}

/// Returns the integers as a list.
pub(crate) fn list<'py>(
    py: Python<'py>,
    n: usize,
    range: Range,
    draw: impl FnOnce(usize, Draw<'_>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut drawn: Vec<u64> = reserved(n)?;
    draw(range.work(n), &mut |reader, look| range.draw(reader, n, |value| drawn.push(value), look))?;
    Ok(PyList::new(py, drawn)?.into_any())
}

/// Writes the integers into the first `n` items of `out`, and returns `out`.
pub(crate) fn fill<'py>(
    out: Bound<'py, PyAny>,
    n: usize,
    range: Range,
    draw: impl FnOnce(usize, Draw<'_>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut output = Output::of(&out)?;
    let Some(Integer { size, max }) = output.integer() else {
        return Err(exception::<PyBufferError>(
            "out must hold integers of 1, 2, 4 or 8 bytes in the machine's byte order",
        ));
    };
    let items = output.len() / size;
    if items < n {
        return Err(exception::<PyValueError>(format!("out must have at least {n} items, not {items}")));
    }
    if range.below.saturating_sub(1) > max {
        return Err(exception::<PyValueError>(format!(
            "the items of out are too small: values can be up to {}, but an item can be at most {max}",
            range.below - 1
        )));
    }
    let mut items = output.as_mut_slice().chunks_exact_mut(size);
    draw(range.work(n), &mut |reader, look| {
        let accept = |value: u64| {
            // The value fits into `size` bytes, because the largest possible one does.
            let item = items.next().expect("n items were counted above");
            if cfg!(target_endian = "little") {
                item.copy_from_slice(&value.to_le_bytes()[..size]);
            } else {
                item.copy_from_slice(&value.to_be_bytes()[8 - size..]);
            }
        };
        range.draw(reader, n, accept, look)
    })?;
    drop(output);
    Ok(out)
}
