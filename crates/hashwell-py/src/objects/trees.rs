//! Trees and lists that are stored next to files, and slices. `python/hashwell/_trees.py` has the public functions.

use crate::boundary::buffer::{Input, copied_bytes};
use crate::boundary::errors::{self, Bytes, Group, Start, exception};
use crate::boundary::sync;
use crate::objects::file::read;
use hashwell::{
    ChunkList, ChunkListWriter, ChunkLocator, Error, Locator, Outboard, OutboardWriter, SliceDecoder,
    SlicePart, SliceParts,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ops::Range;

/// The kind of data that is stored next to a file.
enum Kind {
    Blake3,
    Kt128,
}

impl Kind {
    fn of(algorithm: &str) -> PyResult<Self> {
        match hashwell::find(algorithm).map_err(errors::from_library)?.name {
            "blake3" => Ok(Self::Blake3),
            "kt128" => Ok(Self::Kt128),
            name => Err(exception::<PyValueError>(format!("algorithm must be blake3 or kt128, not {name}"))),
        }
    }
}

fn digest_of(digest: &Bound<'_, PyAny>) -> PyResult<[u8; 32]> {
    let input = Input::of(digest)?;
    let bytes = input.as_slice();
    let wrong = |_| exception::<PyValueError>(format!("digest must have 32 bytes, not {}", bytes.len()));
    bytes.try_into().map_err(wrong)
}

/// Converts a group size. A size that is too large for `usize` becomes `usize::MAX`, which the library rejects as out
/// of range.
fn group_of(group: Group) -> usize {
    usize::try_from(group.0).unwrap_or(usize::MAX)
}

/// Return the outboard or chunk list of a file, and the digest of the file.
#[pyfunction]
#[pyo3(signature = (file, algorithm, group, /))]
fn _outboard<'py>(
    py: Python<'py>,
    file: &Bound<'py, PyAny>,
    algorithm: &str,
    group: Group,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let (bytes, digest) = match Kind::of(algorithm)? {
        Kind::Blake3 => {
            let mut writer = OutboardWriter::new(group_of(group)).map_err(errors::from_library)?;
            read(py, file, false, &mut |bytes, _| writer.update(bytes))?;
            let (outboard, digest) = py.detach(|| writer.finish()).map_err(errors::from_library)?;
            (outboard.to_bytes(), digest)
        }
        Kind::Kt128 => {
            let mut writer = ChunkListWriter::new().map_err(errors::from_library)?;
            read(py, file, false, &mut |bytes, _| writer.update(bytes))?;
            let list = py.detach(|| writer.finish()).map_err(errors::from_library)?;
            (list.to_bytes(), *list.digest())
        }
    };
    Ok((copied_bytes(py, &bytes.map_err(errors::from_library)?)?, copied_bytes(py, &digest)?))
}

/// The start and the end of each range.
type Ranges = Vec<(u64, u64)>;

fn pairs(ranges: &[Range<u64>]) -> Ranges {
    ranges.iter().map(|range| (range.start, range.end)).collect()
}

/// Return the damaged ranges of a file, the ranges with damage at an unknown position, the number of damaged nodes,
/// and true if the chunk list could not be verified against the digest.
#[pyfunction]
#[pyo3(signature = (file, outboard, digest, algorithm, /))]
fn _locate(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    outboard: &Bound<'_, PyAny>,
    digest: Option<&Bound<'_, PyAny>>,
    algorithm: &str,
) -> PyResult<(Ranges, Ranges, u64, bool)> {
    let stored = Input::of(outboard)?;
    let digest = digest.map(digest_of).transpose()?;
    let located = match Kind::of(algorithm)? {
        Kind::Blake3 => {
            let outboard = Outboard::from_bytes(stored.as_slice()).map_err(errors::from_library)?;
            let digest = digest.or_else(|| outboard.digest()).ok_or_else(|| {
                exception::<PyValueError>(
                    "the file has only one group, so the outboard contains no digest: pass digest=",
                )
            })?;
            let mut locator = Locator::new(&outboard, &digest).map_err(errors::from_library)?;
            read(py, file, false, &mut |bytes, _| locator.update(bytes))?;
            py.detach(|| locator.finish())
        }
        Kind::Kt128 => {
            let list = ChunkList::from_bytes(stored.as_slice()).map_err(errors::from_library)?;
            let digest = digest.unwrap_or(*list.digest());
            let mut locator = ChunkLocator::new(&list, &digest).map_err(errors::from_library)?;
            read(py, file, false, &mut |bytes, _| locator.update(bytes))?;
            py.detach(|| locator.finish())
        }
    };
    let located = located.map_err(errors::from_library)?;
    Ok((pairs(&located.damaged), pairs(&located.unknown), located.bad_nodes, located.is_unproven))
}

