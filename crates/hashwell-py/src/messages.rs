//! Many messages as Python gives them, and as slices, a window at a time.

use crate::arrow::Column;
use crate::buffer::{self, Input, Rows};
use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::ops::Range;

/// Messages that are held while a call lasts.
pub(crate) enum Messages<'py> {
    /// Buffers. With two tuples of equal length, message `i` is a pair: item `i` of each.
    Objects(Vec<Bound<'py, PyTuple>>),
    /// A buffer of two dimensions.
    Rows(Rows<'py>),
    /// An Arrow column.
    Column(Column),
}

/// An argument that may be one buffer or many.
pub(crate) enum OneOrMany<'py> {
    One(Bound<'py, PyAny>),
    Many(Messages<'py>),
}

impl<'py> Messages<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match OneOrMany::of(object)? {
            OneOrMany::One(buffer) => Err(errors::one_message(&buffer)),
            OneOrMany::Many(messages) => Ok(messages),
        }
    }

    /// Pairs of these and those.
    pub(crate) fn paired_with(self, other: Self) -> PyResult<Self> {
        let (count, other_count) = (self.len(), other.len());
        if count != other_count {
            return Err(errors::keys_and_messages(count, other_count));
        }
        match (self, other) {
            (Messages::Objects(mut columns), Messages::Objects(others)) => {
                columns.extend(others);
                Ok(Messages::Objects(columns))
            }
            _ => Err(errors::not_pairs()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Messages::Objects(columns) => columns[0].len(),
            Messages::Rows(rows) => rows.len(),
            Messages::Column(column) => column.len(),
        }
    }

    /// Slices to a row: one, or a pair's two.
    pub(crate) fn slices_per_row(&self) -> usize {
        if let Messages::Objects(columns) = self { columns.len() } else { 1 }
    }

    /// Runs `then` on the slices of some rows. A null is an empty slice.
    pub(crate) fn window<R>(
        &self,
        rows: Range<usize>,
        then: impl FnOnce(&[&[u8]]) -> PyResult<R>,
    ) -> PyResult<R> {
        match self {
            Messages::Objects(columns) => objects(columns, rows, then),
            Messages::Rows(all) => then(&rows.map(|row| all.row(row)).collect::<Vec<_>>()),
            Messages::Column(column) => then(&column.slices(rows)?),
        }
    }
}

/// The tuples hold the items, whatever happens meanwhile to the list they came from; buffers are held here.
fn objects<R>(
    columns: &[Bound<'_, PyTuple>],
    rows: Range<usize>,
    then: impl FnOnce(&[&[u8]]) -> PyResult<R>,
) -> PyResult<R> {
    let mut items = Vec::with_capacity(rows.len() * columns.len());
    for row in rows.clone() {
        for column in columns {
            items.push(column.get_borrowed_item(row)?);
        }
    }
    let mut inputs = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let row = rows.start + i / columns.len();
        inputs.push(Input::of(item).map_err(|error| errors::in_row(item.py(), error, row))?);
    }
    then(&inputs.iter().map(Input::as_slice).collect::<Vec<_>>())
}

impl<'py> OneOrMany<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(errors::string_given());
        }
        if let Some(column) = Column::of(object)? {
            return Ok(OneOrMany::Many(Messages::Column(column)));
        }
        match buffer::dimensions(object)? {
            Some(0 | 1) => Ok(OneOrMany::One(object.clone())),
            Some(2) => Ok(OneOrMany::Many(Messages::Rows(Rows::of(object)?))),
            Some(dimensions) => Err(errors::too_many_dimensions(dimensions)),
            None => {
                let items = object.py().get_type::<PyTuple>().call1((object,))?;
                let items = items.cast_into::<PyTuple>()?;
                Ok(OneOrMany::Many(Messages::Objects(vec![items])))
            }
        }
    }
    /// Rows, of which one buffer is one.
    pub(crate) fn into_many(self) -> PyResult<Messages<'py>> {
        match self {
            OneOrMany::One(buffer) => Ok(Messages::Objects(vec![PyTuple::new(buffer.py(), [&buffer])?])),
            OneOrMany::Many(messages) => Ok(messages),
        }
    }
}
