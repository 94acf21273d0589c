//! Writes rows of CSV, TSV or JSON Lines in a different format.

use super::value::{csv_header, csv_text, json_text};
use super::{invalid, output};
use crate::kind::Type;
use crate::names::{MAX, Names, is_too_sparse};
use crate::read::json::{Shape, Shapes, members, string};
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use hashwell_rows::{BOM, Error, Fields, Format, RawField, Rows};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;

/// Writes all rows in a format that [`Format::written`] supports. `open` opens the rows, and is called twice: the first
/// pass finds the columns.
///
/// Fields of CSV and TSV are strings; an empty field without quotes is null. In CSV, a list or an object of JSON is
/// JSON. In Parquet, JSON values of one kind are booleans, 64-bit integers, 64-bit floats or strings. Columns with
/// lists or objects, with values of several kinds, or with numbers that are too large contain each value as JSON.
///
/// # Errors
/// Returns the errors of `open` and of reading, [`Error::Io`] if `out` cannot be written, and [`Error::Invalid`] if a
/// row does not have the fields of the header, or cannot be written in the format.
pub fn rewrite(
    open: &dyn Fn() -> Result<Rows, Error>,
    to: Format,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let mut rows = open()?;
    match rows.format().fields() {
        Fields::Json => {
            let (names, kinds) = keys(&mut rows)?;
            of_json(&mut open()?, Target::new(to, names, &kinds, true, out)?)
        }
        _ => {
            let names = columns(&mut rows)?;
            let kinds = vec![Kind::Text; names.len()];
            let has_header = rows.header().is_some();
            of_fields(&mut open()?, Target::new(to, names, &kinds, has_header, out)?)
        }
    }
}

/// The names in the header, or the numbers of the first row's fields, from 1.
fn columns(rows: &mut Rows) -> Result<Names, Error> {
    let Some(names) = rows.names() else {
        let count = rows.next()?.map_or(0, |row| row.raw_fields().count());
        return Ok(Names::new((1..=count).map(|number| number.to_string()).collect()));
    };
    let name = |name: Cow<'_, [u8]>| {
        String::from_utf8(name.into_owned())
            .map_err(|_| invalid("the output".into(), "the name of a column is not UTF-8 (give --encoding)"))
    };
    Ok(Names::new(names.into_iter().map(name).collect::<Result<_, _>>()?))
}

fn of_fields(rows: &mut Rows, mut target: Target<'_>) -> Result<(), Error> {
    let mut number = 0;
    while let Some(row) = rows.next()? {
        number += 1;
        let count = row.raw_fields().count();
        if count != target.names.len() {
            let columns = target.names.len();
            let wrong = format!("the row has {count} fields, but the table has {columns} columns");
            return Err(invalid(place(number), &wrong));
        }
        target.row(number, row.raw_fields().map(Value::of))?;
    }
    target.end()
}

/// The keys of all objects, in the order in which they first appear, and the kinds of their values.
fn keys(rows: &mut Rows) -> Result<(Names, Vec<Kind>), Error> {
    let mut names: Vec<String> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut found: Vec<Found> = Vec::new();
    let mut number = 0;
    while let Some(row) = rows.next()? {
        number += 1;
        for (key, value) in objects(row.bytes(), number)? {
            let at = *places.entry(key.into_owned()).or_insert_with_key(|key| {
                names.push(key.clone());
                found.push(Found::default());
                names.len() - 1
            });
            found[at].add(value.get());
        }
        if names.len() > MAX {
            return Err(invalid(
                place(number),
                &format!("the objects up to here have more than {MAX} different keys"),
            ));
        }
    }
    if is_too_sparse(rows.rows(), names.len(), rows.bytes()) {
        let wrong = format!(
            "the {} rows would have {} columns, and almost all values would be null, because most objects lack most keys",
            rows.rows(),
            names.len()
        );
        return Err(invalid("the output".into(), &wrong));
    }
    let kinds = found.iter().map(Found::kind).collect();
    Ok((Names::new(names), kinds))
}

fn objects(row: &[u8], number: u64) -> Result<Vec<(Cow<'_, str>, &RawValue)>, Error> {
    members(row.strip_prefix(BOM).unwrap_or(row)).map_err(|wrong| invalid(place(number), &wrong))
}

/// The values that a key has.
#[derive(Default)]
struct Found {
    shapes: Shapes,
    /// True if there is an integer that does not fit into 64 bits.
    large: bool,
    /// True if there is a number that is too large for a 64-bit float.
    infinite: bool,
}

impl Found {
    fn add(&mut self, text: &str) {
        let shape = Shape::of(text);
        self.shapes.add(shape);
        self.large |= shape == Shape::Whole && text.parse::<i64>().is_err();
        self.infinite |= matches!(shape, Shape::Whole | Shape::Float) && float(text).is_none();
    }

