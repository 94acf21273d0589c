//! `hash_rows`, `hash_columns`, `table_digest`.

use crate::boundary::buffer::zeros;
use crate::boundary::errors::{self, Length, Threads};
use crate::boundary::watch::Watch;
use crate::many::digests::ArrowDigests;
use crate::rows::algorithm::resolve;
use crate::rows::arguments::Arguments;
use crate::tables::read::{Choice, STEP, Source, from_table};
use crate::tables::state::{TableDigest, scheme_of};
use hashwell_table::Table;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hash_rows, module)?)?;
    module.add_function(wrap_pyfunction!(hash_columns, module)?)?;
    module.add_function(wrap_pyfunction!(table_digest, module)?)
}

/// Return the digest of each row of a table as a column. Rows are encoded by hwrow/1 (docs/spec/rows.md).
///
/// Equal values have equal digests, independent of the engine, integer width, dictionary or chunks. docs/guides/tables.md lists the
/// engines that change values. Column names are not part of a row's digest: compare digests of tables with the same columns.
///
/// Args:
///     table: Any object with __arrow_c_stream__ or __arrow_c_array__ that is a table: a Table, RecordBatch or RecordBatchReader of
///         pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB and others. A stream is read once, batch by batch.
///     columns: The names of the columns to hash. By default all.
///     order: "name" encodes columns in the order of their names' bytes, "declared" in the order of the table or of columns.
///     algorithm: The name of the algorithm, its constructor, or a row of hashwell.algorithms.
///     length: The digest size in bytes. Required for extendable-output functions that have no default.
///     hex: True returns digests in hexadecimal.
///     threads: The maximum number of threads. 0 is one for each core.
///     progress: A function that is called with the number of rows so far, or True for a line on stderr.
///
/// Returns:
///     An ArrowDigests column.
///
/// Raises:
///     TypeError: table is not a table, or a column has a type without an encoding (unions).
///     ValueError: A column is missing, two columns have the same name, or a value has no encoding, such as text that is not
///         valid UTF-8. The message has the number of the row.
///
/// Examples:
///     >>> import hashwell, pyarrow
///     >>> table = pyarrow.table({"id": [1, 2], "name": ["Ann", "Bob"]})
///     >>> [digest[:8] for digest in hashwell.hash_rows(table, hex=True)]
///     ['d878740c', '44d92d10']
#[pyfunction]
#[pyo3(
    signature = (table, *, columns=None, order="name", algorithm=None, length=None, hex=false, threads=Threads(1), progress=None),
    text_signature = "(table, *, columns=None, order='name', algorithm='sha256', length=None, hex=False, threads=1, progress=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are Python's")]
