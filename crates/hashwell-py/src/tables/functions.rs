//! `hash_rows`, `hash_columns`, `table_digest`.

use crate::border::buffer::zeros;
use crate::border::errors::{self, Length, Threads};
use crate::border::watch::Watch;
use crate::many::digests::ArrowDigests;
use crate::rows::algorithm::resolve;
use crate::rows::arguments::Arguments;
use crate::tables::read::{Choice, STEP, Source, from_table};
use crate::tables::state::{TableDigest, suite_of};
use hashwell_table::Table;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hash_rows, module)?)?;
    module.add_function(wrap_pyfunction!(hash_columns, module)?)?;
    module.add_function(wrap_pyfunction!(table_digest, module)?)
}

/// The digest of each row of a table, as a column: of the row's encoding hwrow/1 (docs/spec/rows.md).
///
/// table is any object with __arrow_c_stream__ or __arrow_c_array__ that shows a table: a Table, RecordBatch or
/// RecordBatchReader of pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB, … A stream is read once, batch by
/// batch. Equal values have equal digests whatever engine, width, dictionary or chunks they come in; docs/guides/tables.md says
/// which engines change values. Names of columns are not in a row's digest: compare digests of tables with the same
/// columns.
///
/// columns are the names of those that count, by default all. order is 'name', by the bytes of the columns' names, or
/// 'declared', as they stand in the table or in columns. algorithm and length are those of hash_many, hex=True gives str.
/// threads is the most threads to hash on, 0 for one per core. progress is a callable that gets the number of rows so
/// far now and then, or True for a line on stderr.
///
/// Raises TypeError for what is no table and for types without encoding (unions), ValueError for a column that is not
/// there, for two columns of one name, and for a value without encoding, such as text that is not UTF-8, with its row.
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

/// Appends zeros, or says that there is no memory for them. The first ones are all where a table is one batch, and are
/// cleared by the threads that write to them.
fn more_zeros(bytes: &mut Vec<u8>, more: usize) -> PyResult<()> {
    if bytes.is_empty() {
        *bytes = zeros(more)?;
    } else {
        bytes.try_reserve(more).map_err(|_| errors::no_memory(Some(more)))?;
        bytes.resize(bytes.len() + more, 0);
    }
    Ok(())
}

/// The digest of each column by its name, in a dict: the table_digest of the table of that column alone, as a
/// TableDigest. It tells in which columns two tables differ, though not whether the same values stand in the same rows.
///
/// Arguments are those of table_digest. Each column takes the memory of a table: 32 bytes a row and about 6 KiB with
/// 'sorted-sha256', 4 KiB with 'lthash64-blake3'.
#[pyfunction]
#[pyo3(
    signature = (table, *, columns=None, suite="sorted-sha256", threads=Threads(1), progress=None),
    text_signature = "(table, *, columns=None, suite='sorted-sha256', threads=1, progress=None)"
)]
fn hash_columns<'py>(
    table: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    suite: &str,
    threads: Threads,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, suite, threads) = (table.py(), suite_of(suite)?, threads.count());
    let choice = Choice::new(columns, "declared")?;
    let mut source = Source::of(table, &choice)?;
    let mut watch = Watch::new(progress)?;
    let each = source.columns.each().map_err(from_table)?;
    let mut tables: Vec<_> = each.iter().map(|columns| Table::new(suite, columns)).collect();
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

/// The digest of a table that does not see the order of its rows, hwtable/1 (docs/spec/rows.md), as a TableDigest: equal
/// for tables with the same columns by name and the same rows, repeats counted, whatever engine, file format, compression
/// or partitioning they come from.
///
/// suite is 'sorted-sha256', as strong as SHA-256, with 32 bytes of memory a row; or 'lthash64-blake3', 4 KiB in all, for
/// up to 2**32 rows. table, columns, order, threads and progress are those of hash_rows, as are the errors. With
/// order='name', the default, the order of columns is not seen either.
#[pyfunction]
#[pyo3(
    signature = (table, *, columns=None, order="name", suite="sorted-sha256", threads=Threads(1), progress=None),
    text_signature = "(table, *, columns=None, order='name', suite='sorted-sha256', threads=1, progress=None)"
)]
fn table_digest(
    table: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    order: &str,
    suite: &str,
    threads: Threads,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<TableDigest> {
    let digest = TableDigest::new(suite, columns, order)?;
    digest.update(table, threads, progress)?;
    digest.finish(table.py(), threads)?;
    Ok(digest)
}
