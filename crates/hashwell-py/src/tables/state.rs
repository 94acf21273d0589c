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
        exception::<PyValueError>(format!("unknown scheme '{name}' (known schemes: '{names}')"))
    })
}

/// An order-independent digest of a table that is built batch by batch.
///
/// You can add rows in batches of any size and in any order, and merge states in any order. The digest is the same
/// as that of one table with all rows. The first table or merged state determines the columns; later ones must have the
/// same columns. Two objects are equal if they have the same columns and the same rows. bytes() of an object is its
/// digest. Several threads can use the same object.
///
/// Args:
///     scheme: "sorted-sha256" or "lthash64-blake3", which table_digest describes.
///     columns: The names of the columns to hash. By default, all columns are hashed.
///     order: "name" ignores the order of the columns. With "declared", the order of the columns matters.
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

/// Restores a TableDigest. Only pickle calls it.
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
            None => Err(exception::<PyValueError>("no table has been added yet, so the columns are unknown")),
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

    /// Add all rows of a table, or none of them if there is an error.
    ///
    /// Args:
    ///     table: The table, in any form that table_digest accepts.
    ///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
    ///     progress: A function that is called with the number of rows read so far, or True to show a progress line
    ///         on stderr.
    ///
    /// Raises:
    ///     TypeError: table is not a table, or a column has a type without an encoding (a union).
    ///     ValueError: The columns differ from the columns of earlier tables, or a value has no encoding.
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

    /// Remove the rows of a table. Only the scheme "lthash64-blake3" supports this.
    ///
    /// The state doesn't store which rows were added, so it can't check that these rows are among them.
    ///
    /// Args:
    ///     table: The table, in any form that table_digest accepts.
    ///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
    ///     progress: A function that is called with the number of rows read so far, or True to show a progress line
    ///         on stderr.
    ///
    /// Raises:
    ///     TypeError: The scheme can't remove rows, table is not a table, or a column has a type without an
    ///         encoding (a union).
    ///     ValueError: The columns differ from the columns of the state, or the state has fewer rows than table.
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

    /// Add all rows of another state. The other state does not change.
    ///
    /// Args:
    ///     other: A TableDigest with the same scheme and columns.
    ///
    /// Raises:
    ///     ValueError: `other` has a different scheme or different columns.
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

    /// Return the state as bytes, which from_bytes() reads.
    ///
    /// Returns:
    ///     The state. With "sorted-sha256", its size is 2 KiB plus 32 bytes per row. With "lthash64-blake3", it is 4
    ///     KiB. The same rows give the same bytes in any order.
    ///
    /// Raises:
    ///     ValueError: No table has been added yet.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.finish(py, Threads(1))?;
        let bytes = self.with(py, |table| table.to_bytes(1))?;
        copied_bytes(py, &bytes)
    }

    /// Read a state that to_bytes() wrote.
    ///
    /// Args:
    ///     state: The bytes.
    ///
    /// Returns:
    ///     A TableDigest, to which you can add more rows. The constructor's choice of columns is not part of the
    ///     state, so tables that you add must have only the columns of the state.
    ///
    /// Raises:
    ///     ValueError: The bytes are not a valid state.
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

    /// Return the digest of all rows added so far.
    ///
    /// Returns:
    ///     32 bytes.
    ///
    /// Raises:
    ///     ValueError: No table has been added yet.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        copied_bytes(py, &self.bytes(py)?)
    }

    /// Return the digest of all rows added so far, in hexadecimal.
    ///
    /// Returns:
    ///     A str of 64 digits.
    ///
    /// Raises:
    ///     ValueError: No table has been added yet.
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

    /// The number of rows added so far.
    #[getter]
    fn rows(&self, py: Python<'_>) -> u64 {
        self.0.with(py, 0, |state| state.table.as_ref().map_or(0, Table::rows))
    }

    /// The names of the columns in the order in which a row is encoded, or None before the first table.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Option<Vec<String>> {
        self.0.with(py, 0, |state| state.table.as_ref().map(Table::names))
    }

    /// Return the 256 buckets of the scheme "sorted-sha256".
    ///
    /// If two tables differ in few rows, few of their buckets differ.
    ///
    /// Returns:
    ///     A list with an item for each possible first byte of a row's digest: the number of rows whose digest
    ///     starts with this byte, and the digest of the sorted digests of these rows.
    ///
    /// Raises:
    ///     TypeError: The scheme has no buckets.
    ///     ValueError: No table has been added yet.
    fn buckets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.finish(py, Threads(1))?;
        let buckets = self.with(py, |table| table.buckets(1))?;
        let digests = buckets.iter().map(|bucket| Ok((bucket.rows, copied_bytes(py, &bucket.digest)?)));
        PyList::new(py, digests.collect::<PyResult<Vec<_>>>()?)
    }

    /// Return the digests of the rows that only one of two tables has.
    ///
    /// Only the scheme "sorted-sha256" supports this.
    ///
    /// Args:
    ///     other: A TableDigest with the same scheme and columns.
    ///
    /// Returns:
    ///     Two sorted lists of row digests, as hash_rows computes them: the digests that only this table has, and the
    ///     digests that only `other` has. If a row occurs more often in one of the tables, it is listed as often as the
    ///     counts differ.
    ///
    /// Raises:
    ///     TypeError: The scheme of one of the objects doesn't support this.
    ///     ValueError: The columns differ, or no table was added to one of the objects yet.
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
