//! Determines the columns of all rows, their order, and the types that text is parsed as.

use super::found::{Found, Of, look};
use super::place::{Place, Reading};
use crate::options::table_args::ReadingOptions;
use crate::system::report::{Failure, complain};
use hashwell_arrow::Field;
use hashwell_table::{Columns, Order};
use hashwell_text_table::Type;
use hashwell_text_table::names::{Names, is_too_sparse};
use hashwell_text_table::read::Nulls;
use hashwell_text_table::read::json::Shapes;
use indicatif::HumanCount;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;

/// The files of one table.
pub(super) struct Side {
    pub(super) files: Vec<(Place, Found)>,
}

impl Side {
    /// Opens the files. For `numbers_names`, see [`look`].
    pub(super) fn open(
        names: &[OsString],
        reading: &Reading<'_>,
        numbers_names: bool,
    ) -> Result<Self, Failure> {
        let file = |name| {
            let place = Place::open(name, reading)?;
            let found = look(&place, numbers_names)?;
            Ok((place, found))
        };
        Ok(Self { files: names.iter().map(file).collect::<Result<_, Failure>>()? })
    }

    /// Renames columns to names of the other table; each text is `OLD=NEW`.
    pub(super) fn rename(&mut self, given: &[String], other: &Self) -> Result<(), Failure> {
        let (mut pairs, mut renamed): (Vec<(&str, &str)>, _) = (Vec::new(), HashSet::new());
        for text in given {
            let fail = |what: &str| Failure::Usage(format!("--rename {text}: {what}"));
            let parts = text.rsplit_once('=').filter(|(old, new)| !old.is_empty() && !new.is_empty());
            let (old, new) = parts.ok_or_else(|| fail("expected OLD=NEW"))?;
            for (side, name) in [(&*self, old), (other, new)] {
                if !side.has(name) && !side.is_without_columns() {
                    return Err(fail(&format!("there is no column {name:?} in {}", side.label())));
                }
            }
            if !renamed.insert(old) {
                return Err(fail(&format!("the column {old:?} is already renamed")));
            }
            pairs.push((old, new));
        }
        for (place, found) in &mut self.files {
            found.rename(&pairs).map_err(|what| place.fail(&what))?;
        }
        Ok(())
    }

    /// Returns true if no file has a column, for example if all files are empty. Such a table has no rows either,
    /// unless they are empty JSON objects.
    pub(super) fn is_without_columns(&self) -> bool {
        self.files.iter().all(|(_, found)| found.names.is_empty())
    }

    /// The name of the table in messages.
    pub(super) fn label(&self) -> String {
        match &self.files[..] {
            [(place, _)] => place.name.clone(),
            [(place, _), others @ ..] => {
                format!(
                    "{} and {} more file{}",
                    place.name,
                    others.len(),
                    if others.len() == 1 { "" } else { "s" }
                )
            }
            [] => String::new(),
        }
    }

    /// The size in bytes on disk.
    pub(super) fn len(&self) -> u64 {
        self.files.iter().map(|(place, _)| place.len()).sum()
    }

    /// Checks that no file has changed since it was opened.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.files.iter().try_for_each(|(place, _)| place.check())
    }

    /// The files with a header or a schema, which defines all their columns.
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

    /// The columns of the table. Files with a header or a schema have all of them; JSON files may have only some.
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

/// Lists the names that only the first table has, if there are any.
fn only(these: &[&String], others: &[&String]) -> Option<String> {
    let others: BTreeSet<_> = others.iter().collect();
    let only: Vec<&str> =
        these.iter().filter(|name| !others.contains(name)).map(|name| name.as_str()).collect();
    (!only.is_empty()).then(|| only.join(", "))
}

fn only_in(these: &[&String], others: &[&String], label: &str) -> Option<String> {
    only(these, others).map(|only| format!("only in {label}: {only}"))
}

/// The settings for reading all files.
pub(super) struct Plan {
    /// The names of the columns, in the order in which a row has them.
    pub(super) names: Names,
    /// The type that the text in each column is parsed as.
    pub(super) types: Vec<Type>,
    /// For each column, true if `--types` gives its type. All values of the column are then converted to this type.
    pub(super) is_given: Vec<bool>,
    /// The fields of CSV and TSV that count as null.
    pub(super) nulls: Nulls,
    pub(super) order: Order,
    pub(super) columns: Columns,
}

