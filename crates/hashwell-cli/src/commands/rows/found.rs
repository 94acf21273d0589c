//! What columns a file has, and of what types, as far as it tells.

use super::json::{Shape, members};
use super::kind::Type;
use super::place::{Place, of_rows};
use crate::system::panics::caught;
use crate::system::report::Failure;
use hashwell_arrow::Reader;
use hashwell_rows::{BOM, Format, Rows};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;

/// The columns of a file.
pub(super) struct Found {
    /// In their order there; of JSON, in the order in which keys come.
    pub(super) names: Vec<String>,
    pub(super) of: Of,
}

/// Who tells types.
pub(super) enum Of {
    /// The file itself, of each column.
    Table(Vec<Type>),
    /// Nobody: all is text.
    Texts,
    /// Each value, and of each column which shapes there are.
    Json(Vec<Shapes>),
    /// A file of 0 bytes, which has neither columns nor rows.
    Nothing,
}

/// Shapes of the values that a key has.
#[derive(Clone, Copy, Default)]
pub(super) struct Shapes(u8);

impl Shapes {
    fn add(&mut self, shape: Shape) {
        self.0 |= 1 << shape as u8;
    }

    /// Those of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The one type that all values have.
    pub(super) fn common(self) -> Option<Type> {
        let only = |shapes: &[Shape]| {
            let allowed = shapes.iter().fold(1 << Shape::Null as u8, |sum, shape| sum | 1 << *shape as u8);
            self.0 & !allowed == 0
        };
        Some(match () {
            () if only(&[]) => Type::Null,
            () if only(&[Shape::Bool]) => Type::Bool,
            () if only(&[Shape::Whole]) => Type::Int,
            () if only(&[Shape::Whole, Shape::Float]) => Type::Float64,
            () if only(&[Shape::Text]) => Type::Text,
            () => return None,
        })
    }
}

/// Looks at a file: of CSV and TSV at the header, of Parquet at the schema, of JSON lines at all keys.
pub(super) fn look(place: &Place) -> Result<Found, Failure> {
    let found = match place.format {
        Format::Parquet => of_table(place)?,
        Format::JsonLines => of_json(place)?,
        _ => of_texts(place)?,
    };
    let mut names: Vec<&String> = found.names.iter().collect();
    names.sort_unstable();
    match names.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(place.fail(&format!("two columns have the name {:?}", two[0]))),
        None => Ok(found),
    }
}

/// A reader of a Parquet file.
pub(super) fn builder(place: &Place) -> Result<ParquetRecordBatchReaderBuilder<File>, Failure> {
    let file = place.file()?;
    of_parquet(place, || ParquetRecordBatchReaderBuilder::try_new(file))
}

/// What a reader of Parquet gives, which panics at some damaged files.
pub(super) fn of_parquet<T, E: Display>(
    place: &Place,
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T, Failure> {
    let fail = |why: &dyn Display| place.fail(&format!("not readable as Parquet: {why}"));
    let read = caught(read).ok_or_else(|| fail(&"the reader panicked"))?;
    read.map_err(|error| fail(&error))
}

fn of_table(place: &Place) -> Result<Found, Failure> {
    let builder = builder(place)?;
    let reader = of_parquet(place, || builder.with_limit(0).build())?;
    let reader = Reader::of_batches(Box::new(reader)).map_err(|error| place.fail(&error.to_string()))?;
    let columns = &reader.field().children;
    let names = columns.iter().map(|column| column.name.clone()).collect();
    Ok(Found { names, of: Of::Table(columns.iter().map(Type::of).collect()) })
}

fn of_texts(place: &Place) -> Result<Found, Failure> {
    let mut rows = Rows::open(std::slice::from_ref(&place.input), &place.options).map_err(of_rows)?;
    let name = |name: &[u8]| {
        let name = std::str::from_utf8(name).map(str::to_owned);
        name.map_err(|_| place.fail("the name of a column is not UTF-8"))
    };
    if let Some(names) = rows.names() {
        let names = names.iter().map(|bytes| name(bytes)).collect::<Result<_, _>>()?;
        return Ok(Found { names, of: Of::Texts });
    }
    let count = rows.next().map_err(of_rows)?.map(|row| row.fields().count());
    let of = if count.is_some() { Of::Texts } else { Of::Nothing };
    Ok(Found { names: (1..=count.unwrap_or(0)).map(|number| number.to_string()).collect(), of })
}

fn of_json(place: &Place) -> Result<Found, Failure> {
    let mut rows = Rows::open(std::slice::from_ref(&place.input), &place.options).map_err(of_rows)?;
    let mut names: Vec<String> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut shapes: Vec<Shapes> = Vec::new();
    while let Some(row) = rows.next().map_err(of_rows)? {
        let members = json_members(row.bytes());
        let members = members.map_err(|wrong| Failure::Work(format!("{}: {wrong}", row.place())))?;
        for (i, (key, value)) in members.iter().enumerate() {
            // Most rows have the first one's keys in the same order.
            let at = match names.get(i).filter(|name| *name == key) {
                Some(_) => i,
                None => *places.entry(key.to_string()).or_insert_with(|| {
                    names.push(key.to_string());
                    shapes.push(Shapes::default());
                    names.len() - 1
                }),
            };
            shapes[at].add(Shape::of(value.get()));
        }
    }
    Ok(Found { names, of: Of::Json(shapes) })
}

/// The members of a row of JSON lines.
pub(super) fn json_members(
    row: &[u8],
) -> Result<Vec<(std::borrow::Cow<'_, str>, &serde_json::value::RawValue)>, String> {
    members(row.strip_prefix(BOM).unwrap_or(row))
}