    fn kind(&self) -> Kind {
        match self.shapes.common() {
            Some(Type::Bool) => Kind::Bool,
            Some(Type::Int) if !self.large => Kind::Int,
            Some(Type::Float64) if !self.infinite => Kind::Float,
            Some(Type::Text | Type::Null) => Kind::Text,
            _ => Kind::Json,
        }
    }
}

/// The nearest 64-bit float.
fn float(text: &str) -> Option<f64> {
    fast_float2::parse(text).ok().filter(|number: &f64| number.is_finite())
}

fn of_json(rows: &mut Rows, mut target: Target<'_>) -> Result<(), Error> {
    let mut number = 0;
    while let Some(row) = rows.next()? {
        number += 1;
        let members = objects(row.bytes(), number)?;
        let mut values = vec![None; target.names.len()];
        for (key, value) in &members {
            let at = target.names.find(key).ok_or_else(|| invalid(place(number), "the row has changed"))?;
            values[at] = Some(*value);
        }
        target.row(number, values.into_iter().map(|value| value.map_or(Value::Null, Value::Json)))?;
    }
    target.end()
}

/// A value of a row.
enum Value<'v> {
    /// Null, or a key that the object lacks.
    Null,
    /// A field of CSV or TSV, without its quotes.
    Field(Cow<'v, [u8]>),
    /// A JSON value, which may be null.
    Json(&'v RawValue),
}

impl<'v> Value<'v> {
    fn of(field: RawField<'v>) -> Self {
        if field.bytes().is_empty() { Self::Null } else { Self::Field(field.text()) }
    }

    /// The characters of a string, and the JSON of any other value. `None` is null.
    fn text(&self) -> Result<Option<Cow<'_, [u8]>>, String> {
        Ok(match self {
            Self::Null => None,
            Self::Field(text) => Some(Cow::Borrowed(&**text)),
            Self::Json(json) => match Shape::of(json.get()) {
                Shape::Null => None,
                Shape::Text => Some(string(json.get())?),
                _ => Some(Cow::Borrowed(json.get().as_bytes())),
            },
        })
    }
}

fn utf8(text: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(text).map_err(|_| "the value is not UTF-8 (give --encoding)".to_owned())
}

/// The file that is written.
struct Target<'o> {
    names: Names,
    to: To<'o>,
}

enum To<'o> {
    Csv {
        out: &'o mut (dyn Write + Send),
        line: Vec<u8>,
    },
    /// With the key of each column as JSON.
    JsonLines {
        out: &'o mut (dyn Write + Send),
        line: Vec<u8>,
        keys: Vec<Vec<u8>>,
    },
    Parquet(Box<Table<'o>>),
}

impl<'o> Target<'o> {
    fn new(
        to: Format,
        names: Names,
        kinds: &[Kind],
        has_header: bool,
        out: &'o mut (dyn Write + Send),
    ) -> Result<Self, Error> {
        if let (true, Some(name)) = (to != Format::Csv, names.repeated()) {
            let wrong =
                format!("two columns are named {name:?}, but their names must differ in {}", to.title());
            return Err(invalid("the output".into(), &wrong));
        }
        let to = match to {
            Format::Csv => {
                let mut line = Vec::new();
                if has_header && !names.is_empty() {
                    csv_header(names.iter().map(|name| &name[..]), &mut line);
                    out.write_all(&line).map_err(output)?;
                }
                To::Csv { out, line }
            }
            Format::JsonLines => {
                let key = |name: &String| {
                    let mut key = Vec::new();
                    json_text(name, &mut key);
                    key
                };
                To::JsonLines { out, line: Vec::new(), keys: names.iter().map(key).collect() }
            }
            _ => To::Parquet(Box::new(Table::new(&names, kinds, out)?)),
        };
        Ok(Self { names, to })
    }

    /// Writes a row. `number` counts the rows from 1.
    fn row<'v>(&mut self, number: u64, values: impl Iterator<Item = Value<'v>>) -> Result<(), Error> {
        let names = &self.names;
        let wrong = |column: usize, wrong: String| {
            invalid(place(number), &format!("column {:?}: {wrong}", names[column]))
        };
        match &mut self.to {
            To::Csv { out, line } => {
                line.clear();
                for (column, value) in values.enumerate() {
                    if column > 0 {
                        line.push(b',');
                    }
                    if let Some(text) = value.text().map_err(|why| wrong(column, why))? {
                        csv_text(&text, line);
                    }
                }
                if line.is_empty() {
                    let why = "null in the only column would be an empty line, which is not a row of CSV";
                    return Err(invalid(place(number), why));
                }
                line.push(b'\n');
                out.write_all(line).map_err(output)
            }
            To::JsonLines { out, line, keys } => {
                line.clear();
                for (column, (key, value)) in keys.iter().zip(values).enumerate() {
                    line.push(if column == 0 { b'{' } else { b',' });
                    line.extend_from_slice(key);
                    line.push(b':');
                    match value {
                        Value::Null => line.extend_from_slice(b"null"),
                        Value::Json(json) => line.extend_from_slice(json.get().as_bytes()),
                        Value::Field(text) => {
                            json_text(utf8(&text).map_err(|why| wrong(column, why))?, line);
                        }
                    }
                }
                line.extend_from_slice(if keys.is_empty() { b"{}\n" } else { b"}\n" });
                out.write_all(line).map_err(output)
            }
            To::Parquet(table) => {
                for (column, value) in values.enumerate() {
                    table.push(column, &value).map_err(|why| wrong(column, why))?;
                }
                table.end_row()
            }
        }
    }

    fn end(self) -> Result<(), Error> {
        match self.to {
            To::Csv { .. } | To::JsonLines { .. } => Ok(()),
            To::Parquet(table) => table.end(),
        }
    }
}

