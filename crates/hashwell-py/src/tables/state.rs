//! `TableDigest`: the state of a table's digest.

use crate::boundary::buffer::copied_bytes;
use crate::boundary::errors::{Threads, exception};
use crate::boundary::sync::Shared;
use crate::boundary::watch::{Watch, look, signals};
use crate::objects::digest::hex;
use crate::tables::read::{Choice, STEP, Source, from_table};
use hashwell_table::{Error, Scheme, Table};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyType};

/// Returns the scheme with this name.
pub(crate) fn scheme_of(name: &str) -> PyResult<Scheme> {
    Scheme::find(name).ok_or_else(|| {
        let names = Scheme::ALL.map(Scheme::name).join("' and '");
        exception::<PyValueError>(format!("there is no scheme '{name}': there are '{names}'"))
    })
}

/// An order-independent digest of a table that is built batch by batch.
///
/// Rows may come in any batches and in any order, and states may be merged in any grouping: the digest is that of all rows. The
/// columns are those of the first table or merged state; later ones must have the same names. Two objects are equal if they have
/// the same columns and the same rows. bytes() of an object is its digest. Threads may share one.
///
/// Args:
///     scheme: "sorted-sha256" or "lthash64-blake3", as for table_digest.
///     columns: The names of the columns to hash. By default all.
///     order: "name" or "declared", as for table_digest.
///
/// Raises:
///     ValueError: There is no such scheme or order.
///
/// Examples:
///     >>> import hashwell, pyarrow
///     >>> digest = hashwell.TableDigest()
///     >>> digest.update(pyarrow.table({"id": [2]}))
///     >>> digest.update(pyarrow.table({"id": [1]}))
///     >>> digest == hashwell.table_digest(pyarrow.table({"id": [1, 2]}))
///     True
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct TableDigest(Shared<State>);

struct State {
    scheme: Scheme,
    choice: Choice,
    /// `None` until the columns are known.
    table: Option<Table>,
}

impl State {
    /// Returns the choice of columns and the order for the next table. The order is that of the existing table, which
    /// may come from saved bytes or from another state.
    fn next(&self) -> Choice {
        let order = self.table.as_ref().map_or(self.choice.order, Table::order);
        Choice { order, ..self.choice.clone() }
    }
}

type Digests<'py> = Vec<Bound<'py, PyBytes>>;

/// The arguments from which `_unpickle_table` restores a state: its scheme, columns and order, and its bytes if there
/// is a table.
type Pickled<'py> = (&'static str, Option<Vec<String>>, &'static str, Option<Bound<'py, PyBytes>>);

/// The state that these are; for pickle alone.
#[pyfunction(name = "_unpickle_table")]
pub(crate) fn unpickle_table(
    scheme: &str,
    columns: Option<&Bound<'_, PyAny>>,
    order: &str,
    state: Option<&Bound<'_, PyBytes>>,
) -> PyResult<TableDigest> {
    let made = TableDigest::new(scheme, columns, order)?;
    if let Some(state) = state {
        let (py, state) = (state.py(), state.as_bytes());
        let table = py.detach(|| Table::from_bytes(state)).map_err(from_table)?;
        made.0.with(py, usize::MAX, |made| put(made, table))?;
    }
    Ok(made)
}

impl TableDigest {
    pub(crate) fn of(table: Table) -> Self {
        Self(Shared::new(State { scheme: table.scheme(), choice: Choice::default(), table: Some(table) }))
    }

    /// Reads a whole table before it changes the state.
    fn read(
        &self,
        table: &Bound<'_, PyAny>,
        threads: Threads,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let (py, threads) = (table.py(), threads.count());
        let (scheme, choice) = self.0.with(py, 0, |state| (state.scheme, state.next()));
        let mut source = Source::of(table, &choice)?;
        let mut watch = Watch::new(progress)?;
        let mut part = Table::new(scheme, &source.columns);
        self.0.with(py, 0, |state| match &state.table {
            Some(table) => table.check_alike(&part).map_err(from_table),
            None => Ok(()),
        })?;
        py.detach(|| {
            source.each(STEP * threads, &mut watch, |rows, range| {
                part.add(rows, range, threads).map_err(from_table)
            })
        })?;
        Ok(part)
    }

