//! Which columns all rows have, in what order, and as what their texts are read.

use super::found::{Found, Of, Shapes, look};
use super::place::Place;
use crate::options::table_args::ReadingOptions;
use crate::system::report::{Failure, complain};
use hashwell_arrow::Field;
use hashwell_table::{Columns, Order};
use hashwell_text_table::Type;
use hashwell_text_table::names::Names;
use hashwell_text_table::read::Nulls;
use indicatif::HumanCount;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;

/// The files of one table.
pub(super) struct Side {
    pub(super) files: Vec<(Place, Found)>,
}

impl Side {
    pub(super) fn open(names: &[OsString], options: &ReadingOptions) -> Result<Self, Failure> {
        let file = |name| {
            let place = Place::open(name, options)?;
            let found = look(&place)?;
            Ok((place, found))
        };
        Ok(Self { files: names.iter().map(file).collect::<Result<_, Failure>>()? })
    }

    /// Gives columns other names: `OLD=NEW` of each.
    pub(super) fn rename(&mut self, given: &[String]) -> Result<(), Failure> {
        for text in given {
            let parts = text.rsplit_once('=').filter(|(old, new)| !old.is_empty() && !new.is_empty());
            let (old, new) =
                parts.ok_or_else(|| Failure::Usage(format!("--rename {text}: expected OLD=NEW")))?;
            if !self.has(old) {
                let label = self.label();
                return Err(Failure::Usage(format!(
                    "--rename {text}: there is no column {old:?} in {label}"
                )));
            }
            for (place, found) in &mut self.files {
                found.rename(old, new).map_err(|what| place.fail(&what))?;
            }
        }
        Ok(())
    }

    /// Returns true if a header or a schema says which columns there are.
    pub(super) fn is_fixed(&self) -> bool {
        self.fixed().next().is_some()
    }

    /// Its name in messages.
    pub(super) fn label(&self) -> String {
        match &self.files[..] {
            [(place, _)] => place.name.clone(),
            [(place, _), others @ ..] => format!("{} and {} more", place.name, others.len()),
            [] => String::new(),
        }
    }

    /// Bytes on disk.
    pub(super) fn len(&self) -> u64 {
        self.files.iter().map(|(place, _)| place.len()).sum()
    }

    /// Checks that no file has changed since the beginning.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.files.iter().try_for_each(|(place, _)| place.check())
    }

    /// Files with a header or a schema, whose columns are all there are.
    fn fixed(&self) -> impl Iterator<Item = &(Place, Found)> {
        self.files.iter().filter(|(_, found)| matches!(found.of, Of::Texts | Of::Table(_)))
    }

    /// Returns true if a file has a column of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.iter().any(|(_, found)| found.names.find(name).is_some())
    }

    /// The keys of all JSON files.
    fn keys(&self) -> Vec<&String> {
        let json = self.files.iter().filter(|(_, found)| matches!(found.of, Of::Json(_)));
        let mut seen = BTreeSet::new();
        json.flat_map(|(_, found)| found.names.iter()).filter(|name| seen.insert(*name)).collect()
    }

    /// Its columns, which files with a header or a schema have all of, and JSON files some.
    pub(super) fn columns(&self) -> Result<Vec<&String>, Failure> {
        let mut fixed = self.fixed();
        let Some((first, columns)) = fixed.next() else { return Ok(self.keys()) };
        let columns: Vec<&String> = columns.names.iter().collect();
        let check = |name: &str, others: &[&String], all: bool| {
            let only =
                only(&columns, others).filter(|_| all).map(|only| format!("only in {}: {only}", first.name));
            let other = only_in(others, &columns, name);
            match (only, other) {
                (None, None) => Ok(()),
                (only, other) => {
                    let both: Vec<String> = only.into_iter().chain(other).collect();
                    Err(Failure::Work(format!("the columns differ: {}", both.join("; "))))
                }
            }
        };
        for (place, found) in fixed {
            check(&place.name, &found.names.iter().collect::<Vec<_>>(), true)?;
        }
        check("JSON lines", &self.keys(), false)?;
        Ok(columns)
    }
}

