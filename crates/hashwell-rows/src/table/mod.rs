//! Parquet files as one stream of rows. The files' footers contain the number of rows, so rows can be skipped without
//! reading them, and only the pages that contain selected rows are read.

mod cursor;
mod pick;
mod spot;
mod text;
mod try_alloc;
mod typed;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::{ReadOptionsBuilder, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;

use crate::error::Error;
use crate::fields::{Column, Of};
use crate::input::{Input, Opened};
use cursor::Cursor;
use spot::Spot;

/// The files of a stream.
pub(crate) struct Table {
    files: Vec<Part>,
    /// The number of rows before the next one.
    at: u64,
    rows: u64,
    cursors: RefCell<HashMap<usize, Cursor>>,
}

/// One file.
struct Part {
    name: String,
    reader: Arc<SerializedFileReader<File>>,
    /// The number of rows in the files before this one.
    before: u64,
    rows: u64,
    /// For each row group, the number of rows in the file up to its end.
    ends: Vec<u64>,
}

fn fault(name: &str, error: &ParquetError) -> Error {
    if let ParquetError::External(inner) = error
        && inner.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::OutOfMemory)
    {
        return Error::Memory { place: name.into() };
    }
    Error::invalid(name, format!("not readable as Parquet: {error}"))
}

impl Part {
    /// The compression of each column in the first row group.
    fn packed(&self) -> impl Iterator<Item = Compression> {
        let group = self.reader.metadata().row_groups().first();
        group.into_iter().flat_map(|group| group.columns()).map(|column| column.compression())
    }
}

impl Table {
    pub(crate) fn open(inputs: &[Input]) -> Result<Table, Error> {
        let mut table = Table { files: Vec::new(), at: 0, rows: 0, cursors: RefCell::default() };
        for input in inputs {
            table.add(input)?;
        }
        Ok(table)
    }

    fn add(&mut self, input: &Input) -> Result<(), Error> {
        let name = input.name();
        let file = match input.open().map_err(|error| Error::Io { name: name.clone(), error })? {
            Opened::File(file, 0) => file,
            _ => {
                return Err(Error::invalid(
                    name,
                    "Parquet requires a regular file, because its metadata are at the end",
                ));
            }
        };
        let options = ReadOptionsBuilder::new().with_page_index().build();
        let reader =
            SerializedFileReader::new_with_options(file, options).map_err(|error| fault(&name, &error))?;
        let ends = ends(reader.metadata()).ok_or_else(|| {
            Error::invalid(&*name, "the row groups do not add up to the file's number of rows")
        })?;
        if let Some(first) = self.files.first() {
            let schema =
                |reader: &SerializedFileReader<File>| reader.metadata().file_metadata().schema().clone();
            if schema(&first.reader).get_fields() != schema(&reader).get_fields() {
                return Err(Error::Headers { first: first.name.clone(), other: name });
            }
        }
        let rows = ends.last().copied().unwrap_or(0);
        let before = self.rows;
        self.rows = before
            .checked_add(rows)
            .ok_or_else(|| Error::invalid(&*name, "the files have more than 2^64 - 1 rows in total"))?;
        self.files.push(Part { name, reader: Arc::new(reader), before, rows, ends });
        Ok(())
    }

    /// The total number of rows.
    pub(crate) fn len(&self) -> u64 {
        self.rows
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    pub(crate) fn skip(&mut self, n: u64) -> u64 {
        let passed = n.min(self.rows - self.at);
        self.at += passed;
        passed
    }

    /// The place "file:row", with the row's number within its file counted from 1.
    pub(crate) fn place(&self, number: u64) -> String {
        let file = self.file_of(number);
        file.map_or_else(String::new, |file| {
            format!("{}:{}", self.files[file].name, number - self.files[file].before + 1)
        })
    }

    /// A column by its path, with dots between the parts, or by its number among the columns without parts.
    pub(crate) fn column(&self, name: &str) -> Result<Column, Error> {
        let Some(schema) = self.schema() else { return Ok(Column { of: Of::Number(0) }) };
        let by_name = schema.columns().iter().position(|column| column.path().string() == name);
        let by_number =
            || name.parse::<usize>().ok().filter(|n| (1..=schema.num_columns()).contains(n)).map(|n| n - 1);
        let leaf =
            by_name.or_else(by_number).ok_or_else(|| Error::column(name, "it is not in the schema"))?;
        if schema.column(leaf).max_rep_level() > 0 {
            return Err(Error::column(name, "it contains lists"));
        }
        Ok(Column { of: Of::Number(leaf) })
    }

    /// The value of a column in a row as text; empty for null.
    pub(crate) fn field(&self, number: u64, column: &Column) -> Result<Vec<u8>, Error> {
        let Of::Number(leaf) = column.of else {
            return Err(Error::invalid(self.place(number), "the column belongs to a different format"));
        };
        let spot = self.spot(number).ok_or_else(|| Error::Options("there is no such row".into()))?;
        let part = &self.files[spot.file];
        let mut cursors = self.cursors.borrow_mut();
        let cursor = cursors.entry(leaf).or_insert_with(Cursor::new);
        cursor.text(&part.reader, spot, leaf).map_err(|error| fault(&part.name, &error))
    }

    fn schema(&self) -> Option<&SchemaDescriptor> {
        self.files.first().map(|part| part.reader.metadata().file_metadata().schema_descr())
    }

    fn file_of(&self, number: u64) -> Option<usize> {
        let file = self.files.partition_point(|part| part.before + part.rows <= number);
        (file < self.files.len()).then_some(file)
    }

    fn spot(&self, number: u64) -> Option<Spot> {
        let file = self.file_of(number)?;
        let part = &self.files[file];
        let within = number - part.before;
        let group = part.ends.partition_point(|&end| end <= within);
        let row = within - group.checked_sub(1).map_or(0, |before| part.ends[before]);
        Some(Spot { file, group, row })
    }
}

/// The number of rows up to the end of each row group, if it agrees with the file's metadata.
fn ends(data: &ParquetMetaData) -> Option<Vec<u64>> {
    let mut rows = 0_u64;
    let mut ends = Vec::with_capacity(data.num_row_groups());
    for group in data.row_groups() {
        rows = rows.checked_add(u64::try_from(group.num_rows()).ok()?)?;
        ends.push(rows);
    }
    (u64::try_from(data.file_metadata().num_rows()).ok()? == rows).then_some(ends)
}