    /// Runs `f` on the table, which must exist.
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut Table) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        self.0.with(py, usize::MAX, |state| match &mut state.table {
            Some(table) => f(table).map_err(from_table),
            None => Err(exception::<PyValueError>("no table was given yet: the columns are unknown")),
        })
    }

    /// Does the work for a digest in pieces, so that Ctrl-C can stop it.
    pub(crate) fn finish(&self, py: Python<'_>, threads: Threads) -> PyResult<()> {
        let threads = threads.count();
        self.0.with_turn(py, |turn| {
            while turn.table.as_mut().is_some_and(|table| table.sort_some(threads)) {
                turn.look()?;
            }
            Ok(())
        })
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<[u8; 32]> {
        self.finish(py, Threads(1))?;
        self.with(py, |table| Ok(table.digest(1)))
    }
}

#[pymethods]
impl TableDigest {
    #[new]
    #[pyo3(signature = (scheme="sorted-sha256", *, columns=None, order="name"))]
    pub(crate) fn new(scheme: &str, columns: Option<&Bound<'_, PyAny>>, order: &str) -> PyResult<Self> {
        let (scheme, choice) = (scheme_of(scheme)?, Choice::new(columns, order)?);
        Ok(Self(Shared::new(State { scheme, choice, table: None })))
    }

