//! Pieces of one message that are hashed apart and joined.

use crate::border::buffer::{Input, copied_bytes};
use crate::border::errors::{self, Bytes, Index};
use crate::border::sync;
use crate::border::watch::{look, signals};
use crate::objects::constructor::with_arguments;
use crate::rows::algorithm::resolve;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// One message of known length in pieces, each of which can be hashed without the others, in any order and on any machine:
/// Pieces(algorithm, length, **params), where length is that of the message in bytes and keyword arguments are those of
/// the algorithm's constructor. Of BLAKE3 without key or context, KT128 and KT256; others raise ValueError.
///
///     >>> import hashwell
///     >>> message = bytes(1_000_000)
///     >>> pieces = hashwell.Pieces("blake3", len(message))
///     >>> spans = [slice(*pieces.span(i)) for i in range(pieces.count)]
///     >>> values = [pieces.value(i, message[span]) for i, span in enumerate(spans)]  # anywhere
///     >>> pieces.join(values) == hashwell.blake3(message).digest()                   # in one place
///     True
///
/// Values are bytes to be kept or sent. They are not digests: who has one can go on from it, and may know some of the
/// message.
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

    /// Bytes of every piece but the last, in every version.
    #[classattr]
    const PIECE_SIZE: usize = hashwell::Pieces::LEN;

    /// How many pieces there are: none of an empty message.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Where a piece begins and ends in the message.
    fn span(&self, index: Index) -> (u64, u64) {
        let range = self.0.range(index.0);
        (range.start, range.end)
    }

    /// The value of a piece: of BLAKE3 32 bytes, of KT128 and KT256 32 or 64 for each 8 KiB. ValueError if there is no such
    /// piece, or it has another length.
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

    /// The digest of the message, from the values of all pieces in their order. ValueError if there are more or fewer,
    /// or one has another length; that each was made of its piece nobody can see.
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