/// The kind of the values of a Parquet column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Float,
    Text,
    /// Strings that are JSON values.
    Json,
}

/// A Parquet file.
struct Table<'o> {
    writer: ArrowWriter<&'o mut (dyn Write + Send)>,
    schema: Arc<Schema>,
    columns: Vec<Builder>,
    /// The number of rows in the builders, and about the number of their bytes.
    rows: usize,
    bytes: usize,
}

enum Builder {
    Bool(BooleanBuilder),
    Int(Int64Builder),
    Float(Float64Builder),
    Text(StringBuilder),
    Json(StringBuilder),
}

impl Builder {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Bool => Self::Bool(BooleanBuilder::new()),
            Kind::Int => Self::Int(Int64Builder::new()),
            Kind::Float => Self::Float(Float64Builder::new()),
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Json => Self::Json(StringBuilder::new()),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Bool(_) => DataType::Boolean,
            Self::Int(_) => DataType::Int64,
            Self::Float(_) => DataType::Float64,
            Self::Text(_) | Self::Json(_) => DataType::Utf8,
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Bool(values) => Arc::new(values.finish()),
            Self::Int(values) => Arc::new(values.finish()),
            Self::Float(values) => Arc::new(values.finish()),
            Self::Text(values) | Self::Json(values) => Arc::new(values.finish()),
        }
    }
}

/// The maximum number of rows and of bytes in the builders.
const ROWS: usize = 1 << 13;
const BYTES: usize = 16 << 20;

/// The maximum number of rows and of bytes in a row group, which is in memory while it is written.
const GROUP_ROWS: usize = 1 << 20;
const GROUP_BYTES: usize = 64 << 20;

impl<'o> Table<'o> {
    fn new(names: &Names, kinds: &[Kind], out: &'o mut (dyn Write + Send)) -> Result<Self, Error> {
        let columns: Vec<Builder> = kinds.iter().map(|kind| Builder::new(*kind)).collect();
        let field = |(name, column): (&String, &Builder)| Field::new(name, column.data_type(), true);
        let schema = Arc::new(Schema::new(names.iter().zip(&columns).map(field).collect::<Vec<_>>()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            .build();
        let writer =
            ArrowWriter::try_new(out, schema.clone(), Some(properties)).map_err(|error| unwritten(&error))?;
        Ok(Self { writer, schema, columns, rows: 0, bytes: 0 })
    }

    fn push(&mut self, column: usize, value: &Value<'_>) -> Result<(), String> {
        let of_another_kind = || "the value has changed".to_owned();
        let text = value.text()?;
        self.bytes += text.as_ref().map_or(0, |text| text.len());
        let text = text.as_deref().map(utf8).transpose()?;
        match (&mut self.columns[column], value, text) {
            (Builder::Bool(values), _, None) => values.append_null(),
            (Builder::Int(values), _, None) => values.append_null(),
            (Builder::Float(values), _, None) => values.append_null(),
            (Builder::Text(values) | Builder::Json(values), _, None) => values.append_null(),
            (Builder::Bool(values), _, Some(text)) => values.append_value(text == "true"),
            (Builder::Int(values), _, Some(text)) => {
                values.append_value(text.parse().map_err(|_| of_another_kind())?);
            }
            (Builder::Float(values), _, Some(text)) => {
                values.append_value(float(text).ok_or_else(of_another_kind)?);
            }
            (Builder::Json(values), Value::Json(json), Some(_)) => values.append_value(json.get()),
            (Builder::Text(values) | Builder::Json(values), _, Some(text)) => values.append_value(text),
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), Error> {
        self.rows += 1;
        if self.rows == ROWS || self.bytes >= BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.rows == 0 {
            return Ok(());
        }
        (self.rows, self.bytes) = (0, 0);
        let columns = self.columns.iter_mut().map(Builder::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| unwritten(&error))?;
        self.writer.write(&batch).map_err(|error| unwritten(&error))
    }

    fn end(mut self) -> Result<(), Error> {
        self.flush()?;
        self.writer.close().map(drop).map_err(|error| unwritten(&error))
    }
}

fn unwritten(error: &dyn Display) -> Error {
    invalid("the output".into(), &format!("can't be written as Parquet: {error}"))
}

/// The place of a row, counted from 1, in messages. Its line in the input is not known.
fn place(number: u64) -> String {
    format!("row {number} of the output")
}
