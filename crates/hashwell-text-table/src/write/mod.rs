//! Writes rows of Parquet files as text from which [`crate::read`] reads the same values.
//!
//! ```text
//! picked rows -> Parquet in memory -> Arrow -> form (what each column is) -> value (its text) -> JSON lines, CSV
//!                                 \-> exact (refuses what Arrow's reader would change)
//! ```

mod exact;
mod form;
mod rewrite;
mod value;

pub use exact::check as check_exact;
pub use rewrite::rewrite;
pub use value::{csv_header, csv_text};

use bytes::Bytes;
use form::Form;
use hashwell_arrow::{Chunk, Field, Reader};
use hashwell_rows::{Error, Rows};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, Write};

/// The text format for rows of Parquet files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableText {
    /// One JSON object per line.
    JsonLines,
    /// CSV as in RFC 4180, with a header and newlines. Null is an empty field, and the empty string is `""`.
    Csv,
}

/// The number of rows that are in memory at the same time.
const AT_ONCE: usize = 1 << 16;

/// Writes the rows of a table that have these numbers, in this order. Numbers may be repeated. CSV has a header.
///
/// # Errors
/// Returns an error in the same cases as [`Rows::write_table`], and [`Error::Invalid`] if a value cannot be written as
/// text.
///
/// # Panics
/// Panics in the same cases as [`Rows::write_table`].
pub fn write_rows(
    rows: &Rows,
    numbers: &[u64],
    text: TableText,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let (first, others) = numbers.split_at(numbers.len().min(AT_ONCE));
    write_some(rows, first, text, text == TableText::Csv, out)?;
    others.chunks(AT_ONCE).try_for_each(|numbers| write_some(rows, numbers, text, false, out))
}

fn write_some(
    rows: &Rows,
    numbers: &[u64],
    text: TableText,
    header: bool,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let file = || file_of(rows, numbers.first().copied().unwrap_or(0));
    let unreadable = |error: &dyn Display| invalid(file(), &format!("not readable as Parquet: {error}"));
    let mut picked = Vec::new();
    rows.write_table_uncompressed(numbers, &mut picked)?;
    let picked = Bytes::from(picked);
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(picked.clone()).map_err(|error| unreadable(&error))?;
    let leaves = builder.parquet_schema().columns().to_vec();
    let reader = builder.build().map_err(|error| unreadable(&error))?;
    let mut reader = Reader::of_batches(Box::new(reader)).map_err(|error| unreadable(&error))?;
    let columns = columns(&reader, &leaves).map_err(|wrong| invalid(file(), &wrong))?;
    if let Some(name) = (text == TableText::JsonLines).then(|| repeated_name(reader.field())).flatten() {
        let wrong = format!(
            "two columns are named {name:?}, but the keys of a JSON object must differ: use --as csv"
        );
        return Err(invalid(file(), &wrong));
    }
    exact::check(picked, reader.field(), &leaves).map_err(|wrong| invalid(file(), &wrong))?;
    let mut line = Vec::new();
    if header {
        csv_header(columns.iter().map(|column| &column.name[..]), &mut line);
        out.write_all(&line).map_err(output)?;
    }
    let mut numbers = numbers.iter();
    while let Some(chunk) = reader.next_chunk().map_err(|error| unreadable(&error))? {
        for (row, number) in (0..chunk.node().len()).zip(numbers.by_ref()) {
            line.clear();
            let wrote = match text {
                TableText::JsonLines => json_line(&columns, &chunk, row, &mut line),
                TableText::Csv => csv_line(&columns, &chunk, row, &mut line),
            };
            wrote.map_err(|wrong| invalid(rows.place_in_table(*number), &wrong))?;
            out.write_all(&line).map_err(output)?;
        }
    }
    Ok(())
}

/// The types of a table's leaf columns, in the order of Parquet.
///
/// # Errors
/// Returns an error in the same cases as [`Rows::write_table`].
pub fn value_fields(rows: &Rows) -> Result<Vec<Field>, Error> {
    let mut empty = Vec::new();
    rows.write_table_uncompressed(&[], &mut empty)?;
    let unreadable =
        |error: &dyn Display| invalid(file_of(rows, 0), &format!("not readable as Parquet: {error}"));
    let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(empty));
    let reader = builder.and_then(|builder| builder.build()).map_err(|error| unreadable(&error))?;
    let reader = Reader::of_batches(Box::new(reader)).map_err(|error| unreadable(&error))?;
    Ok(form::value_fields(reader.field()).into_iter().cloned().collect())
}

/// A column that is ready to be written.
struct Column {
    name: String,
    /// The name as a JSON key.
    key: Vec<u8>,
    form: Form,
}

impl Column {
    fn failed(&self, wrong: &str) -> String {
        format!("column {:?}: {wrong}", self.name)
    }
}

fn columns(reader: &Reader, leaves: &[parquet::schema::types::ColumnDescPtr]) -> Result<Vec<Column>, String> {
    let mut leaves = leaves.iter();
    let column = |field: &Field| {
        let mut key = Vec::new();
        value::json_text(&field.name, &mut key);
        Ok(Column { name: field.name.clone(), key, form: Form::of(field, &mut leaves)? })
    };
    reader.field().children.iter().map(column).collect()
}

/// The first name that two columns of the table, or two fields of the same struct, have.
fn repeated_name(field: &Field) -> Option<&str> {
    let mut names = HashSet::new();
    let repeated = field.children.iter().find(|child| !names.insert(&child.name));
    repeated.map(|child| &child.name[..]).or_else(|| field.children.iter().find_map(repeated_name))
}

fn json_line(columns: &[Column], chunk: &Chunk, row: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let values = columns.iter().zip(chunk.node().children());
    for (number, (column, node)) in values.enumerate() {
        out.push(if number == 0 { b'{' } else { b',' });
        out.extend_from_slice(&column.key);
        out.push(b':');
        value::json(&column.form, node, row, out).map_err(|wrong| column.failed(&wrong))?;
    }
    out.extend_from_slice(if columns.is_empty() { b"{}\n" } else { b"}\n" });
    Ok(())
}

fn csv_line(columns: &[Column], chunk: &Chunk, row: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let values = columns.iter().zip(chunk.node().children());
    for (number, (column, node)) in values.enumerate() {
        if number > 0 {
            out.push(b',');
        }
        value::csv(&column.form, node, row, out).map_err(|wrong| column.failed(&wrong))?;
    }
    if out.is_empty() {
        return Err(
            "null in the only column would be an empty line, which is not a row of CSV: use --as jsonl"
                .into(),
        );
    }
    out.push(b'\n');
    Ok(())
}

/// The name of the file that contains a row.
fn file_of(rows: &Rows, number: u64) -> String {
    let place = rows.place_in_table(number);
    place.rsplit_once(':').map_or(place.clone(), |(file, _)| file.to_owned())
}

fn invalid(place: String, reason: &str) -> Error {
    Error::Invalid { place, reason: reason.to_owned().into() }
}

fn output(error: io::Error) -> Error {
    Error::Io { name: "output".into(), error }
}
