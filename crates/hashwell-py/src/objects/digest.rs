//! Digests in hashlib's shape.

use crate::border::buffer::{Input, digest_bytes, zeros};
use crate::border::errors;
use crate::border::sync::{self, Shared};
use crate::rows::algorithm::{Algorithm, object_name, status_word};
use hashwell::{Hasher, Reader};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

/// Longest message in bytes that is kept as it is.
const SHORT: usize = 64;

/// A message in progress. A short one is kept as it is: most digests are of one short message, and for
/// those a hashing state, which is several times larger, is made once on the stack instead of being moved
/// into a Python object and copied out of it.
#[derive(Clone)]
pub(crate) enum Message {
    Short { bytes: [u8; SHORT], len: usize },
    Hashed(Box<Hasher>),
}

impl Message {
    #[inline]
    pub(crate) fn new() -> Self {
        Message::Short { bytes: [0; SHORT], len: 0 }
    }

    /// The message of a hasher with parameters.
    pub(crate) fn of(hasher: Hasher) -> Self {
        Message::Hashed(Box::new(hasher))
    }

    #[inline]
    pub(crate) fn update(&mut self, row: &'static hashwell::Algorithm, data: &[u8]) {
        if let Message::Short { bytes, len } = self
            && let Some(room) = bytes[*len..].get_mut(..data.len())
        {
            room.copy_from_slice(data);
            *len += data.len();
        } else {
            self.hasher(row).update(data);
        }
    }

    /// A reader of the output for the message so far, of an extendable-output function.
    pub(crate) fn reader(&self, row: &'static hashwell::Algorithm) -> Reader {
        let reader = match self {
            Message::Short { bytes, len } => row.reader(&bytes[..*len]),
            Message::Hashed(hasher) => Hasher::clone(hasher).into_reader(),
        };
        reader.expect("the row is an extendable-output function")
    }

    fn hasher(&mut self, row: &'static hashwell::Algorithm) -> &mut Hasher {
        if let Message::Short { bytes, len } = self {
            let mut hasher = Box::new(row.hasher());
            hasher.update(&bytes[..*len]);
            *self = Message::Hashed(hasher);
        }
        match self {
            Message::Hashed(hasher) => hasher,
            Message::Short { .. } => unreachable!("hashed above"),
        }
    }

    /// Writes the digest of the message so far.
    #[inline]
    pub(crate) fn digest_into(&self, row: &'static hashwell::Algorithm, out: &mut [u8]) {
        let right_length = match self {
            Message::Short { bytes, len } => row.digest_into(&bytes[..*len], out),
            Message::Hashed(hasher) => hasher.digest_into(out),
        };
        right_length.expect("the digest's own length");
    }
}

/// A digest in progress. Made by the constructors (hashwell.sha256, …) and hashwell.new.
///
/// Threads may share one; each call is atomic.
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct Digest {
    row: &'static hashwell::Algorithm,
    digest_size: usize,
    message: Shared<Message>,
}

impl Digest {
    #[inline]
    pub(crate) fn new(row: &'static hashwell::Algorithm, message: Message, digest_size: usize) -> Self {
        Self { row, digest_size, message: Shared::new(message) }
    }

    #[inline]
    pub(crate) fn absorb(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let input = Input::of(data)?;
        let bytes = input.as_slice();
        self.message.with_pieces(py, bytes.len(), sync::pieces(bytes), |message, piece| {
            message.update(self.row, piece);
            Ok(())
        })
    }
}

/// The two digits of a byte in lower-case hexadecimal.
fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

fn write_digits(bytes: &[u8], text: &mut [u8]) {
    for (pair, byte) in text.as_chunks_mut().0.iter_mut().zip(bytes) {
        *pair = digits(*byte);
    }
}

/// Lower-case hexadecimal, a string of Python's.
pub(crate) fn hex<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let mut short = [0; 2 * SHORT];
    let mut long;
    let text = if let Some(text) = short.get_mut(..2 * bytes.len()) {
        write_digits(bytes, text);
        text
    } else {
        long = hexadecimal(bytes)?;
        &mut long
    };
    PyString::from_bytes(py, text)
}

/// Lower-case hexadecimal in memory of ours.
pub(crate) fn hexadecimal(bytes: &[u8]) -> PyResult<Vec<u8>> {
    let mut text = zeros(2 * bytes.len())?;
    write_digits(bytes, &mut text);
    Ok(text)
}

#[pymethods]
impl Digest {
    /// Refuses: others make such objects. That it is here, and without a text, keeps `inspect.signature` from showing
    /// that of `object`, which takes nothing.
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords), text_signature = None)]
    fn refuse(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(errors::not_constructible("hashwell.Digest"))
    }

    /// Name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        object_name(self.row)
    }

    /// Bytes of the digest.
    #[getter]
    fn digest_size(&self) -> usize {
        self.digest_size
    }

    /// Bytes per compression or permutation.
    #[getter]
    fn block_size(&self) -> usize {
        self.row.block
    }

    /// The registry's row.
    #[getter]
    fn algorithm(&self) -> Algorithm {
        Algorithm { row: self.row }
    }

    /// Name of the kernel in use.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> &'static str {
        self.message.with(py, 0, |message| message.hasher(self.row).kernel())
    }

    /// Appends to the message.
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        self.absorb(py, data)
    }

    /// The digest of the message so far. More may follow.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        digest_bytes(py, self.digest_size, |out| {
            self.message.with(py, 0, |message| message.digest_into(self.row, out));
        })
    }

    /// The digest in hexadecimal.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        hex(py, self.digest(py)?.as_bytes())
    }

    /// An independent object in the same state.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::new(self.row, self.message.with(py, 0, |message| message.clone()), self.digest_size)
    }

    fn __repr__(&self) -> String {
        let status = status_word(self.row);
        format!("<hashwell.Digest '{}'{status}, {} bytes>", self.name(), self.digest_size)
    }
}
