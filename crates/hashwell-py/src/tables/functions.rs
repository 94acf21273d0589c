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

/// Return the digest of each row of a table as a column.
///
/// The hwrow/1 specification (docs/spec/rows.md) defines how rows are encoded. Rows with equal values have equal
/// digests. Integer widths, dictionary encoding and chunks don't matter. The library or database that made the table
/// doesn't matter either, unless it changed values; docs/guides/tables.md lists such changes. Column names are not part
/// of a row's digest, so compare only digests of tables with the same columns.
///
/// Args:
///     table: The table: a pyarrow Table, RecordBatch or RecordBatchReader, a DataFrame of Polars or pandas, a
///         DuckDB relation, or any other table with __arrow_c_stream__ or __arrow_c_array__. A stream is read once,
///         batch by batch.
///     columns: The names of the columns to hash. By default, all columns are hashed.
///     order: The order in which the columns of a row are encoded. "name" sorts them by the bytes of their names.
///         "declared" uses the order in columns or, without that argument, the order in the table.
///     algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
///     length: The digest size in bytes. It is required for extendable-output functions without a default size.
///     hex: True returns digests in hexadecimal.
///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
///     progress: A function that is called with the number of rows read so far, or True to show a progress line on
///         stderr.
///
/// Returns:
///     An ArrowDigests column with one digest per row.
///
/// Raises:
///     TypeError: table is not a table, or a column has a type without an encoding (a union).
///     ValueError: A column is missing, two columns have the same name, or a value has no encoding, such as text
///         that is not valid UTF-8. The message contains the number of the row.
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

/// Appends zeros, or returns MemoryError. If the vector is empty, as it always is for a table with only one batch, the
/// system zeroes each new page when a thread first writes to it.
fn more_zeros(bytes: &mut Vec<u8>, more: usize) -> PyResult<()> {
    if bytes.is_empty() {
        *bytes = zeros(more)?;
    } else {
        bytes.try_reserve(more).map_err(|_| errors::no_memory(Some(more)))?;
        bytes.resize(bytes.len() + more, 0);
    }
    Ok(())
}

/// Return the digest of each column, which is the table_digest of a table with only that column.
///
/// Compare the digests of two tables to find the columns in which the tables differ. Equal digests don't mean that
/// the same values are in the same rows. Each column needs as much memory as one table_digest: 32 bytes per row
/// with "sorted-sha256", or 4 KiB in total with "lthash64-blake3".
///
/// Args:
///     table: The table, in any form that hash_rows accepts. A stream is read once, batch by batch.
///     columns: The names of the columns. By default, all columns are hashed.
///     scheme: "sorted-sha256" or "lthash64-blake3", which table_digest describes.
///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
///     progress: A function that is called with the number of rows read so far, or True to show a progress line on
///         stderr.
///
/// Returns:
///     A dict that maps each column name to a TableDigest.
///
/// Raises:
///     TypeError: table is not a table, or a column has a type without an encoding (a union).
///     ValueError: There is no such scheme, a column is missing, two columns have the same name, or a value has no
///         encoding.
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

/// Return an order-independent digest of a table, as the hwtable/1 specification (docs/spec/rows.md) defines it.
///
/// Two tables have the same digest if their columns have the same names and they contain the same rows, each
/// equally often. The order of the rows, the file format, compression, partitions and the library or database don't
/// matter.
///
/// Args:
///     table: The table: a pyarrow Table, RecordBatch or RecordBatchReader, a DataFrame of Polars or pandas, a
///         DuckDB relation, or any other table with __arrow_c_stream__ or __arrow_c_array__. A stream is read once,
///         batch by batch.
///     columns: The names of the columns to hash. By default, all columns are hashed.
///     order: "name" ignores the order of the columns. With "declared", the order of the columns matters.
///     scheme: "sorted-sha256" is as strong as SHA-256 and needs 32 bytes of memory per row. "lthash64-blake3"
///         needs 4 KiB in total and supports up to 2**32 rows.
///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
///     progress: A function that is called with the number of rows read so far, or True to show a progress line on
///         stderr.
///
/// Returns:
///     A TableDigest, to which you can add more rows.
///
/// Raises:
///     TypeError: table is not a table, or a column has a type without an encoding (a union).
///     ValueError: There is no such scheme or order, a column is missing, two columns have the same name, or a
///         value has no encoding. If a value has no encoding, the error message contains the number of its row.
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
