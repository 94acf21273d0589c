//! Arrow's structs in Python: capsules, and the methods that give them.
#![allow(unsafe_code)]

use crate::boundary::errors;
use hashwell_arrow::abi::{Abi, ArrowArray, ArrowArrayStream, ArrowSchema};
use hashwell_arrow::export::{self, Exported, Piece};
use hashwell_arrow::{Column, Error, Field, Kind, Malformed, Reader};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Moves a struct out of the capsule that a producer made.
fn take<T: Abi>(capsule: &Bound<'_, PyAny>) -> PyResult<T> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(T::NAME))?.cast::<T>();
    // SAFETY: a capsule of this name holds this struct, which lives as long as the capsule; its destructor lets what is
    // marked as released be.
    unsafe { T::take(pointer) }.map_err(errors::arrow_malformed)
}

/// The struct in a capsule, which releases it unless a consumer moved it out.
pub(crate) fn capsule<T: Abi + 'static>(py: Python<'_>, made: Exported<T>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, made, T::NAME)
}

/// A stream of this one array, in its capsule.
pub(crate) fn stream_of(py: Python<'_>, field: Field, piece: Piece) -> PyResult<Bound<'_, PyCapsule>> {
    let mut piece = Some(piece);
    capsule(py, export::stream(field, Box::new(move || piece.take().map(Ok))))
}

/// Whether it is a Series of Polars' type Object: those show themselves as fixed-size binary, and are references to
/// Python objects.
fn holds_objects(column: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(dtype) = column.getattr_opt("dtype")? else { return Ok(false) };
    Ok(dtype.str()?.to_string_lossy() == "Object")
}

/// The arrays that an object exports, if it does so.
pub(crate) fn reader(object: &Bound<'_, PyAny>) -> PyResult<Option<Reader>> {
    if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = export.call0()?.extract()?;
        let schema: ArrowSchema = take(&schema)?;
        // SAFETY: the producer says that it is such a schema.
        let field = unsafe { Field::of(&schema) }.map_err(from_arrow)?;
        let array: ArrowArray = take(&array)?;
        // SAFETY: the producer says that the array is of this type.
        return Ok(Some(unsafe { Reader::of_array(field, array) }));
    }
    match object.getattr_opt("__arrow_c_stream__")? {
        None => Ok(None),
        Some(_) if holds_objects(object)? => Err(errors::column_of_objects()),
        Some(export) => {
            let stream: ArrowArrayStream = take(&export.call0()?)?;
            // SAFETY: the producer says that it is such a stream.
            unsafe { Reader::of_stream(stream) }.map_err(from_arrow).map(Some)
        }
    }
}

/// The column of messages that an object exports, if it exports anything.
pub(crate) fn messages(object: &Bound<'_, PyAny>) -> PyResult<Option<Column>> {
    let Some(reader) = reader(object)? else { return Ok(None) };
    let is_message = |field: &Field| matches!(field.kind, Kind::Binary | Kind::Text);
    let field = reader.field();
    match &field.dictionary {
        Some(values) if !is_message(values) => {
            return Err(errors::arrow_format(&format!("{}, in a dictionary", values.format)));
        }
        None if !is_message(field) => return Err(errors::arrow_format(&field.format)),
        _ => {}
    }
    Column::of(reader).map_err(from_arrow).map(Some)
}

/// An error of Arrow's as an exception.
pub(crate) fn from_arrow(error: Error) -> PyErr {
    match error {
        Error::Malformed(what) => errors::arrow_malformed(what),
        Error::Format(format) => errors::arrow_unread(&format),
        Error::Stream { code, text } => PyOSError::new_err((code, text)),
        Error::NoMemory(bytes) => errors::no_memory(Some(bytes)),
        error => errors::arrow_malformed(&error.to_string()),
    }
}

/// As [`from_arrow`], of what is malformed.
pub(crate) fn malformed(what: Malformed) -> PyErr {
    errors::arrow_malformed(what)
}