    /// Add all rows of a table, or none if there is an error. The arguments are those of table_digest.
    #[pyo3(
        signature = (table, *, threads=Threads(1), progress=None),
        text_signature = "($self, table, *, threads=1, progress=None)"
    )]
    pub(crate) fn update(
        &self,
        table: &Bound<'_, PyAny>,
        threads: Threads,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let part = self.read(table, threads, progress)?;
        self.0.with(table.py(), usize::MAX, |state| put(state, part))
    }

    /// Remove the rows of a table (only for 'lthash64-blake3'). The state can't check that they were added before. Raises
    /// ValueError if it has fewer rows.
    #[pyo3(
        signature = (table, *, threads=Threads(1), progress=None),
        text_signature = "($self, table, *, threads=1, progress=None)"
    )]
    fn remove(
        &self,
        table: &Bound<'_, PyAny>,
        threads: Threads,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let part = self.read(table, threads, progress)?;
        self.with(table.py(), |table| table.unmerge(&part))
    }

    /// Add all rows of another state, which does not change. Raises ValueError if its scheme or columns differ.
    fn merge(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let copy = other.get().0.with(py, usize::MAX, |state| match &mut state.table {
            Some(table) => table.try_clone().map(Some).map_err(from_table),
            None => Ok(None),
        })?;
        match copy {
            Some(part) => slf.get().0.with(py, usize::MAX, |state| put(state, part)),
            None => Ok(()),
        }
    }

    /// Return the state as bytes for from_bytes(). It is the same for the same rows in any order. Its size is 32 bytes for
    /// each row and 2 KiB, or 4 KiB with 'lthash64-blake3'.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.finish(py, Threads(1))?;
        let bytes = self.with(py, |table| table.to_bytes(1))?;
        copied_bytes(py, &bytes)
    }

    /// Read a state that to_bytes() wrote. Raises ValueError if it is not a valid state. A choice of columns is not part of
    /// the state: update() then takes tables that have only these columns.
    #[classmethod]
    fn from_bytes(class: &Bound<'_, PyType>, state: &[u8]) -> PyResult<Self> {
        class.py().detach(|| Table::from_bytes(state)).map(Self::of).map_err(from_table)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, digest) = (slf.py(), slf.get());
        let (scheme, choice, begun) =
            digest.0.with(py, 0, |state| (state.scheme.name(), state.choice.clone(), state.table.is_some()));
        let state = begun.then(|| digest.to_bytes(py)).transpose()?;
        let make = py.import(intern!(py, "hashwell._native"))?.getattr("_unpickle_table")?;
        let order = choice.order_name();
        Ok((make, (scheme, choice.names, order, state)))
    }

    /// Return the digest of all rows so far: 32 bytes. Raises ValueError before the first table.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        copied_bytes(py, &self.bytes(py)?)
    }

    /// Return the digest in hexadecimal.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        hex(py, &self.bytes(py)?)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.digest(py)
    }

    /// The name of the scheme.
    #[getter]
    fn scheme(&self, py: Python<'_>) -> &'static str {
        self.0.with(py, 0, |state| state.scheme.name())
    }

    /// The number of rows so far.
    #[getter]
    fn rows(&self, py: Python<'_>) -> u64 {
        self.0.with(py, 0, |state| state.table.as_ref().map_or(0, Table::rows))
    }

    /// The names of the columns in the order of a row, or None before the first table.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Option<Vec<String>> {
        self.0.with(py, 0, |state| state.table.as_ref().map(Table::names))
    }

    /// Return the 256 buckets of 'sorted-sha256': for each first byte of a row's digest the number of rows, and the digest
    /// of their sorted digests. If two tables differ in few rows, few of their buckets differ.
    fn buckets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.finish(py, Threads(1))?;
        let buckets = self.with(py, |table| table.buckets(1))?;
        let digests = buckets.iter().map(|bucket| Ok((bucket.rows, copied_bytes(py, &bucket.digest)?)));
        PyList::new(py, digests.collect::<PyResult<Vec<_>>>()?)
    }

    /// Return two sorted lists of row digests, as hash_rows makes them: those that only this table has, and those that only
    /// other has. Repeated rows are listed as often as the counts differ. Only for 'sorted-sha256'.
    fn difference<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, Self>,
    ) -> PyResult<(Digests<'py>, Digests<'py>)> {
        let py = slf.py();
        slf.get().finish(py, Threads(1))?;
        let mut theirs = other.get().with(py, |table| table.try_clone())?;
        let (mut here, mut there) = (Vec::new(), Vec::new());
        let watch = signals();
        for bucket in 0..=u8::MAX {
            let part = slf.get().with(py, |table| table.difference(&mut theirs, bucket))?;
            for (digests, found) in [(&mut here, &part.here), (&mut there, &part.there)] {
                for digest in found {
                    digests.push(copied_bytes(py, digest)?);
                }
            }
            look(&watch)?;
        }
        Ok((here, there))
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let equal = slf.is(other) || slf.get().key(py)? == other.get().key(py)?;
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (scheme, rows) = (self.scheme(py), self.rows(py));
        Ok(match self.key(py)? {
            Some((_, digest)) => {
                let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("<hashwell.TableDigest, {scheme}, {rows} rows, {digest}>")
            }
            None => format!("<hashwell.TableDigest, {scheme}, no table>"),
        })
    }
}

impl TableDigest {
    /// The key for comparisons: two states are equal if their keys are.
    fn key(&self, py: Python<'_>) -> PyResult<Option<(Scheme, [u8; 32])>> {
        let known = self.0.with(py, 0, |state| state.table.is_some().then_some(state.scheme));
        known.map(|scheme| Ok((scheme, self.bytes(py)?))).transpose()
    }
}

/// Merges rows into a state, which may be empty.
fn put(state: &mut State, part: Table) -> PyResult<()> {
    match &mut state.table {
        Some(table) => table.merge(part).map_err(from_table),
        None if part.scheme() != state.scheme => {
            let (here, there) = (state.scheme.name().to_owned(), part.scheme().name().to_owned());
            Err(from_table(Error::Unlike { what: "scheme", here, there }))
        }
        None => {
            state.table = Some(part);
            Ok(())
        }
    }
}
