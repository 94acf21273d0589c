//! Destinations for the digests of many messages: a list, a caller's buffer, or memory of a result that is being
//! created.

use crate::boundary::buffer::{Output, Pieces, copied_bytes, zeros};
use crate::boundary::errors;
use crate::objects::digest::hex;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Receives digests in order, one window of rows at a time.
pub(crate) trait Sink<'py> {
    /// Returns an error if a message overlaps the memory for the digests.
    fn check(&self, messages: &[&[u8]]) -> PyResult<()> {
        let _ = messages;
        Ok(())
    }

    /// Returns memory for the next `len` bytes of digests.
    fn room(&mut self, py: Python<'py>, len: usize) -> PyResult<&mut [u8]>;

    /// Called after the memory was filled with the digests of this number of rows.
    fn filled(&mut self, py: Python<'py>, rows: usize) -> PyResult<()> {
        let _ = (py, rows);
        Ok(())
    }
}

/// Memory of this package for all digests.
pub(crate) struct Memory<'a>(pub(crate) &'a mut [u8]);

impl Sink<'_> for Memory<'_> {
    fn room(&mut self, _: Python<'_>, len: usize) -> PyResult<&mut [u8]> {
        Ok(self.0.split_off_mut(..len).expect("the memory is as long as all digests"))
    }
}

impl Sink<'_> for Pieces<'_> {
    fn room(&mut self, py: Python<'_>, len: usize) -> PyResult<&mut [u8]> {
        self.take_long(py, len)
    }
}

/// A caller's buffer for all digests.
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

    fn room(&mut self, _: Python<'_>, len: usize) -> PyResult<&mut [u8]> {
        let from = self.filled;
        self.filled += len;
        Ok(&mut self.output.as_mut_slice()[from..self.filled])
    }
}

/// A list with a `bytes` object for each digest, or a `str` in hexadecimal. It is filled with `None` at first, because
/// other threads could otherwise find a list with null pointers through the garbage collector.
pub(crate) struct Objects<'py> {
    scratch: Vec<u8>,
    list: Bound<'py, PyList>,
    filled: usize,
    hex: bool,
}

impl<'py> Objects<'py> {
    pub(crate) fn new(py: Python<'py>, rows: usize, hex: bool) -> PyResult<Self> {
        let list = PyList::new(py, [py.None()])?.as_sequence().repeat(rows)?;
        Ok(Self { scratch: Vec::new(), list: list.cast_into()?, filled: 0, hex })
    }

    pub(crate) fn into_list(self) -> Bound<'py, PyList> {
        self.list
    }
}

impl<'py> Sink<'py> for Objects<'py> {
    fn room(&mut self, _: Python<'py>, len: usize) -> PyResult<&mut [u8]> {
        if len > self.scratch.len() {
            self.scratch = zeros(len)?;
        }
        self.scratch.truncate(len);
        Ok(&mut self.scratch)
    }

    fn filled(&mut self, py: Python<'py>, rows: usize) -> PyResult<()> {
        let digest = self.scratch.len() / rows;
        for row in 0..rows {
            let bytes = &self.scratch[row * digest..][..digest];
            let item =
                if self.hex { hex(py, bytes)?.into_any() } else { copied_bytes(py, bytes)?.into_any() };
            self.list.set_item(self.filled + row, item)?;
        }
        self.filled += rows;
        Ok(())
    }
}