impl Plan {
    /// Makes the plan for one table, or for two that are compared, without the columns that `--ignore` names.
    pub(super) fn of(sides: &[&Side], options: &ReadingOptions, ignored: &[&str]) -> Result<Self, Failure> {
        let mut names = match (sides, &options.columns[..]) {
            // If there are two tables, `differing_columns` has checked that their columns are the same.
            ([first, ..], []) => first.columns()?.into_iter().cloned().collect(),
            (_, given) => chosen(sides, &cut(given, |name| sides.iter().any(|side| side.has(name))))?,
        };
        names.retain(|name| !ignored.contains(&&name[..]));
        let order = if options.ordered_columns { Order::Declared } else { Order::Name };
        if order == Order::Name {
            names.sort_unstable();
        }
        Self::with(sides, names, order, options)
    }

    /// Makes the plan for these columns in this order.
    pub(super) fn with(
        sides: &[&Side],
        names: Vec<String>,
        order: Order,
        options: &ReadingOptions,
    ) -> Result<Self, Failure> {
        let names = Names::new(names);
        check_size(sides, &names)?;
        let given = by_hand(&options.types, &names)?;
        let types = types(sides, &names, &given)?;
        let is_given = names.iter().map(|name| given.contains_key(&name[..])).collect();
        let fields = names.iter().map(|name| Field::new(name, "n", vec![], None)).collect::<Result<_, _>>();
        let columns = fields
            .and_then(|fields| Field::new("", "+s", fields, None))
            .map_err(hashwell_table::Error::from)
            .and_then(|field| Columns::new(&field, None, order))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { names, types, is_given, nulls: Nulls::of(&options.null), order, columns })
    }

    /// The type that the values of a column have after a file was read. `None` if the file has no such values.
    fn type_in<'t>(&'t self, found: &'t Found, column: usize) -> Option<&'t Type> {
        match &found.of {
            Of::Table(types) if !self.is_given[column] => {
                Some(&types[found.names.find(&self.names[column])?])
            }
            Of::Nothing => None,
            Of::Table(_) | Of::Texts | Of::Json(_) => Some(&self.types[column]),
        }
    }

    /// Returns true if the values of a column in a Parquet file are converted to the type that `--types` gives.
    pub(super) fn is_converted(&self, found: &Found, column: usize) -> bool {
        let Of::Table(types) = &found.of else { return false };
        let own = found.names.find(&self.names[column]).map(|at| &types[at]);
        self.is_given[column] && own != Some(&self.types[column])
    }
}

/// Rejects JSON Lines in which almost every value would be null.
fn check_size(sides: &[&Side], names: &Names) -> Result<(), Failure> {
    for (place, found) in sides.iter().flat_map(|side| &side.files) {
        let Of::Json(keys) = &found.of else { continue };
        if is_too_sparse(keys.rows, names.len(), keys.bytes) {
            let (rows, columns) = (HumanCount(keys.rows), HumanCount(names.len() as u64));
            return Err(place.fail(&format!(
                "the {rows} rows would have {columns} columns, and almost all values would be null, because most \
                 objects lack most keys (if some keys are data, such as IDs, select columns with --columns NAME,…)"
            )));
        }
    }
    Ok(())
}

/// Splits the values of an option at commas. A value for which `is_one` is true, such as the name of a column with a
/// comma, is not split.
pub(super) fn cut(given: &[String], is_one: impl Fn(&str) -> bool) -> Vec<&str> {
    let each = |text| if is_one(text) { vec![text] } else { text.split(',').collect() };
    given.iter().map(String::as_str).flat_map(each).collect()
}

