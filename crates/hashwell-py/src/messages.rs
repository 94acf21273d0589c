//! Many messages as Python gives them, and as slices, a window at a time.

use crate::arrow::Column;
use crate::buffer::{self, Input, Rows};
use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::ops::Range;

/// Messages that are held while a call lasts.
pub(crate) enum Messages<'py> {
    /// Buffers. With two columns of equal length, message `i` is a pair: item `i` of each.
    Objects(Vec<Items<'py>>),
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

/// Objects by number.
pub(crate) enum Items<'py> {
    Tuple(Bound<'py, PyTuple>),
    /// Other threads may change it between windows; its length is that at the start.
    List(Bound<'py, PyList>, usize),
}

impl<'py> Items<'py> {
    /// Those of a list or tuple, or all that an iterable gives.
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(list) = object.cast_exact::<PyList>() {
            return Ok(Items::List(list.clone(), list.len()));
        }
        let tuple = object.py().get_type::<PyTuple>().call1((object,))?;
        Ok(Items::Tuple(tuple.cast_into()?))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Items::Tuple(tuple) => tuple.len(),
            Items::List(_, len) => *len,
        }
    }

    pub(crate) fn get(&self, row: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Items::Tuple(tuple) => tuple.get_item(row),
            Items::List(list, _) => list.get_item(row).map_err(|_| errors::list_shrank()),
        }
    }
}

/// Items are held while they are hashed, whatever happens to the list that they are of.
fn objects<R>(
    columns: &[Items<'_>],
    rows: Range<usize>,
    then: impl FnOnce(&[&[u8]]) -> PyResult<R>,
) -> PyResult<R> {
    let mut items = Vec::with_capacity(rows.len() * columns.len());
    for row in rows.clone() {
        for column in columns {
            items.push(column.get(row)?);
        }
    }
    if let Some(slices) = items.iter().map(Input::of_bytes).collect::<Option<Vec<_>>>() {
        return then(&slices);
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
            None => Ok(OneOrMany::Many(Messages::Objects(vec![Items::of(object)?]))),
        }
    }
    /// Rows, of which one buffer is one.
    pub(crate) fn into_many(self) -> PyResult<Messages<'py>> {
        match self {
            OneOrMany::One(buffer) => {
                let items = Items::Tuple(PyTuple::new(buffer.py(), [&buffer])?);
                Ok(Messages::Objects(vec![items]))
            }
            OneOrMany::Many(messages) => Ok(messages),
        }
    }
}
