//! Many messages: the Python objects, and their bytes as slices, one window at a time.

use crate::boundary::arrow;
use crate::boundary::buffer::{Input, Rows, Shape, reserved};
use crate::boundary::errors;
use hashwell_arrow::Column;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyList, PySet, PyString, PyTuple};
use std::ops::Range;

/// Messages that are kept alive during a call.
pub(crate) enum Messages<'py> {
    /// Buffers. With two columns of equal length, message `i` is a pair: item `i` of each column.
    Objects(Vec<Items<'py>>),
    /// A two-dimensional buffer.
    Rows(Rows<'py>),
    /// An Arrow column.
    Column(Column),
}

/// An argument that may be one buffer or many messages.
pub(crate) enum OneOrMany<'py> {
    One(Bound<'py, PyAny>),
    Many(Messages<'py>),
}

/// The codec of Python that encodes messages of type `str`.
#[derive(Clone)]
pub(crate) struct Encoding<'py> {
    name: Bound<'py, PyString>,
    is_utf8: bool,
}

impl<'py> Encoding<'py> {
    pub(crate) fn new(name: Bound<'py, PyString>) -> PyResult<Self> {
        let codec = name.py().import("codecs")?.call_method1("lookup", (&name,))?;
        let is_utf8 = codec.getattr("name")?.eq("utf-8")?;
        Ok(Self { name, is_utf8 })
    }

    fn encode(&self, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        text.call_method1(intern!(text.py(), "encode"), (&self.name,))
    }
}

impl<'py> Messages<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>, encoding: Option<Encoding<'py>>) -> PyResult<Self> {
        match OneOrMany::of(object, encoding)? {
            OneOrMany::One(_) => Err(errors::one_message(object)),
            OneOrMany::Many(messages) => Ok(messages),
        }
    }

    /// Combines two columns of messages into pairs.
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

    /// The number of slices per row: 1, or 2 for pairs.
    pub(crate) fn slices_per_row(&self) -> usize {
        if let Messages::Objects(columns) = self { columns.len() } else { 1 }
    }

    /// Calls `then` with the slices of these rows. A null gives an empty slice.
    pub(crate) fn window<R>(
        &self,
        rows: Range<usize>,
        then: impl FnOnce(&[&[u8]]) -> PyResult<R>,
    ) -> PyResult<R> {
        match self {
            Messages::Objects(columns) => objects(columns, rows, then),
            Messages::Rows(all) => {
                let mut slices = reserved(rows.len())?;
                slices.extend(rows.map(|row| all.row(row)));
                then(&slices)
            }
            Messages::Column(column) => then(&slices(column, rows)?),
        }
    }
}

/// Returns the values of these rows of a column. A null gives an empty slice.
fn slices(column: &Column, rows: Range<usize>) -> PyResult<Vec<&[u8]>> {
    let mut slices = reserved(rows.len())?;
    for (start, chunk) in column.chunks_from(rows.start) {
        let node = chunk.node();
        let from = (rows.start + slices.len()).saturating_sub(start);
        for row in from..node.len().min(rows.end - start) {
            let message = node.message(column.field(), row).map_err(arrow::malformed)?;
            slices.push(message.unwrap_or_default());
        }
        if slices.len() == rows.len() {
            break;
        }
    }
    Ok(slices)
}

/// Objects that are accessed by their index.
pub(crate) struct Items<'py> {
    held: Held<'py>,
    encoding: Option<Encoding<'py>>,
}

enum Held<'py> {
    Tuple(Bound<'py, PyTuple>),
    /// A list, and its length at the start of the call. Other threads may change the list between windows.
    List(Bound<'py, PyList>, usize),
}

impl<'py> Items<'py> {
    /// Takes the items of a list or tuple, or collects those of any other iterable.
    fn of(object: &Bound<'py, PyAny>, encoding: Option<Encoding<'py>>) -> PyResult<Self> {
        if let Ok(list) = object.cast_exact::<PyList>() {
            return Ok(Self { held: Held::List(list.clone(), list.len()), encoding });
        }
        if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
            return Err(errors::set_of_messages());
        }
        let tuple = object.py().get_type::<PyTuple>().call1((object,))?;
        Ok(Self { held: Held::Tuple(tuple.cast_into()?), encoding })
    }

    pub(crate) fn len(&self) -> usize {
        match &self.held {
            Held::Tuple(tuple) => tuple.len(),
            Held::List(_, len) => *len,
        }
    }

    /// Returns an item. A string is encoded if an encoding was given.
    pub(crate) fn get(&self, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let item = match &self.held {
            Held::Tuple(tuple) => tuple.get_item(row),
            Held::List(list, _) => list.get_item(row).map_err(|_| errors::list_shrank()),
        }?;
        let Some(encoding) = &self.encoding else { return Ok(item) };
        match item.cast::<PyString>() {
            Ok(text) => encoding.encode(text).map_err(|error| errors::in_row(item.py(), error, row)),
            Err(_) => Ok(item),
        }
    }
}

