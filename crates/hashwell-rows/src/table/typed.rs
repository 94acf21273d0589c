//! One column of any type. The crate `parquet` has a reader and a writer for each physical type; this is the only match
//! over them.

use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::record::Field;
use parquet::schema::types::ColumnDescPtr;

/// Rows of one column as they are stored: values, and the levels that define their positions.
pub(super) struct Chunk<T> {
    values: Vec<T>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    /// For each row, the ends of its values and its levels.
    ends: Vec<(usize, usize)>,
}

/// A [`Chunk`] of any type.
pub(super) enum Cells {
    Bool(Chunk<bool>),
    Int32(Chunk<i32>),
    Int64(Chunk<i64>),
    Int96(Chunk<Int96>),
    Float(Chunk<f32>),
    Double(Chunk<f64>),
    Bytes(Chunk<ByteArray>),
    Fixed(Chunk<FixedLenByteArray>),
}

/// Applies the same expression to every type of cells.
macro_rules! with_chunk {
    ($cells:expr, $chunk:ident => $result:expr) => {
        match $cells {
            Cells::Bool($chunk) => $result,
            Cells::Int32($chunk) => $result,
            Cells::Int64($chunk) => $result,
            Cells::Int96($chunk) => $result,
            Cells::Float($chunk) => $result,
            Cells::Double($chunk) => $result,
            Cells::Bytes($chunk) => $result,
            Cells::Fixed($chunk) => $result,
        }
    };
}

/// Selects the reader's or writer's variant for the type of the cells.
macro_rules! of_one_type {
    ($side:ident, $other:expr, $cells:expr, ($with:ident, $chunk:ident) => $result:expr; $($arm:ident: $cell:ident),*) => {
        match ($other, $cells) {
            $(($side::$arm($with), Cells::$cell($chunk)) => $result,)*
            _ => Err(ParquetError::General("a column has values of different types".into())),
        }
    };
}

impl<T> Chunk<T> {
    fn new() -> Self {
        Chunk { values: Vec::new(), definitions: Vec::new(), repetitions: Vec::new(), ends: Vec::new() }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.definitions.clear();
        self.repetitions.clear();
        self.ends.clear();
    }

    /// Reads rows one by one, so that the end of each row is known without searching the levels.
    fn read<D: DataType<T = T>>(&mut self, reader: &mut ColumnReaderImpl<D>, rows: usize) -> Result<usize> {
        for done in 0..rows {
            let (got, ..) = reader.read_records(
                1,
                Some(&mut self.definitions),
                Some(&mut self.repetitions),
                &mut self.values,
            )?;
            if got == 0 {
                return Ok(done);
            }
            let levels = self.definitions.len().max(self.repetitions.len());
            self.ends.push((self.values.len(), levels));
        }
        Ok(rows)
    }

    /// Reads rows of a column without lists, where each row has at most one level.
    fn read_flat<D: DataType<T = T>>(
        &mut self,
        reader: &mut ColumnReaderImpl<D>,
        rows: usize,
        full: i16,
    ) -> Result<usize> {
        let (got, ..) = reader.read_records(rows, Some(&mut self.definitions), None, &mut self.values)?;
        let mut values = 0;
        for row in 0..got {
            values += usize::from(self.definitions.get(row).is_none_or(|&level| level == full));
            self.ends.push((values, row + 1));
        }
        Ok(got)
    }

    /// The range of the values and of the levels of a row.
    fn span(&self, row: usize) -> ((usize, usize), (usize, usize)) {
        let (value, level) = row.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        ((value, self.ends[row].0), (level, self.ends[row].1))
    }

    /// The single value of a row; `None` for null.
    fn only(&self, row: usize) -> Option<&T> {
        let ((from, to), _) = self.span(row);
        self.values[from..to].first()
    }
}

impl<T: Clone> Chunk<T> {
    /// These rows, in this order.
    fn ordered(&self, rows: &[usize]) -> Chunk<T> {
        let mut ordered = Chunk::new();
        let some = |levels: &[i16], (from, to): (usize, usize)| levels.get(from..to).unwrap_or(&[]).to_vec();
        for &row in rows {
            let (values, levels) = self.span(row);
            ordered.values.extend_from_slice(&self.values[values.0..values.1]);
            ordered.definitions.extend(some(&self.definitions, levels));
            ordered.repetitions.extend(some(&self.repetitions, levels));
        }
        ordered
    }
}

impl Cells {
    pub(super) fn new(physical: Type) -> Cells {
        match physical {
            Type::BOOLEAN => Cells::Bool(Chunk::new()),
            Type::INT32 => Cells::Int32(Chunk::new()),
            Type::INT64 => Cells::Int64(Chunk::new()),
            Type::INT96 => Cells::Int96(Chunk::new()),
            Type::FLOAT => Cells::Float(Chunk::new()),
            Type::DOUBLE => Cells::Double(Chunk::new()),
            Type::BYTE_ARRAY => Cells::Bytes(Chunk::new()),
            Type::FIXED_LEN_BYTE_ARRAY => Cells::Fixed(Chunk::new()),
        }
    }

