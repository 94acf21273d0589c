//! Arrow's C structs in Python: capsules, and the methods that return them.
#![allow(unsafe_code)]

use crate::boundary::errors;
use hashwell_arrow::abi::{Abi, ArrowArray, ArrowArrayStream, ArrowSchema};
use hashwell_arrow::export::{self, Exported, Piece};
use hashwell_arrow::{Column, Error, Field, Kind, Malformed, Reader};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Moves a struct out of a producer's capsule.
fn take<T: Abi>(capsule: &Bound<'_, PyAny>) -> PyResult<T> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(T::NAME))?.cast::<T>();
    // SAFETY: a capsule of this name holds this struct, which lives as long as the capsule; the capsule's destructor
    // ignores a struct that is marked as released.
    unsafe { T::take(pointer) }.map_err(errors::arrow_malformed)
}

/// Puts a struct into a capsule, which releases the struct unless a consumer has moved it out.
pub(crate) fn capsule<T: Abi + 'static>(py: Python<'_>, made: Exported<T>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, made, T::NAME)
}

/// Returns the capsule of a stream with one array.
pub(crate) fn stream_of(py: Python<'_>, field: Field, piece: Piece) -> PyResult<Bound<'_, PyCapsule>> {
    let mut piece = Some(piece);
    capsule(py, export::stream(field, Box::new(move || piece.take().map(Ok))))
}

/// Returns true for a Polars Series of type Object. Such a Series is exported as fixed-size binary, but its values are
/// pointers to Python objects.
fn holds_objects(column: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(dtype) = column.getattr_opt("dtype")? else { return Ok(false) };
    Ok(dtype.str()?.to_string_lossy() == "Object")
}

/// Returns a reader of the arrays that an object exports, or `None` if it exports none.
pub(crate) fn reader(object: &Bound<'_, PyAny>) -> PyResult<Option<Reader>> {
    if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = export.call0()?.extract()?;
        let schema: ArrowSchema = take(&schema)?;
        // SAFETY: the producer guarantees that the capsule contains a schema.
        let field = unsafe { Field::of(&schema) }.map_err(from_arrow)?;
        let array: ArrowArray = take(&array)?;
        // SAFETY: the producer guarantees that the array has this type.
        return Ok(Some(unsafe { Reader::of_array(field, array) }));
    }
    match object.getattr_opt("__arrow_c_stream__")? {
        None => Ok(None),
        Some(_) if holds_objects(object)? => Err(errors::column_of_objects()),
        Some(export) => {
            let stream: ArrowArrayStream = take(&export.call0()?)?;
            // SAFETY: the producer guarantees that the capsule contains a stream.
            unsafe { Reader::of_stream(stream) }.map_err(from_arrow).map(Some)
        }
    }
}

/// Returns the column of messages that an object exports, or `None` if it exports no Arrow data.
pub(crate) fn messages(object: &Bound<'_, PyAny>) -> PyResult<Option<Column>> {
    let Some(reader) = reader(object)? else { return Ok(None) };
    let is_message = |field: &Field| matches!(field.kind, Kind::Binary | Kind::Text);
    let field = reader.field();
    match &field.dictionary {
        Some(values) if !is_message(values) => {
            return Err(errors::arrow_format(&format!("{}, in a dictionary", values.format)));
        }
        // Libraries export a batch of nulls as a column of the type null.
        None if !is_message(field) && field.kind != Kind::Null => {
            return Err(errors::arrow_format(&field.format));
        }
        _ => {}
    }
    Column::of(reader).map_err(from_arrow).map(Some)
}

/// Converts an error of the Arrow reader to an exception.
pub(crate) fn from_arrow(error: Error) -> PyErr {
    match error {
        Error::Malformed(what) => errors::arrow_malformed(what),
        Error::Format(format) => errors::arrow_unread(&format),
        Error::Stream { code, text } => PyOSError::new_err((code, text)),
        Error::NoMemory(bytes) => errors::no_memory(Some(bytes)),
        error => errors::arrow_malformed(&error.to_string()),
    }
}

/// Converts an error about malformed data to an exception, like [`from_arrow`].
pub(crate) fn malformed(what: Malformed) -> PyErr {
    errors::arrow_malformed(what)
}