/// Names that the others do not have, in a list.
fn only(these: &[&String], others: &[&String]) -> Option<String> {
    let others: BTreeSet<_> = others.iter().collect();
    let only: Vec<&str> =
        these.iter().filter(|name| !others.contains(name)).map(|name| name.as_str()).collect();
    (!only.is_empty()).then(|| only.join(", "))
}

fn only_in(these: &[&String], others: &[&String], label: &str) -> Option<String> {
    only(these, others).map(|only| format!("only in {label}: {only}"))
}

/// How all files are read.
pub(super) struct Plan {
    /// Names, in the order of a row.
    pub(super) names: Names,
    /// The type as which the texts of each column are read.
    pub(super) types: Vec<Type>,
    /// Which fields of CSV and TSV are null.
    pub(super) nulls: Nulls,
    pub(super) order: Order,
    pub(super) columns: Columns,
}

impl Plan {
    /// For one table, or for two that are compared.
    pub(super) fn of(sides: &[&Side], options: &ReadingOptions) -> Result<Self, Failure> {
        Self::without(sides, options, &[])
    }

    /// Does what [`of`](Self::of) does, without the columns that `--ignore` names.
    pub(super) fn without(
        sides: &[&Side],
        options: &ReadingOptions,
        ignored: &[String],
    ) -> Result<Self, Failure> {
        let ignored = cut(ignored, |name| sides.iter().any(|side| side.has(name)));
        if let Some(name) = ignored.iter().find(|name| !sides.iter().any(|side| side.has(name))) {
            return Err(Failure::Usage(format!("--ignore: there is no column {name:?}")));
        }
        let mut names = match &options.columns[..] {
            [] if ignored.is_empty() => common(sides)?,
            [] => left(sides, &ignored)?,
            given => chosen(sides, &cut(given, |name| sides.iter().any(|side| side.has(name))))?,
        };
        names.retain(|name| !ignored.contains(&&name[..]));
        let order = if options.ordered_columns { Order::Declared } else { Order::Name };
        if order == Order::Name {
            names.sort_unstable();
        }
        Self::with(sides, names, order, options)
    }

    /// With these columns in this order.
    pub(super) fn with(
        sides: &[&Side],
        names: Vec<String>,
        order: Order,
        options: &ReadingOptions,
    ) -> Result<Self, Failure> {
        let names = Names::new(names);
        check_size(sides, &names)?;
        let types = types(sides, &names, options)?;
        let fields = names.iter().map(|name| Field::new(name, "n", vec![], None)).collect::<Result<_, _>>();
        let columns = fields
            .and_then(|fields| Field::new("", "+s", fields, None))
            .map_err(hashwell_table::Error::from)
            .and_then(|field| Columns::new(&field, None, order))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { names, types, nulls: Nulls::of(&options.null), order, columns })
    }
}

/// Refuses JSON lines of which almost every value is a key that is not there: a file of 1 MB can make rows of 10 GB.
fn check_size(sides: &[&Side], names: &[String]) -> Result<(), Failure> {
    /// Values that are never too many, and how many a byte of a file may make.
    const ALWAYS: u128 = 1 << 30;
    const A_BYTE: u128 = 64;
    for (place, found) in sides.iter().flat_map(|side| &side.files) {
        let Of::Json(keys) = &found.of else { continue };
        let values = u128::from(keys.rows) * names.len() as u128;
        if values > ALWAYS.max(A_BYTE * u128::from(keys.bytes)) {
            let (rows, columns) = (HumanCount(keys.rows), HumanCount(names.len() as u64));
            return Err(place.fail(&format!(
                "{rows} rows of {columns} columns, where almost every value is a key that is not there: are some keys \
                 data, such as ids? --columns NAME,… takes some of them"
            )));
        }
    }
    Ok(())
}

/// The columns of all sides. Between two they are equal, as [`differing_columns`] saw to.
fn common(sides: &[&Side]) -> Result<Vec<String>, Failure> {
    let with_columns = sides.iter().find(|side| side.fixed().next().is_some());
    let names = match with_columns {
        Some(side) => side.columns()?,
        None => {
            let mut seen = BTreeSet::new();
            sides.iter().flat_map(|side| side.keys()).filter(|name| seen.insert(*name)).collect()
        }
    };
    Ok(names.into_iter().cloned().collect())
}

