//! Where the digests of many messages go: a list, memory, or `bytes` in the making.

use crate::buffer::{Output, Pieces};
use crate::errors;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// Takes digests in order, a window of rows at a time.
pub(crate) trait Sink<'py> {
    /// Refuses messages that lie where digests will.
    fn check(&self, messages: &[&[u8]]) -> PyResult<()> {
        let _ = messages;
        Ok(())
    }

    /// Memory for the next `len` bytes of digests.
    fn room(&mut self, len: usize) -> PyResult<&mut [u8]>;

    /// Told after the room was filled with digests of so many rows.
    fn filled(&mut self, py: Python<'py>, rows: usize) -> PyResult<()> {
        let _ = (py, rows);
        Ok(())
    }
}

/// Our own memory, as long as all digests.
pub(crate) struct Memory<'a>(pub(crate) &'a mut [u8]);

const LONG_ENOUGH: &str = "the memory is as long as all digests";

impl Sink<'_> for Memory<'_> {
    fn room(&mut self, len: usize) -> PyResult<&mut [u8]> {
        Ok(self.0.split_off_mut(..len).expect(LONG_ENOUGH))
    }
}

impl Sink<'_> for Pieces<'_> {
    fn room(&mut self, len: usize) -> PyResult<&mut [u8]> {
        Ok(self.take(len).expect(LONG_ENOUGH))
    }
}

/// A caller's buffer, as long as all digests.
pub(crate) struct Buffer<'py> {
    output: Output<'py>,
    filled: usize,
}

impl<'py> Buffer<'py> {
    pub(crate) fn new(output: Output<'py>) -> Self {
        Self { output, filled: 0 }
    }
}

impl Sink<'_> for Buffer<'_> {
    fn check(&self, messages: &[&[u8]]) -> PyResult<()> {
        if messages.iter().any(|message| self.output.overlaps(message)) {
            return Err(errors::out_overlaps());
        }
        Ok(())
    }

    fn room(&mut self, len: usize) -> PyResult<&mut [u8]> {
        let from = self.filled;
        self.filled += len;
        Ok(&mut self.output.as_mut_slice()[from..self.filled])
    }
}

/// A `bytes` object for each digest. A list is made of them at the end: one that is not yet full must not
/// be seen by other threads, not even by way of the garbage collector.
pub(crate) struct Objects<'py> {
    scratch: Vec<u8>,
    objects: Vec<Bound<'py, PyBytes>>,
}

impl<'py> Objects<'py> {
    pub(crate) fn new(rows: usize) -> PyResult<Self> {
        let mut objects = Vec::new();
        objects.try_reserve_exact(rows).map_err(|_| PyMemoryError::new_err(()))?;
        Ok(Self { scratch: Vec::new(), objects })
    }

    pub(crate) fn into_list(self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.objects)
    }
}

impl<'py> Sink<'py> for Objects<'py> {
    fn room(&mut self, len: usize) -> PyResult<&mut [u8]> {
        if len > self.scratch.len() {
            let more = len - self.scratch.len();
            self.scratch.try_reserve_exact(more).map_err(|_| PyMemoryError::new_err(()))?;
        }
        self.scratch.resize(len, 0);
        Ok(&mut self.scratch)
    }

    fn filled(&mut self, py: Python<'py>, rows: usize) -> PyResult<()> {
        let digest = self.scratch.len() / rows;
        for row in 0..rows {
            self.objects.push(PyBytes::new(py, &self.scratch[row * digest..][..digest]));
        }
        Ok(())
    }
}