    pub(super) fn clear(&mut self) {
        with_chunk!(self, chunk => chunk.clear());
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        with_chunk!(self, chunk => chunk.ends.len())
    }

    /// Adds rows, and returns their number.
    pub(super) fn read(&mut self, reader: &mut ColumnReader, rows: usize) -> Result<usize> {
        let before = with_chunk!(self, chunk => chunk.values.len());
        let read = self.share(reader, rows)?;
        // A byte value is a slice of its page, and would keep the whole page in memory.
        match self {
            Cells::Bytes(chunk) => {
                chunk.values[before..].iter_mut().for_each(|value| *value = value.data().to_vec().into());
            }
            Cells::Fixed(chunk) => {
                chunk.values[before..].iter_mut().for_each(|value| *value = value.data().to_vec().into());
            }
            _ => {}
        }
        Ok(read)
    }

    fn share(&mut self, reader: &mut ColumnReader, rows: usize) -> Result<usize> {
        of_one_type!(ColumnReader, reader, self, (typed, chunk) => chunk.read(typed, rows);
            BoolColumnReader: Bool, Int32ColumnReader: Int32, Int64ColumnReader: Int64, Int96ColumnReader: Int96,
            FloatColumnReader: Float, DoubleColumnReader: Double, ByteArrayColumnReader: Bytes,
            FixedLenByteArrayColumnReader: Fixed)
    }

    /// Replaces the rows by new ones, for a column without lists.
    pub(super) fn refill(&mut self, reader: &mut ColumnReader, rows: usize, full: i16) -> Result<usize> {
        self.clear();
        of_one_type!(ColumnReader, reader, self, (typed, chunk) => chunk.read_flat(typed, rows, full);
            BoolColumnReader: Bool, Int32ColumnReader: Int32, Int64ColumnReader: Int64, Int96ColumnReader: Int96,
            FloatColumnReader: Float, DoubleColumnReader: Double, ByteArrayColumnReader: Bytes,
            FixedLenByteArrayColumnReader: Fixed)
    }

    /// Writes rows in this order.
    pub(super) fn write(&self, writer: &mut ColumnWriter<'_>, order: &[usize]) -> Result<()> {
        of_one_type!(ColumnWriter, writer, self, (typed, chunk) => {
                let rows = chunk.ordered(order);
                typed.write_batch(&rows.values, given(&rows.definitions), given(&rows.repetitions)).map(|_| ())
            };
            BoolColumnWriter: Bool, Int32ColumnWriter: Int32, Int64ColumnWriter: Int64, Int96ColumnWriter: Int96,
            FloatColumnWriter: Float, DoubleColumnWriter: Double, ByteArrayColumnWriter: Bytes,
            FixedLenByteArrayColumnWriter: Fixed)
    }

    /// The single value of a row, for a column without lists.
    pub(super) fn field(&self, descriptor: &ColumnDescPtr, row: usize) -> Result<Field> {
        let field = match self {
            Cells::Bool(chunk) => chunk.only(row).map(|value| Field::convert_bool(descriptor, *value)),
            Cells::Int32(chunk) => chunk.only(row).map(|value| Field::convert_int32(descriptor, *value)),
            Cells::Int64(chunk) => chunk.only(row).map(|value| Field::convert_int64(descriptor, *value)),
            Cells::Int96(chunk) => chunk.only(row).map(|value| Field::convert_int96(descriptor, *value)),
            Cells::Float(chunk) => chunk.only(row).map(|value| Field::convert_float(descriptor, *value)),
            Cells::Double(chunk) => chunk.only(row).map(|value| Field::convert_double(descriptor, *value)),
            Cells::Bytes(chunk) => chunk
                .only(row)
                .map(|value| Field::convert_byte_array(descriptor, value.clone()))
                .transpose()?,
            Cells::Fixed(chunk) => {
                let bytes = chunk.only(row).map(|value| ByteArray::from(value.data().to_vec()));
                bytes.map(|value| Field::convert_byte_array(descriptor, value)).transpose()?
            }
        };
        Ok(field.unwrap_or(Field::Null))
    }
}

/// The levels to write; `None` for a column that has no such levels.
fn given(levels: &[i16]) -> Option<&[i16]> {
    Some(levels).filter(|levels| !levels.is_empty())
}

/// Skips rows, and returns their number.
pub(super) fn skip(reader: &mut ColumnReader, rows: usize) -> Result<usize> {
    match reader {
        ColumnReader::BoolColumnReader(typed) => typed.skip_records(rows),
        ColumnReader::Int32ColumnReader(typed) => typed.skip_records(rows),
        ColumnReader::Int64ColumnReader(typed) => typed.skip_records(rows),
        ColumnReader::Int96ColumnReader(typed) => typed.skip_records(rows),
        ColumnReader::FloatColumnReader(typed) => typed.skip_records(rows),
        ColumnReader::DoubleColumnReader(typed) => typed.skip_records(rows),
        ColumnReader::ByteArrayColumnReader(typed) => typed.skip_records(rows),
        ColumnReader::FixedLenByteArrayColumnReader(typed) => typed.skip_records(rows),
    }
}