/// The columns of two tables that are equal, without those that are ignored.
fn left(sides: &[&Side], ignored: &[&str]) -> Result<Vec<String>, Failure> {
    let columns = sides.iter().map(|side| side.columns()).collect::<Result<Vec<_>, _>>()?;
    let mut seen = BTreeSet::new();
    let mut names: Vec<String> = Vec::new();
    for name in columns.iter().flatten().filter(|name| !ignored.contains(&&name[..])) {
        if let Some((side, _)) =
            sides.iter().zip(&columns).find(|(side, columns)| side.is_fixed() && !columns.contains(name))
        {
            return Err(Failure::Work(format!("{}: there is no column {name:?}", side.label())));
        }
        if seen.insert(*name) {
            names.push((*name).clone());
        }
    }
    Ok(names)
}

/// The names in an option that takes several with commas between them. A text that `is_one` name is not cut.
pub(super) fn cut(given: &[String], is_one: impl Fn(&str) -> bool) -> Vec<&str> {
    let each = |text| if is_one(text) { vec![text] } else { text.split(',').collect() };
    given.iter().map(String::as_str).flat_map(each).collect()
}

/// The columns that the options name, which every table has.
fn chosen(sides: &[&Side], given: &[&str]) -> Result<Vec<String>, Failure> {
    for side in sides {
        for (place, found) in side.fixed() {
            if let Some(name) = given.iter().find(|name| found.names.find(name).is_none()) {
                return Err(place.fail(&format!("there is no column {name:?}")));
            }
        }
        if side.fixed().next().is_none() {
            let keys = side.keys();
            if let Some(name) = given.iter().find(|name| !keys.is_empty() && !side.has(name)) {
                return Err(Failure::Work(format!("{}: there is no column {name:?}", side.label())));
            }
        }
    }
    Ok(given.iter().map(ToString::to_string).collect())
}

/// In words, which columns only one of two tables has. A table of JSON lines lacks none: a key that is not there is null.
pub(super) fn differing_columns(a: &Side, b: &Side) -> Result<Option<String>, Failure> {
    let (these, those) = (a.columns()?, b.columns()?);
    let fixed = |side: &Side| side.fixed().next().is_some();
    let here = only_in(&these, &those, &a.label()).filter(|_| fixed(b));
    let there = only_in(&those, &these, &b.label()).filter(|_| fixed(a));
    let both: Vec<String> = here.into_iter().chain(there).collect();
    Ok((!both.is_empty()).then(|| both.join("; ")))
}

/// The type of each column: that of the options, of the first typed table, or of all JSON values, else text.
fn types(sides: &[&Side], names: &Names, options: &ReadingOptions) -> Result<Vec<Type>, Failure> {
    let given = by_hand(&options.types, names)?;
    let files = || sides.iter().flat_map(|side| &side.files);
    let has = |wanted: fn(&Of) -> bool| files().any(|(_, found)| wanted(&found.of));
    let (texts, json) = (has(|of| matches!(of, Of::Texts)), has(|of| matches!(of, Of::Json(_))));
    if !texts && !json {
        given.iter().try_for_each(|(name, of)| check_type(files(), name, of))?;
    }
    let mut taken: Option<(&str, Vec<String>)> = None;
    let mut types = Vec::with_capacity(names.len());
    for name in names.iter() {
        if let Some(given) = given.get(name.as_str()) {
            types.push(given.clone());
            continue;
        }
        let table = files().find_map(|(place, found)| match &found.of {
            Of::Table(types) => Some((&*place.name, types[found.names.find(name)?].clone())),
            _ => None,
        });
        let (from, of) = match table {
            Some(found) => found,
            None if texts && json => ("the JSON lines", of_values(files(), name)?),
            None => ("", if texts { Type::Text } else { Type::Any }),
        };
        if let (Some(what), true) = (of.unread(), texts || json) {
            return Err(Failure::Work(format!("column {name:?} {what}")));
        }
        if !from.is_empty() {
            taken.get_or_insert((from, Vec::new())).1.push(format!("{name} {}", of.name()));
        }
        types.push(of);
    }
    if let Some((from, columns)) = taken.filter(|_| texts || json) {
        complain(&format_args!("text fields are parsed by the types of {from}: {}", some(&columns)));
    }
    Ok(types)
}