/// The columns that an option of a comparison names. Each must be in at least one of the tables, unless both are empty
/// files, and must not be named twice.
pub(super) fn listed<'o>(
    option: &str,
    given: &'o [String],
    sides: [&Side; 2],
) -> Result<Vec<&'o str>, Failure> {
    let has_columns = sides.iter().any(|side| !side.is_without_columns());
    let is_there = |name: &str| !has_columns || sides.iter().any(|side| side.has(name));
    let (names, mut before) = (cut(given, is_there), HashSet::new());
    for name in &names {
        if !is_there(name) {
            let [a, b] = sides.map(Side::label);
            return Err(Failure::Usage(format!("{option}: there is no column {name:?} in {a} or {b}")));
        }
        if !before.insert(*name) {
            return Err(Failure::Usage(format!("{option}: the column {name:?} is named twice")));
        }
    }
    Ok(names)
}

/// Rejects columns that `--ignore` and another option name.
pub(super) fn check_ignored(ignored: &[&str], option: &str, others: &[&str]) -> Result<(), Failure> {
    let others: HashSet<&str> = others.iter().copied().collect();
    match ignored.iter().find(|name| others.contains(*name)) {
        Some(name) => Err(Failure::Usage(format!("--ignore: the column {name:?} is also in {option}"))),
        None => Ok(()),
    }
}

/// The columns that the options name. Every table must have them.
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

/// Describes the columns that only one of two tables has, without the ignored ones.
pub(super) fn differing_columns(a: &Side, b: &Side, ignored: &[&str]) -> Result<Option<String>, Failure> {
    let [mut these, mut those] = [a.columns()?, b.columns()?];
    let ignored: HashSet<&str> = ignored.iter().copied().collect();
    for columns in [&mut these, &mut those] {
        columns.retain(|name| !ignored.contains(&name[..]));
    }
    let here = only_in(&these, &those, &a.label());
    let there = only_in(&those, &these, &b.label());
    let both: Vec<String> = here.into_iter().chain(there).collect();
    Ok((!both.is_empty()).then(|| both.join("; ")))
}

/// The columns of two tables that are compared, in the order of each table. The orders differ.
pub(super) struct Orders {
    labels: [String; 2],
    pub(super) names: [Vec<String>; 2],
}

impl Orders {
    /// Compares the orders of the columns for which `is_compared` is true and which both tables have. Every file with a
    /// header or a schema is compared with the first table. Returns `None` if the orders are the same.
    pub(super) fn differing(
        a: &Side,
        b: &Side,
        is_compared: impl Fn(&str) -> bool,
    ) -> Result<Option<Self>, Failure> {
        let (first, second) = (a.columns()?, b.columns()?);
        let files = [a, b].into_iter().flat_map(Side::fixed);
        let files = files.map(|(place, found)| (place.name.clone(), found.names.iter().collect::<Vec<_>>()));
        let label = a.files.first().map_or_else(String::new, |(place, _)| place.name.clone());
        for (name, columns) in std::iter::once((b.label(), second)).chain(files) {
            let [these, those]: [HashSet<_>; 2] =
                [&first, &columns].map(|names| names.iter().copied().collect());
            let both = |name: &&&String| these.contains(*name) && those.contains(*name) && is_compared(name);
            let names = [&first, &columns]
                .map(|names| names.iter().filter(both).map(|name| (*name).clone()).collect::<Vec<_>>());
            if names[0] != names[1] {
                return Ok(Some(Self { labels: [label, name], names }));
            }
        }
        Ok(None)
    }

    /// The first two columns whose order differs.
    pub(super) fn line(&self) -> String {
        let [here, there] = &self.labels;
        let differs = self.names[0].iter().zip(&self.names[1]).find(|(a, b)| a != b);
        let (a, b) = differs.map_or(("", ""), |(a, b)| (&a[..], &b[..]));
        format!("order of columns: {a} before {b} in {here}, {b} before {a} in {there}")
    }
}