/// Return the parts of a slice, the group size, the message length, and the digest if the outboard contains it.
///
/// Each part is a tuple of three items: True for a part of the message or False for a part of the outboard, the start,
/// and the end.
#[pyfunction]
#[pyo3(signature = (outboard, start, length, /))]
#[expect(clippy::type_complexity, reason = "a tuple for Python")]
fn _slice_parts<'py>(
    py: Python<'py>,
    outboard: &Bound<'py, PyAny>,
    start: Start,
    length: Bytes,
) -> PyResult<(Vec<(bool, u64, u64)>, usize, u64, Option<Bound<'py, PyBytes>>)> {
    let stored = Input::of(outboard)?;
    let outboard = Outboard::from_bytes(stored.as_slice()).map_err(errors::from_library)?;
    let (len, group) = (outboard.message_len(), outboard.group());
    let parts = SliceParts::new(len, group, start.0, length.0).map_err(errors::from_library)?;
    let part = |part| match part {
        SlicePart::Outboard(range) => (false, range.start, range.end),
        SlicePart::Message(range) => (true, range.start, range.end),
    };
    let digest = outboard.digest().map(|digest| copied_bytes(py, &digest)).transpose()?;
    Ok((parts.map(part).collect(), group, len, digest))
}

/// Return the verified bytes of a slice, and the message length if the slice proves it.
#[pyfunction]
#[pyo3(signature = (slice, digest, start, length, group, /))]
fn _decode_slice<'py>(
    py: Python<'py>,
    slice: &Bound<'py, PyAny>,
    digest: &Bound<'py, PyAny>,
    start: Start,
    length: Bytes,
    group: Group,
) -> PyResult<(Bound<'py, PyBytes>, Option<u64>)> {
    let slice = Input::of(slice)?;
    let mut input = slice.as_slice();
    let digest = digest_of(digest)?;
    let mut decoder =
        SliceDecoder::new(&digest, group_of(group), start.0, length.0).map_err(errors::from_library)?;
    let decoded = sync::run(py, input.len(), || {
        let mut verified = Vec::new();
        while let Some(bytes) = decoder.decode(&mut input)? {
            verified.try_reserve(bytes.len()).map_err(|_| Error::OutOfMemory)?;
            verified.extend_from_slice(bytes);
        }
        Ok((verified, decoder.finish()?))
    });
    let (verified, length) = decoded.map_err(errors::from_library)?;
    if !input.is_empty() {
        let text = format!("there are {} more bytes after the end of the slice", input.len());
        return Err(exception::<PyValueError>(text));
    }
    Ok((copied_bytes(py, &verified)?, length))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // This doesn't use `add_function`, which would list the names in `__all__`.
    module.setattr("_outboard", wrap_pyfunction!(_outboard, module)?)?;
    module.setattr("_locate", wrap_pyfunction!(_locate, module)?)?;
    module.setattr("_slice_parts", wrap_pyfunction!(_slice_parts, module)?)?;
    module.setattr("_decode_slice", wrap_pyfunction!(_decode_slice, module)?)
}
