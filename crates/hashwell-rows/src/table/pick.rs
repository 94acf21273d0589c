//! Rows by their numbers, written in any order.

use std::io::{self, Write};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;

use super::room;
use super::spot::Spot;
use super::text::{csv_fields, csv_line, json_line};
use super::typed::{self, Cells};
use super::{Table, fault};
use crate::error::Error;
use crate::options::TableForm;

/// Rows that are held at once, and the most of a row group that is written: what the crate writes by default.
const AT_ONCE: usize = 1 << 20;

impl Table {
    /// Writes rows in the order of these numbers, which may repeat.
    pub(crate) fn write(
        &self,
        numbers: &[u64],
        form: TableForm,
        out: &mut (dyn Write + Send),
    ) -> std::result::Result<(), Error> {
        let name = self.files.first().map_or("no file", |part| &part.name);
        match form {
            TableForm::Parquet => {
                self.parquet(numbers, out).map(|_| ()).map_err(|error| written(name, error))
            }
            TableForm::JsonLines | TableForm::Csv => {
                self.lines(numbers, form, out).map_err(|error| written(name, error))
            }
        }
    }

    fn lines(&self, numbers: &[u64], form: TableForm, out: &mut (dyn Write + Send)) -> Result<()> {
        let Some(schema) = self.schema() else { return Ok(()) };
        if form == TableForm::Csv {
            let names =
                schema.root_schema().get_fields().iter().map(|field| field.name().as_bytes().to_vec());
            csv_fields(names, out)?;
        }
        for numbers in numbers.chunks(AT_ONCE) {
            // The picked rows as a small file in memory, which the crate's own reader of rows reads.
            let mut picked = Vec::new();
            self.parquet(numbers, &mut picked)?;
            let reader = SerializedFileReader::new(Bytes::from(picked))?;
            self.files[0].packed().try_for_each(room::to_unpack)?;
            for row in reader.get_row_iter(None)? {
                match form {
                    TableForm::Csv => csv_line(&row?, out)?,
                    _ => json_line(&row?, out)?,
                }
            }
        }
        Ok(())
    }

    fn parquet(&self, numbers: &[u64], out: &mut (dyn Write + Send)) -> Result<()> {
        let Some(first) = self.files.first() else { return Ok(()) };
        let metadata = first.reader.metadata().file_metadata();
        let schema = metadata.schema_descr();
        let mut writer = SerializedFileWriter::new(out, schema.root_schema_ptr(), self.properties(schema))?;
        for numbers in numbers.chunks(AT_ONCE) {
            let (spots, order) = self.spots(numbers)?;
            let mut group = writer.next_row_group()?;
            for leaf in 0..schema.num_columns() {
                let cells = self.read(&spots, leaf, schema)?;
                let mut column = group
                    .next_column()?
                    .ok_or_else(|| ParquetError::General("a column is missing".into()))?;
                self.files[0].packed().nth(leaf).map_or(Ok(()), room::to_pack)?;
                cells.write(column.untyped(), &order)?;
                column.close()?;
            }
            group.close()?;
        }
        writer.close().map(|_| ())
    }

    /// The key-value pairs of the first file (in which Arrow and pandas keep their types), and its compressions.
    fn properties(&self, schema: &SchemaDescriptor) -> WriterPropertiesPtr {
        let first = &self.files[0];
        let mut builder = WriterProperties::builder()
            .set_key_value_metadata(first.reader.metadata().file_metadata().key_value_metadata().cloned());
        for (column, packed) in schema.columns().iter().zip(first.packed()) {
            builder = builder.set_column_compression(column.path().clone(), packed);
        }
        Arc::new(builder.build())
    }

    /// Where the rows lie, each once and in the files' order, and for each number which of them it is.
    fn spots(&self, numbers: &[u64]) -> Result<(Vec<Spot>, Vec<usize>)> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let missing = || ParquetError::General("a row is asked for that is not there".into());
        let spots =
            sorted.iter().map(|&number| self.spot(number).ok_or_else(missing)).collect::<Result<Vec<_>>>()?;
        let order = numbers.iter().map(|number| sorted.partition_point(|before| before < number)).collect();
        Ok((spots, order))
    }

    /// One column of these rows, read from the pages in which they lie.
    fn read(&self, spots: &[Spot], leaf: usize, schema: &SchemaDescriptor) -> Result<Cells> {
        let mut cells = Cells::new(schema.column(leaf).physical_type());
        for rows in spots.chunk_by(|a, b| (a.file, a.group) == (b.file, b.group)) {
            let part = &self.files[rows[0].file];
            let group = part.reader.get_row_group(rows[0].group)?;
            room::to_unpack(group.metadata().column(leaf).compression())?;
            let mut reader = group.get_column_reader(leaf)?;
            let mut at = 0;
            for spot in rows {
                let gap = usize::try_from(spot.row - at).unwrap_or(usize::MAX);
                if typed::skip(&mut reader, gap)? < gap || cells.read(&mut reader, 1)? < 1 {
                    return Err(ParquetError::General("a column has fewer rows than its row group".into()));
                }
                at = spot.row + 1;
            }
        }
        Ok(cells)
    }
}

/// A failure to write is the system's, anything else the file's.
fn written(name: &str, error: ParquetError) -> Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) if error.kind() == io::ErrorKind::OutOfMemory => Error::Memory { place: name.into() },
            Ok(error) => Error::Io { name: "output".into(), error: *error },
            Err(other) => Error::invalid(name, other.to_string()),
        },
        other => fault(name, &other),
    }
}