/// Refuses another type than that of a table, where there are no texts that could be read as it.
fn check_type<'a>(
    mut files: impl Iterator<Item = &'a (Place, Found)>,
    name: &str,
    of: &Type,
) -> Result<(), Failure> {
    let other = |(place, found): &'a (Place, Found)| {
        let Of::Table(types) = &found.of else { return None };
        let own = &types[found.names.find(name)?];
        let narrower = (own, of) == (&Type::Float64, &Type::Float32);
        (own.class() != of.class() || narrower).then(|| (place.name.clone(), own.name()))
    };
    files.find_map(other).map_or(Ok(()), |(place, own)| {
        let of = of.name();
        Err(Failure::Usage(format!(
            "--types {name}={of}: it says how texts are read, and in {place}, which is Parquet, the column is {own}: \
             convert the file"
        )))
    })
}

/// Returns the first entries of a list, and the number of the others.
fn some(list: &[String]) -> String {
    const MOST: usize = 50;
    match list.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{} and {} more", list[..MOST].join(", "), HumanCount(more as u64)),
        _ => list.join(", "),
    }
}

/// The type that all JSON values of a name have.
fn of_values<'a>(files: impl Iterator<Item = &'a (Place, Found)>, name: &str) -> Result<Type, Failure> {
    let shapes = files.filter_map(|(_, found)| match &found.of {
        Of::Json(keys) => Some(keys.shapes[found.names.find(name)?]),
        _ => None,
    });
    let shapes = shapes.fold(Shapes::default(), Shapes::and);
    shapes.common().ok_or_else(|| {
        let kinds = shapes.names().join(", ");
        Failure::Work(format!(
            "column {name:?} has JSON values of several kinds ({kinds}): --types {name}=TYPE says how all texts are read, \
             --types {name}=json reads the fields of CSV as JSON"
        ))
    })
}

/// `name=type` of each.
fn by_hand<'a>(given: &'a [String], names: &Names) -> Result<HashMap<&'a str, Type>, Failure> {
    fn parts(text: &str) -> (&str, &str) {
        text.rsplit_once('=').unwrap_or((text, ""))
    }
    let is_there = |name: &str| names.find(name).is_some();
    let one = |text: &'a str| {
        let (name, of) = parts(text);
        if !is_there(name) {
            return Err(Failure::Usage(format!("--types {text}: there is no column {name:?}")));
        }
        let of = Type::find(of);
        let of = of.ok_or_else(|| Failure::Usage(format!("--types {text}: types are {}", Type::names())))?;
        Ok((name, of))
    };
    cut(given, |text| is_there(parts(text).0)).into_iter().map(one).collect()
}

/// Columns whose values are of two classes in two tables, so that none of them are equal; in words. Texts are of the class
/// that `--types` gives them; without it, they are of the other table's.
pub(super) fn never_equal(a: &Side, b: &Side, plan: &Plan) -> Vec<String> {
    let class = |side: &Side, column: usize| {
        side.files.iter().find_map(|(place, found)| match &found.of {
            Of::Table(types) => {
                Some((place.name.clone(), types[found.names.find(&plan.names[column])?].class()))
            }
            Of::Texts => Some((place.name.clone(), plan.types[column].class())),
            Of::Json(_) | Of::Nothing => None,
        })
    };
    let unlike = |column: usize| {
        let ((first, here), (second, there)) = (class(a, column)?, class(b, column)?);
        let differ = here != there && ![here, there].iter().any(|class| matches!(*class, "null" | "JSON"));
        let name = &plan.names[column];
        differ.then(|| {
            format!("column {name:?} is {here} in {first} and {there} in {second}, which are never equal")
        })
    };
    (0..plan.names.len()).filter_map(unlike).collect()
}
