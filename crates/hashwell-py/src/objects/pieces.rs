//! Pieces of one message, whose values are computed separately and then joined.

use crate::boundary::buffer::{Input, copied_bytes};
use crate::boundary::errors::{self, Bytes, Index};
use crate::boundary::sync;
use crate::boundary::watch::{look, signals};
use crate::objects::constructor::with_arguments;
use crate::rows::algorithm::resolve;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A message of known length, divided into pieces that can be hashed independently.
///
/// The pieces can be hashed in any order and on any machine.
///
/// The value of a piece is bytes that you can store or send. It is not a digest: someone who has the value can
/// continue the hash from it, and may learn a part of the message.
///
/// Args:
///     algorithm: "blake3" (without key or context), "kt128" or "kt256", given as a name, a constructor or an
///         Algorithm object.
///     length: The length of the message in bytes.
///     **params: Keyword arguments for the algorithm's constructor.
///
/// Raises:
///     ValueError: The algorithm doesn't support pieces.
///
/// Examples:
///     >>> import hashwell
///     >>> message = bytes(1_000_000)
///     >>> pieces = hashwell.Pieces("blake3", len(message))
///     >>> spans = [slice(*pieces.span(i)) for i in range(pieces.count)]
///     >>> values = [pieces.value(i, message[span]) for i, span in enumerate(spans)]  # anywhere
///     >>> pieces.join(values) == hashwell.blake3(message).digest()                   # in one place
///     True
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct Pieces(hashwell::Pieces);

#[pymethods]
impl Pieces {
    #[new]
    #[pyo3(signature = (algorithm, length, **params))]
    fn new(
        algorithm: &Bound<'_, PyAny>,
        length: Bytes,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        with_arguments(resolve(algorithm)?, params, |arguments| arguments.pieces(length.0)).map(Self)
    }

    /// The size in bytes of every piece except the last one. It is the same in every version.
    #[classattr]
    const PIECE_SIZE: usize = hashwell::Pieces::LEN;

    /// The number of pieces. An empty message has no pieces.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Return the position of a piece in the message.
    ///
    /// Args:
    ///     index: The number of the piece, counted from 0.
    ///
    /// Returns:
    ///     The start and the end of the piece in bytes. They are equal if there is no such piece.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.Pieces("blake3", 300_000).span(1)
    ///     (262144, 300000)
    fn span(&self, index: Index) -> (u64, u64) {
        let range = self.0.range(index.0);
        (range.start, range.end)
    }

    /// Return the value of a piece.
    ///
    /// Args:
    ///     index: The number of the piece, counted from 0.
    ///     data: The bytes of the piece.
    ///
    /// Returns:
    ///     The value as bytes. For BLAKE3, it has 32 bytes. For KT128, it has 32 bytes per 8 KiB of the piece, and for
    ///     KT256 64 bytes. With these two, the first chunk and the end of the message are included unchanged. If the
    ///     message is a single piece, the value is the message itself.
    ///
    /// Raises:
    ///     ValueError: There is no such piece, or data doesn't have its length.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> len(hashwell.Pieces("blake3", 300_000).value(0, bytes(262_144)))
    ///     32
    fn value<'py>(
        &self,
        py: Python<'py>,
        index: Index,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let input = Input::of(data)?;
        let bytes = input.as_slice();
        let value = sync::run(py, bytes.len(), || self.0.value(index.0, bytes));
        copied_bytes(py, &value.map_err(errors::from_library)?)
    }

    /// Return the digest of the message from the values of all pieces.
    ///
    /// This method can't check that each value belongs to its piece.
    ///
    /// Args:
    ///     values: An iterable of the values, in the order of the pieces.
    ///
    /// Returns:
    ///     The digest as bytes.
    ///
    /// Raises:
    ///     ValueError: The number of values or the length of a value is wrong.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> pieces = hashwell.Pieces("blake3", 1000)
    ///     >>> pieces.join([pieces.value(0, bytes(1000))]) == hashwell.blake3(bytes(1000)).digest()
    ///     True
    fn join<'py>(&self, values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = values.py();
        let (mut join, watch) = (self.0.join(), signals());
        for value in values.try_iter()? {
            join.push(Input::of(&value?)?.as_slice()).map_err(errors::from_library)?;
            look(&watch)?;
        }
        copied_bytes(py, &join.digest().map_err(errors::from_library)?)
    }

    fn __repr__(&self) -> String {
        format!("<hashwell.{:?}>", self.0)
    }
}