/// The type of each column: the type that the options give, the type in the first typed table, or the common type of
/// all JSON values. The default is text.
fn types(sides: &[&Side], names: &Names, given: &HashMap<&str, Type>) -> Result<Vec<Type>, Failure> {
    let files = || sides.iter().flat_map(|side| &side.files);
    let has = |wanted: fn(&Of) -> bool| files().any(|(_, found)| wanted(&found.of));
    let (texts, json) = (has(|of| matches!(of, Of::Texts)), has(|of| matches!(of, Of::Json(_))));
    let mut taken: Option<(&str, Vec<String>)> = None;
    let mut types = Vec::with_capacity(names.len());
    for name in names.iter() {
        if let Some(given) = given.get(name.as_str()) {
            types.push(given.clone());
            continue;
        }
        // A column of nulls says nothing about the type of the other values.
        let table = files().find_map(|(place, found)| match &found.of {
            Of::Table(types) => Some((&*place.name, types[found.names.find(name)?].clone())),
            _ => None,
        });
        let table = table.filter(|(_, of)| *of != Type::Null);
        let (from, of) = match table {
            Some(found) => found,
            None if texts && json => match of_values(files(), name)? {
                Type::Null => ("", Type::Text),
                of => ("the JSON lines", of),
            },
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
        complain(&format_args!("text fields are parsed with the types of {from}: {}", some(&columns)));
    }
    Ok(types)
}

/// Returns the first entries of a list, and the number of the others.
fn some(list: &[String]) -> String {
    const MOST: usize = 50;
    match list.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{} and {} more", list[..MOST].join(", "), HumanCount(more as u64)),
        _ => list.join(", "),
    }
}

/// The common type of all JSON values with this name.
fn of_values<'a>(files: impl Iterator<Item = &'a (Place, Found)>, name: &str) -> Result<Type, Failure> {
    let shapes = files.filter_map(|(_, found)| match &found.of {
        Of::Json(keys) => Some(keys.shapes[found.names.find(name)?]),
        _ => None,
    });
    let shapes = shapes.fold(Shapes::default(), Shapes::and);
    shapes.common().ok_or_else(|| {
        let kinds = shapes.names().join(", ");
        Failure::Work(format!(
            "column {name:?} has JSON values of several kinds ({kinds}): give --types {name}=TYPE to parse all text fields as \
             one type, or --types {name}=json to parse the fields of CSV as JSON"
        ))
    })
}

/// Parses the values of `--types`, each of them `name=type`.
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
        let of = of.ok_or_else(|| {
            Failure::Usage(format!("--types {text}: the type must be one of {}", Type::names()))
        })?;
        Ok((name, of))
    };
    let mut types = HashMap::new();
    for text in cut(given, |text| is_there(parts(text).0)) {
        let (name, of) = one(text)?;
        if types.insert(name, of).is_some() {
            return Err(Failure::Usage(format!("--types {text}: the column {name:?} already has a type")));
        }
    }
    Ok(types)
}

/// Returns true if a column has different types in two files, so that values that differ can have the same JSON text.
pub(super) fn types_differ(a: &Side, b: &Side, plan: &Plan) -> bool {
    (0..plan.names.len()).any(|column| {
        let files = a.files.iter().chain(&b.files);
        let mut types = files.filter_map(|(_, found)| plan.type_in(found, column));
        let first = types.next();
        types.any(|other| Some(other) != first)
    })
}

/// Describes the columns whose values belong to different classes in two tables, so that they can never be equal. Text
/// belongs to the class that `--types` gives it. Without `--types`, it belongs to the class of the column in the other
/// table. In a column with a tolerance, numbers of different classes can be equal.
pub(super) fn never_equal(
    a: &Side,
    b: &Side,
    plan: &Plan,
    has_tolerance: impl Fn(usize) -> bool,
) -> Vec<String> {
    let is_number = |class: &str| matches!(class, "exact numbers" | "floating point" | "text");
    let class = |side: &Side, column: usize| {
        let file = |(place, found): &(Place, Found)| {
            Some((place.name.clone(), plan.type_in(found, column)?.class()))
        };
        side.files.iter().find_map(file)
    };
    let unlike = |column: usize| {
        let ((first, here), (second, there)) = (class(a, column)?, class(b, column)?);
        let may_be_equal = has_tolerance(column) && is_number(here) && is_number(there);
        let differ = here != there && ![here, there].iter().any(|class| matches!(*class, "null" | "JSON"));
        let name = &plan.names[column];
        (differ && !may_be_equal).then(|| {
            format!("column {name:?} is {here} in {first} and {there} in {second}; these are never equal")
        })
    };
    (0..plan.names.len()).filter_map(unlike).collect()
}
