//! The columns of a file, and their types as far as the file states them.

use super::place::Place;
use crate::options::form_args::hint;
use crate::system::panics::caught;
use crate::system::report::{Failure, complain};
use hashwell_arrow::Reader;
use hashwell_rows::{BOM, Format, Rows};
use hashwell_text_table::Type;
use hashwell_text_table::names::{MAX, Names};
use hashwell_text_table::read::json::{Shape, Shapes, members};
use hashwell_text_table::write::check_exact;
use indicatif::HumanCount;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;

/// The columns of a file.
pub(super) struct Found {
    /// The names in the file's order. For JSON, this is the order in which the keys first appear.
    pub(super) names: Names,
    pub(super) of: Of,
    /// The new names of columns, by their names in the file.
    pub(super) renamed: HashMap<String, String>,
}

impl Found {
    /// Renames all columns of these pairs that the file has, at the same time: two columns can swap their names.
    pub(super) fn rename(&mut self, pairs: &[(&str, &str)]) -> Result<(), String> {
        self.renamed = pairs.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
        self.names = Names::new(self.names.iter().map(|name| self.name(name).to_owned()).collect());
        self.names
            .repeated()
            .map_or(Ok(()), |name| Err(format!("--rename: there is already a column {name:?}")))
    }

    /// The current name of a column that is named `own` in the file.
    pub(super) fn name<'n>(&'n self, own: &'n str) -> &'n str {
        self.renamed.get(own).map_or(own, |new| new)
    }
}

/// The source of the types.
pub(super) enum Of {
    /// The file itself: the type of each column.
    Table(Vec<Type>),
    /// The values have no types: all of them are text.
    Texts,
    /// Each value has its own type.
    Json(Keys),
    /// A file of 0 bytes, which has neither columns nor rows.
    Nothing,
}

/// The values of JSON lines.
pub(super) struct Keys {
    /// The shapes of the values in each column.
    pub(super) shapes: Vec<Shapes>,
    pub(super) rows: u64,
    /// The size of the lines in bytes.
    pub(super) bytes: u64,
}

/// Reads the columns of a file: from the header (CSV and TSV), from the schema (Parquet), or from the keys of all lines
/// (JSON Lines).
///
/// With `numbers_names`, the second column of CSV and TSV with the name `x` is named `x#2`, and so on. Otherwise, two
/// columns with the same name are an error, as in other formats.
pub(super) fn look(place: &Place, numbers_names: bool) -> Result<Found, Failure> {
    let (mut names, of) = match place.format {
        Format::Parquet => of_table(place)?,
        Format::JsonLines => of_json(place)?,
        _ => of_texts(place)?,
    };
    if names.len() > MAX {
        let (count, most) = (HumanCount(names.len() as u64), HumanCount(MAX as u64));
        return Err(place.fail(&format!("the table has {count} columns: the limit is {most}")));
    }
    if numbers_names && matches!(of, Of::Texts) {
        number(&mut names, place);
    }
    let names = Names::new(names);
    match names.repeated() {
        Some(name) => Err(place.fail(&format!("two columns have the name {name:?}"))),
        None => Ok(Found { names, of, renamed: HashMap::new() }),
    }
}

/// Makes the names of columns unique: `x`, `x#2`, `x#3` and so on, from left to right.
fn number(names: &mut [String], place: &Place) {
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut first = None;
    for name in names {
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            first.get_or_insert_with(|| name.clone());
            *name = format!("{name}#{count}");
        }
    }
    if let Some(name) = first {
        complain(&format_args!(
            "{}: two columns have the name {name:?}: the second one is named {:?} here",
            place.name,
            format!("{name}#2")
        ));
    }
}

/// A reader of a Parquet file.
pub(super) fn builder(place: &Place) -> Result<ParquetRecordBatchReaderBuilder<File>, Failure> {
    let file = place.file()?;
    of_parquet(place, || ParquetRecordBatchReaderBuilder::try_new(file))
}

/// Runs a function of the Parquet reader, which panics on some damaged files.
pub(super) fn of_parquet<T, E: Display>(
    place: &Place,
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T, Failure> {
    let fail = |why: &dyn Display| place.fail(&format!("not readable as Parquet: {why}"));
    let read = caught(read).ok_or_else(|| fail(&"the file may be damaged"))?;
    read.map_err(|error| fail(&error))
}

fn of_table(place: &Place) -> Result<(Vec<String>, Of), Failure> {
    let builder = builder(place)?;
    let leaves = builder.parquet_schema().columns().to_vec();
    let reader = of_parquet(place, || builder.with_limit(0).build())?;
    let reader = Reader::of_batches(Box::new(reader)).map_err(|error| place.fail(&error.to_string()))?;
    let file = place.file()?;
    let exact = caught(|| check_exact(file, reader.field(), &leaves));
    exact
        .unwrap_or_else(|| Err("not readable as Parquet: the file may be damaged".to_owned()))
        .map_err(|wrong| place.fail(&wrong))?;
    let columns = &reader.field().children;
    let names = columns.iter().map(|column| column.name.clone()).collect();
    Ok((names, Of::Table(columns.iter().map(Type::of).collect())))
}

fn of_texts(place: &Place) -> Result<(Vec<String>, Of), Failure> {
    let mut rows =
        Rows::open(std::slice::from_ref(&place.input), &place.options).map_err(Failure::of_rows)?;
    let name = |name: &[u8]| {
        let name = std::str::from_utf8(name).map(str::to_owned);
        name.map_err(|_| place.fail("the name of a column is not UTF-8"))
    };
    hint(&place.name, &rows);
    if let Some(names) = rows.names() {
        let names = names.iter().map(|bytes| name(bytes)).collect::<Result<_, _>>()?;
        return Ok((names, Of::Texts));
    }
    let count = rows.next().map_err(Failure::of_rows)?.map(|row| row.fields().count());
    let of = if count.is_some() { Of::Texts } else { Of::Nothing };
    Ok(((1..=count.unwrap_or(0)).map(|number| number.to_string()).collect(), of))
}

fn of_json(place: &Place) -> Result<(Vec<String>, Of), Failure> {
    let mut rows =
        Rows::open(std::slice::from_ref(&place.input), &place.options).map_err(Failure::of_rows)?;
    let mut names: Vec<String> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut shapes: Vec<Shapes> = Vec::new();
    while let Some(row) = rows.next().map_err(Failure::of_rows)? {
        let members = json_members(row.bytes());
        let members = members.map_err(|wrong| Failure::Work(format!("{}: {wrong}", row.place())))?;
        for (i, (key, value)) in members.iter().enumerate() {
            // Most rows have the same keys as the first one, in the same order.
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
        if names.len() > MAX {
            let most = HumanCount(MAX as u64);
            let many = format!(
                "{}: the objects up to here have more than {most} different keys (perhaps some keys are data, \
                 such as IDs)",
                row.place()
            );
            return Err(Failure::Work(many));
        }
    }
    Ok((names, Of::Json(Keys { shapes, rows: rows.rows(), bytes: rows.bytes() })))
}

/// The members of a JSON Lines row.
pub(super) fn json_members(
    row: &[u8],
) -> Result<Vec<(std::borrow::Cow<'_, str>, &serde_json::value::RawValue)>, String> {
    members(row.strip_prefix(BOM).unwrap_or(row))
}
