//! Writes rows by their numbers, in any order.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;

use super::spot::Spot;
use super::try_alloc;
use super::typed::{self, Cells};
use super::{Table, fault};
use crate::error::Error;

/// The maximum number of rows in memory, and in a row group that is written: the default of the crate `parquet`.
const AT_ONCE: usize = 1 << 20;

impl Table {
    /// Writes rows as Parquet in the order of these numbers, which may repeat; without compression unless `packed` is
    /// true.
    pub(crate) fn write(
        &self,
        numbers: &[u64],
        packed: bool,
        out: &mut (dyn Write + Send),
    ) -> std::result::Result<(), Error> {
        let name = self.files.first().map_or("no file", |part| &part.name);
        let mut out = Output { out, failed: None };
        let wrote = self.parquet(numbers, packed, &mut out);
        wrote.map_err(|error| written(name, error, out.failed))
    }

    fn parquet(&self, numbers: &[u64], packed: bool, out: &mut (dyn Write + Send)) -> Result<()> {
        let Some(first) = self.files.first() else { return Ok(()) };
        let metadata = first.reader.metadata().file_metadata();
        let schema = metadata.schema_descr();
        let mut writer =
            SerializedFileWriter::new(out, schema.root_schema_ptr(), self.properties(schema, packed))?;
        let compressions: Vec<Compression> = first.packed().filter(|_| packed).collect();
        for numbers in numbers.chunks(AT_ONCE) {
            let (spots, order) = self.spots(numbers)?;
            let picked = self.picked(&spots)?;
            let mut group = writer.next_row_group()?;
            for leaf in 0..schema.num_columns() {
                let mut cells = Cells::new(schema.column(leaf).physical_type());
                picked.iter().try_for_each(|picked| picked.read(leaf, &mut cells))?;
                let mut column = group
                    .next_column()?
                    .ok_or_else(|| ParquetError::General("a column is missing".into()))?;
                compressions.get(leaf).copied().map_or(Ok(()), try_alloc::to_pack)?;
                cells.write(column.untyped(), &order)?;
                column.close()?;
            }
            group.close()?;
        }
        writer.close().map(|_| ())
    }

    /// The key-value pairs of the first file (in which Arrow and pandas store their types), and its compression if
    /// `packed` is true.
    fn properties(&self, schema: &SchemaDescriptor, packed: bool) -> WriterPropertiesPtr {
        let first = &self.files[0];
        let mut builder = WriterProperties::builder()
            .set_key_value_metadata(first.reader.metadata().file_metadata().key_value_metadata().cloned());
        for (column, compression) in schema.columns().iter().zip(first.packed()).filter(|_| packed) {
            builder = builder.set_column_compression(column.path().clone(), compression);
        }
        Arc::new(builder.build())
    }

    /// The places of the rows, each once and in the files' order, and for each number the index of its place.
    fn spots(&self, numbers: &[u64]) -> Result<(Vec<Spot>, Vec<usize>)> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let missing = || ParquetError::General("a requested row does not exist".into());
        let spots =
            sorted.iter().map(|&number| self.spot(number).ok_or_else(missing)).collect::<Result<Vec<_>>>()?;
        let order = numbers.iter().map(|number| sorted.partition_point(|before| before < number)).collect();
        Ok((spots, order))
    }

    /// The row groups that contain these rows. Opening one takes longer with more columns, so each is opened only once.
    fn picked<'t>(&'t self, spots: &'t [Spot]) -> Result<Vec<Picked<'t>>> {
        let of = |spots: &'t [Spot]| {
            let part = &self.files[spots[0].file];
            let group =
                part.reader.get_row_group(spots[0].group).map_err(|error| blame(&part.name, &error))?;
            Ok(Picked { name: &part.name, group, spots })
        };
        spots.chunk_by(|a, b| (a.file, a.group) == (b.file, b.group)).map(of).collect()
    }
}

/// Rows of one row group.
struct Picked<'t> {
    /// The file.
    name: &'t str,
    group: Box<dyn RowGroupReader + 't>,
    spots: &'t [Spot],
}

impl Picked<'_> {
    /// Reads one column of the rows from the pages that contain them.
    fn read(&self, leaf: usize, cells: &mut Cells) -> Result<()> {
        self.values(leaf, cells).map_err(|error| blame(self.name, &error))
    }

    fn values(&self, leaf: usize, cells: &mut Cells) -> Result<()> {
        try_alloc::to_unpack(self.group.metadata().column(leaf).compression())?;
        let mut reader = self.group.get_column_reader(leaf)?;
        let mut at = 0;
        for spot in self.spots {
            let gap = usize::try_from(spot.row - at).unwrap_or(usize::MAX);
            if typed::skip(&mut reader, gap)? < gap || cells.read(&mut reader, 1)? < 1 {
                return Err(ParquetError::General("a column has fewer rows than its row group".into()));
            }
            at = spot.row + 1;
        }
        Ok(())
    }
}

/// An output that stores its error, because the library does not distinguish errors of the output from errors in the
/// input's pages.
struct Output<'o> {
    out: &'o mut (dyn Write + Send),
    failed: Option<io::Error>,
}

impl Output<'_> {
    fn keep<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failed = Some(error);
            }
            kind.into()
        })
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let wrote = self.out.write(bytes);
        self.keep(wrote)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.keep(flushed)
    }
}

/// An error of reading a file, wrapped in the library's error type.
fn blame(name: &str, error: &ParquetError) -> ParquetError {
    ParquetError::External(Box::new(fault(name, error)))
}

/// The error that prevented writing: an error of the output, or an error of reading a file.
fn written(name: &str, error: ParquetError, output: Option<io::Error>) -> Error {
    match (output, error) {
        (Some(error), _) => Error::Io { name: "output".into(), error },
        (None, ParquetError::External(inner)) => match inner.downcast::<Error>() {
            Ok(error) => *error,
            Err(inner) => fault(name, &ParquetError::External(inner)),
        },
        (None, error) => fault(name, &error),
    }
}
