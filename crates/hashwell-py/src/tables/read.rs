//! Tables as Python gives them, read batch by batch.

use crate::boundary::arrow;
use crate::boundary::errors::{self, exception};
use crate::boundary::watch::Watch;
use hashwell_arrow::Reader;
use hashwell_table::{Columns, Error, Order, Rows};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::ffi::CString;
use std::ops::Range;

/// Rows between two looks for signals, for each thread.
pub(crate) const STEP: usize = 16 * 1024;

/// Which columns, in what order: the arguments of everything here.
#[derive(Clone, Default)]
pub(crate) struct Choice {
    pub(crate) names: Option<Vec<String>>,
    pub(crate) order: Order,
}

impl Choice {
    /// Of the arguments `columns` and `order`.
    pub(crate) fn new(names: Option<&Bound<'_, PyAny>>, order: &str) -> PyResult<Self> {
        let names = match names {
            // A string is a sequence of strings.
            Some(one) if one.is_instance_of::<PyString>() => return Err(errors::one_column_name()),
            Some(names) => Some(names.try_iter()?.map(|name| name?.extract()).collect::<PyResult<_>>()?),
            None => None,
        };
        let order = match order {
            "name" => Order::Name,
            "declared" => Order::Declared,
            other => {
                return Err(exception::<PyValueError>(format!(
                    "order is 'name' or 'declared', not '{other}'"
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
        refuse_objects(table)?;
        let reader = arrow::reader(table)?.ok_or_else(|| errors::not_a_table(table))?;
        let columns =
            Columns::new(reader.field(), choice.names.as_deref(), choice.order).map_err(from_table)?;
        warn_of_numpy(table, &columns)?;
        Ok(Self { reader, columns })
    }

    /// Calls `then` with the rows of each batch, a few at a time. Nothing of Python's is held meanwhile.
    pub(crate) fn each(
        &mut self,
        step: usize,
        watch: &mut Watch,
        mut then: impl FnMut(&Rows<'_>, Range<usize>) -> PyResult<()>,
    ) -> PyResult<()> {
        let columns = [self.columns.clone()];
        self.each_of(&columns, step, watch, |_, rows, range| then(rows, range))
    }

    /// As [`Source::each`], for each of several choices of columns, with its number.
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

/// Columns of Polars' type Object show themselves as fixed-size binary, and are references to Python objects.
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

/// Columns of pandas that are NumPy's arrays of floats or objects have lost what is null and what is not a number.
fn warn_of_numpy(table: &Bound<'_, PyAny>, columns: &Columns) -> PyResult<()> {
    let py = table.py();
    let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    let Some(pandas) = modules.get_item("pandas")? else { return Ok(()) };
    let Some(frame) = pandas.getattr_opt("DataFrame")? else { return Ok(()) };
    if !table.is_instance(&frame)? {
        return Ok(());
    }
    let numpy = py.import("numpy")?.getattr("dtype")?;
    let types = table.getattr("dtypes")?;
    let mut lost = Vec::new();
    for name in columns.names() {
        // An index that became a column has no such type.
        let Ok(dtype) = types.get_item(name) else { continue };
        if dtype.is_instance(&numpy)? && matches!(dtype.getattr("kind")?.extract::<char>()?, 'f' | 'O') {
            lost.push(name);
        }
    }
    if lost.is_empty() {
        return Ok(());
    }
    let text = format!(
        "NumPy's columns of pandas do not tell NaN from null, nor nullable integers from floats: '{}'; a digest of them \
         may differ from other engines'. Read with dtype_backend='pyarrow'",
        lost.join("', '")
    );
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// An error of a table's as an exception.
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