fn hash_rows(
    table: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    order: &str,
    algorithm: Option<&Bound<'_, PyAny>>,
    length: Option<Length>,
    hex: bool,
    threads: Threads,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<ArrowDigests> {
    let row = match algorithm {
        Some(algorithm) => resolve(algorithm)?,
        None => hashwell::find("sha256").map_err(errors::from_library)?,
    };
    let mut arguments = Arguments::new(row);
    arguments.digest_size = length.map(|Length(size)| size);
    let many = arguments.many()?;
    let (size, threads) = (many.output_len(), threads.count());
    let mut source = Source::of(table, &Choice::new(columns, order)?)?;
    let mut watch = Watch::new(progress)?;
    let (mut digests, mut done) = (Vec::new(), 0usize);
    table.py().detach(|| {
        source.each(STEP * threads, &mut watch, |rows, range| {
            let (from, to) = (done * size, (done + range.len()) * size);
            if range.start == 0 {
                more_zeros(&mut digests, rows.len().saturating_mul(size))?;
            }
            done += range.len();
            rows.digest_into(&many, range, &mut digests[from..to], threads).map_err(from_table)
        })
    })?;
    ArrowDigests::of_rows(digests, done, size, hex)
}

/// Appends zeros, or returns MemoryError. If the vector is empty, which is always the case if a table has only one
/// batch, the threads that write to the new pages zero them.
fn more_zeros(bytes: &mut Vec<u8>, more: usize) -> PyResult<()> {
    if bytes.is_empty() {
        *bytes = zeros(more)?;
    } else {
        bytes.try_reserve(more).map_err(|_| errors::no_memory(Some(more)))?;
        bytes.resize(bytes.len() + more, 0);
    }
    Ok(())
}

/// Return the digest of each column: the table_digest of the table that has only this column.
///
/// The digests show in which columns two tables differ. They don't show whether the same values are in the same rows. Each column
/// needs the memory of a table_digest: 32 bytes for each row with "sorted-sha256", 4 KiB in all with "lthash64-blake3".
///
/// Args:
///     table: Any object with __arrow_c_stream__ or __arrow_c_array__ that is a table: a Table, RecordBatch or RecordBatchReader of
///         pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB and others. A stream is read once, batch by batch.
///     columns: The names of the columns. By default all.
///     scheme: As for table_digest.
///     threads: The maximum number of threads. 0 is one for each core.
///     progress: A function that is called with the number of rows so far, or True for a line on stderr.
///
/// Returns:
///     A dict of TableDigest by column name.
///
/// Raises:
///     TypeError: As for hash_rows.
///     ValueError: As for hash_rows.
///
/// Examples:
///     >>> import hashwell, pyarrow
///     >>> old, new = ({"id": [1, 2], "name": ["Ann", name]} for name in ("Bob", "Rob"))
///     >>> one, two = (hashwell.hash_columns(pyarrow.table(table)) for table in (old, new))
///     >>> [name for name in one if one[name] != two[name]]
///     ['name']
#[pyfunction]
#[pyo3(
    signature = (table, *, columns=None, scheme="sorted-sha256", threads=Threads(1), progress=None),
    text_signature = "(table, *, columns=None, scheme='sorted-sha256', threads=1, progress=None)"
)]
fn hash_columns<'py>(
    table: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    scheme: &str,
    threads: Threads,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, scheme, threads) = (table.py(), scheme_of(scheme)?, threads.count());
    let choice = Choice::new(columns, "declared")?;
    let mut source = Source::of(table, &choice)?;
    let mut watch = Watch::new(progress)?;
    let each = source.columns.each().map_err(from_table)?;
    let mut tables: Vec<_> = each.iter().map(|columns| Table::new(scheme, columns)).collect();
    py.detach(|| {
        source.each_of(&each, STEP * threads, &mut watch, |i, rows, range| {
            tables[i].add(rows, range, threads).map_err(from_table)
        })
    })?;
    let digests = PyDict::new(py);
    for table in tables {
        let name = table.names().concat();
        digests.set_item(name, Bound::new(py, TableDigest::of(table))?)?;
    }
    Ok(digests)
}

/// Return an order-independent digest of a table: hwtable/1 (docs/spec/rows.md).
///
/// Two tables have the same digest if they have the same columns by name and the same rows, counting repeated rows. The
/// order of rows, the engine, the file format, the compression and the partitions don't matter.
///
/// Args:
///     table: Any object with __arrow_c_stream__ or __arrow_c_array__ that is a table: a Table, RecordBatch or RecordBatchReader of
///         pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB and others. A stream is read once, batch by batch.
///     columns: The names of the columns to hash. By default all.
///     order: "name" ignores the order of columns. With "declared" the order of columns matters.
///     scheme: "sorted-sha256" is as strong as SHA-256 and needs 32 bytes of memory for each row. "lthash64-blake3" needs 4 KiB in
///         all and supports up to 2**32 rows.
///     threads: The maximum number of threads. 0 is one for each core.
///     progress: A function that is called with the number of rows so far, or True for a line on stderr.
///
/// Returns:
///     A TableDigest, to which rows can be added.
///
/// Raises:
///     TypeError: As for hash_rows.
///     ValueError: As for hash_rows.
///
/// Examples:
///     >>> import hashwell, pyarrow
///     >>> one = hashwell.table_digest(pyarrow.table({"id": [1, 2], "name": ["Ann", "Bob"]}))
///     >>> two = hashwell.table_digest(pyarrow.table({"name": ["Bob", "Ann"], "id": [2, 1]}))
///     >>> one == two, one.hexdigest()[:16]
///     (True, 'fc72f28e51390180')
#[pyfunction]
#[pyo3(
    signature = (table, *, columns=None, order="name", scheme="sorted-sha256", threads=Threads(1), progress=None),
    text_signature = "(table, *, columns=None, order='name', scheme='sorted-sha256', threads=1, progress=None)"
)]
fn table_digest(
    table: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    order: &str,
    scheme: &str,
    threads: Threads,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<TableDigest> {
    let digest = TableDigest::new(scheme, columns, order)?;
    digest.update(table, threads, progress)?;
    digest.finish(table.py(), threads)?;
    Ok(digest)
}
