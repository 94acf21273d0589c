//! Reads tables from Python, batch by batch.

use crate::boundary::arrow;
use crate::boundary::errors::{self, exception};
use crate::boundary::watch::Watch;
use hashwell_arrow::Reader;
use hashwell_table::{Columns, Error, Order, Rows};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyString};
use std::collections::HashSet;
use std::ffi::CString;
use std::ops::Range;

/// The number of rows per thread between two checks for signals.
pub(crate) const STEP: usize = 16 * 1024;

/// The selected columns and their order: the arguments that all functions here have.
#[derive(Clone, Default)]
pub(crate) struct Choice {
    pub(crate) names: Option<Vec<String>>,
    pub(crate) order: Order,
}

impl Choice {
    /// Reads the arguments `columns` and `order`.
    pub(crate) fn new(names: Option<&Bound<'_, PyAny>>, order: &str) -> PyResult<Self> {
        let names = match names {
            // A string is also a sequence of strings, so it is rejected explicitly.
            Some(one) if one.is_instance_of::<PyString>() => return Err(errors::one_column_name()),
            Some(names) => Some(names.try_iter()?.map(|name| name?.extract()).collect::<PyResult<_>>()?),
            None => None,
        };
        let order = match order {
            "name" => Order::Name,
            "declared" => Order::Declared,
            other => {
                return Err(exception::<PyValueError>(format!(
                    "order must be 'name' or 'declared', not '{other}'"
                )));
            }
        };
        Ok(Self { names, order })
    }

    /// The argument `order`.
    pub(crate) fn order_name(&self) -> &'static str {
        match self.order {
            Order::Name => "name",
            Order::Declared => "declared",
        }
    }
}

/// A table that is being read.
pub(crate) struct Source {
    reader: Reader,
    pub(crate) columns: Columns,
}

impl Source {
    pub(crate) fn of(table: &Bound<'_, PyAny>, choice: &Choice) -> PyResult<Self> {
        let selected = selected_of_pandas(table, choice)?;
        let table = selected.as_ref().unwrap_or(table);
        refuse_objects(table)?;
        let reader = arrow::reader(table)?.ok_or_else(|| errors::not_a_table(table))?;
        let columns =
            Columns::new(reader.field(), choice.names.as_deref(), choice.order).map_err(from_table)?;
        warn_of_numpy(table, &columns)?;
        Ok(Self { reader, columns })
    }

    /// Calls `then` with the rows of each batch, a few at a time, and checks for signals in between. No Python lock is
    /// held during these calls.
    pub(crate) fn each(
        &mut self,
        step: usize,
        watch: &mut Watch,
        mut then: impl FnMut(&Rows<'_>, Range<usize>) -> PyResult<()>,
    ) -> PyResult<()> {
        let columns = [self.columns.clone()];
        self.each_of(&columns, step, watch, |_, rows, range| then(rows, range))
    }

    /// Like [`Source::each`], for several choices of columns. `then` also gets the index of the choice.
    pub(crate) fn each_of(
        &mut self,
        columns: &[Columns],
        step: usize,
        watch: &mut Watch,
        mut then: impl FnMut(usize, &Rows<'_>, Range<usize>) -> PyResult<()>,
    ) -> PyResult<()> {
        while let Some(chunk) = self.reader.next_chunk().map_err(arrow::from_arrow)? {
            let of = |columns| Rows::new(columns, chunk.node(), watch.done()).map_err(from_table);
            let rows = columns.iter().map(of).collect::<PyResult<Vec<_>>>()?;
            let len = chunk.node().len();
            for from in (0..len).step_by(step) {
                let some = from..len.min(from + step);
                for (i, rows) in rows.iter().enumerate() {
                    then(i, rows, some.clone())?;
                    watch.look()?;
                }
                watch.step(some.len())?;
            }
        }
        watch.end()
    }
}

/// Returns an error if a Polars table has columns of type Object. They are exported as fixed-size binary, but contain
/// pointers to Python objects.
fn refuse_objects(table: &Bound<'_, PyAny>) -> PyResult<()> {
    if !table.get_type().module()?.to_cow()?.starts_with("polars") {
        return Ok(());
    }
    let Some(types) = table.getattr_opt("dtypes")? else { return Ok(()) };
    for dtype in types.try_iter()? {
        if dtype?.str()?.to_string_lossy().contains("Object") {
            return Err(errors::column_of_objects());
        }
    }
    Ok(())
}

/// Returns true for a pandas DataFrame. If pandas has not been imported, the table can't be a DataFrame.
fn is_of_pandas(table: &Bound<'_, PyAny>) -> PyResult<bool> {
    let modules = table.py().import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    let Some(pandas) = modules.get_item("pandas")? else { return Ok(false) };
    let Some(frame) = pandas.getattr_opt("DataFrame")? else { return Ok(false) };
    table.is_instance(&frame)
}

/// Selects the columns of a pandas table before it is converted, because pyarrow may have no type for the values of
/// other columns. Returns `None` for other tables, and if all columns are used.
fn selected_of_pandas<'py>(
    table: &Bound<'py, PyAny>,
    choice: &Choice,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(names) = &choice.names else { return Ok(None) };
    if !is_of_pandas(table)? {
        return Ok(None);
    }
    let names: HashSet<&str> = names.iter().map(String::as_str).collect();
    // pyarrow converts all names to text.
    let is_selected = |name: PyResult<Bound<'py, PyAny>>| {
        let name = name?.str()?;
        Ok(names.contains(&*name.to_cow()?))
    };
    let labels = table.getattr("columns")?;
    let mask = labels.try_iter()?.map(is_selected).collect::<PyResult<Vec<bool>>>()?;
    let rows = PySlice::full(table.py());
    table.getattr("loc")?.get_item((rows, mask)).map(Some)
}

/// Warns about pandas columns that are NumPy arrays of floats or objects, because they cannot distinguish null from
/// NaN.
fn warn_of_numpy(table: &Bound<'_, PyAny>, columns: &Columns) -> PyResult<()> {
    if !is_of_pandas(table)? {
        return Ok(());
    }
    let py = table.py();
    let numpy = py.import("numpy")?.getattr("dtype")?;
    let types = table.getattr("dtypes")?;
    let mut lost = Vec::new();
    for name in columns.names() {
        // An index that was converted to a column has no entry.
        let Ok(dtype) = types.get_item(name) else { continue };
        if dtype.is_instance(&numpy)? && matches!(dtype.getattr("kind")?.extract::<char>()?, 'f' | 'O') {
            lost.push(name);
        }
    }
    if lost.is_empty() {
        return Ok(());
    }
    let text = format!(
        "pandas columns of NumPy types cannot distinguish null from NaN, or nullable integers from floats: '{}'. Their \
         digests may differ from those of other libraries. Read the data with dtype_backend='pyarrow'",
        lost.join("', '")
    );
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// Converts an error of hashwell-table to an exception.
pub(crate) fn from_table(error: Error) -> PyErr {
    match error {
        Error::Arrow(error) => arrow::from_arrow(error),
        Error::NoMemory(bytes) => errors::no_memory(Some(bytes)),
        Error::NotATable(_) | Error::Scheme(_) => {
            exception::<pyo3::exceptions::PyTypeError>(error.to_string())
        }
        error => exception::<PyValueError>(error.to_string()),
    }
}