/// Calls `then` with the slices of these items. Keeps the items alive meanwhile, even if they are removed from their
/// list.
fn objects<R>(
    columns: &[Items<'_>],
    rows: Range<usize>,
    then: impl FnOnce(&[&[u8]]) -> PyResult<R>,
) -> PyResult<R> {
    let mut items = reserved(rows.len() * columns.len())?;
    for row in rows.clone() {
        for column in columns {
            items.push(column.get(row)?);
        }
    }
    if let Some(slices) = items.iter().map(Input::of_bytes).collect::<Option<Vec<_>>>() {
        return then(&slices);
    }
    let mut inputs = reserved(items.len())?;
    for (i, item) in items.iter().enumerate() {
        let row = rows.start + i / columns.len();
        inputs.push(Input::of(item).map_err(|error| errors::in_row(item.py(), error, row))?);
    }
    then(&inputs.iter().map(Input::as_slice).collect::<Vec<_>>())
}

/// Returns true if the object is an instance of this class. If the module has not been imported, the object can't be an
/// instance of its class.
fn is_instance_of_loaded(object: &Bound<'_, PyAny>, module: &str, class: &str) -> PyResult<bool> {
    if object.is_exact_instance_of::<PyList>() {
        return Ok(false);
    }
    let modules = object.py().import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    match modules.get_item(module)? {
        // The entry in sys.modules may be None, which prevents the import, and a module that is still being imported
        // may not have the class yet.
        Some(module) => match module.getattr_opt(class)? {
            Some(class) => object.is_instance(&class),
            None => Ok(false),
        },
        None => Ok(false),
    }
}

impl<'py> OneOrMany<'py> {
    /// Reads the argument. With an encoding, strings are also messages.
    pub(crate) fn of(object: &Bound<'py, PyAny>, encoding: Option<Encoding<'py>>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            let encoding = encoding.ok_or_else(errors::string_given)?;
            return Ok(OneOrMany::One(encoding.encode(text)?));
        }
        if is_instance_of_loaded(object, "numpy.ma", "MaskedArray")? {
            return Err(errors::masked_array());
        }
        // A pandas Series of strings exports an Arrow column, but an Index does not. So an Index is converted to a
        // Series.
        let series = match is_instance_of_loaded(object, "pandas", "Index")? && encoding.is_none() {
            true if object.getattr("inferred_type")?.eq("string")? => Some(object.call_method0("to_series")?),
            _ => None,
        };
        if let Some(column) = arrow::messages(series.as_ref().unwrap_or(object))? {
            // Arrow strings are always UTF-8.
            return match encoding {
                Some(Encoding { is_utf8: false, name }) => Err(errors::column_encoding(&name)),
                _ => Ok(OneOrMany::Many(Messages::Column(column))),
            };
        }
        let shape = match Shape::of(object) {
            // NumPy arrays of variable-width strings have no buffer, but they have items.
            Err(_) if encoding.is_some() => Shape::Objects,
            shape => shape?,
        };
        match shape {
            Shape::Flat => Ok(OneOrMany::One(object.clone())),
            Shape::Rows => Ok(OneOrMany::Many(Messages::Rows(Rows::of(object)?))),
            Shape::Deep(dimensions) => Err(errors::too_many_dimensions(dimensions)),
            Shape::Text if encoding.is_none() => Err(errors::text_array()),
            Shape::Text | Shape::Objects => {
                Ok(OneOrMany::Many(Messages::Objects(vec![Items::of(object, encoding)?])))
            }
        }
    }

    /// Returns an error if a key is a `str`, in a call whose encoding applies only to messages.
    pub(crate) fn refuse_text(&self) -> PyResult<()> {
        match self {
            OneOrMany::One(key) if key.is_instance_of::<PyString>() => Err(errors::key_is_text()),
            OneOrMany::Many(Messages::Objects(columns)) => (0..columns[0].len()).try_for_each(|row| {
                let key = columns[0].get(row)?;
                if key.is_instance_of::<PyString>() { Err(errors::key_is_text()) } else { Ok(()) }
            }),
            _ => Ok(()),
        }
    }

    /// Returns many messages. A single buffer counts as one message.
    pub(crate) fn into_many(self) -> PyResult<Messages<'py>> {
        match self {
            OneOrMany::One(buffer) => {
                let held = Held::Tuple(PyTuple::new(buffer.py(), [&buffer])?);
                Ok(Messages::Objects(vec![Items { held, encoding: None }]))
            }
            OneOrMany::Many(messages) => Ok(messages),
        }
    }
}
