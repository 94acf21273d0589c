//! The page of a comparison by key: `hashwell diff --key --html`.

use super::plan::Side;
use crate::options::table_args::{DiffOptions, Duplicates};
use crate::outputs::output::{check_not_input, check_place, write_file};
use crate::system::report::{Failure, one_line};
use hashwell_document::differences::{Changed, Differences, Facts, Single};
use hashwell_document::page::command_line;
use hashwell_table::value::{
    EXCERPT, cells, shown_both_within, shown_text, shown_typed, shown_within, values,
};
use std::path::PathBuf;

/// The default maximum number of rows of each kind.
const ROWS: u64 = 1000;

/// The page, and the file for it.
pub(super) struct Page {
    file: PathBuf,
    found: Differences,
}

impl Page {
    /// The maximum number of rows of each kind; 0 without `--html`.
    pub(super) fn most(options: &DiffOptions) -> u64 {
        options.html.as_ref().map_or(0, |_| options.show.unwrap_or(ROWS))
    }

    /// Returns the page, if the options ask for one, and checks that its file can be written.
    pub(super) fn of(
        options: &DiffOptions,
        sides: &[&Side; 2],
        keys: &[String],
        only: &[Vec<String>; 2],
    ) -> Result<Option<Self>, Failure> {
        let Some(file) = &options.html else { return Ok(None) };
        check_not_input("--html", file, options.files.iter().chain(&options.with))?;
        check_place(file)?;
        let shown = |names: &[String]| names.iter().map(|name| shown_text(name)).collect::<Vec<_>>();
        let facts = Facts {
            tables: sides.map(|side| one_line(&side.label())),
            keys: shown(keys),
            columns_only: [shown(&only[0]), shown(&only[1])],
            options: listed(options, keys),
            command: Some(one_line(&command_line(
                &std::env::args_os().map(|part| part.to_string_lossy().into_owned()).collect::<Vec<_>>(),
            ))),
            most: Self::most(options),
            ..Facts::default()
        };
        Ok(Some(Self { file: file.clone(), found: Differences::new(facts) }))
    }

    /// Adds a row that changed, with the cells that differ.
    pub(super) fn changed(
        &mut self,
        keys: &[String],
        old: &(String, Vec<u8>),
        new: &(String, Vec<u8>),
        changed: &[(&String, &[u8], &[u8])],
    ) {
        let cells = changed.iter().map(|(name, old, new)| {
            let [old, new] = shown_both_within(old, new, EXCERPT);
            [shown_text(name), old, new]
        });
        let row = Changed {
            key: row_shown(keys, &old.1),
            cells: cells.collect(),
            places: [&old.0, &new.0].map(|place| one_line(place)),
        };
        self.found.push_changed(row);
    }

    /// Adds a row that only one of the tables has. With `is_typed`, its values are shown with their types.
    pub(super) fn single(&mut self, side: usize, names: &[String], place: &str, row: &[u8], is_typed: bool) {
        let values = if is_typed { row_typed(names, row) } else { row_shown(names, row) };
        self.found.push_single(side, Single { values, place: one_line(place) });
    }

    /// Writes the page with its counts.
    pub(super) fn write<'c>(
        mut self,
        verdict: String,
        counts: Counts,
        columns: impl Iterator<Item = (&'c String, u64)>,
    ) -> Result<(), Failure> {
        self.found.facts.verdict = verdict;
        self.found.facts.rows = counts.rows;
        self.found.facts.singles = counts.only;
        self.found.facts.changed = counts.changed;
        self.found.facts.tolerated = counts.tolerated;
        self.found.facts.columns = columns.map(|(name, count)| (shown_text(name), count)).collect();
        write_file(&self.file, self.found.html().as_bytes())
    }
}

/// The numbers of rows.
pub(super) struct Counts {
    pub(super) rows: [u64; 2],
    /// The rows that only one of the tables has.
    pub(super) only: [u64; 2],
    pub(super) changed: u64,
    pub(super) tolerated: Option<u64>,
}

/// The first values of a row, one for each name.
fn row_shown(names: &[String], row: &[u8]) -> Vec<String> {
    cells(names, values(row)).map(|(_, value)| shown_within(value, EXCERPT)).collect()
}

/// Same as [`row_shown`], but with the types of values that are not too long.
fn row_typed(names: &[String], row: &[u8]) -> Vec<String> {
    let typed = |value| Some(shown_typed(value)).filter(|shown| shown.len() <= EXCERPT);
    let cells = cells(names, values(row));
    cells.map(|(_, value)| typed(value).unwrap_or_else(|| shown_within(value, EXCERPT))).collect()
}

/// The options that decide which rows and cells are equal.
fn listed(options: &DiffOptions, keys: &[String]) -> Vec<(String, String)> {
    let names = |given: &[String]| given.iter().map(|name| shown_text(name)).collect::<Vec<_>>().join(", ");
    let is = |given: bool| if given { "yes" } else { "no" }.to_owned();
    let repeated = match options.duplicates {
        Duplicates::Error => "an error",
        Duplicates::Multiset => "equal rows are paired, and all others are added or removed rows",
    };
    let all = [
        ("Key columns (--key)", keys.iter().map(|name| shown_text(name)).collect::<Vec<_>>().join(", ")),
        ("Columns (--columns)", names(&options.reading.columns)),
        ("Ignored columns (--ignore)", names(&options.ignore)),
        ("Column order is compared (--ordered-columns)", is(options.reading.ordered_columns)),
        ("Renamed columns (--rename)", names(&options.rename)),
        ("Types of columns (--types)", names(&options.reading.types)),
        ("Fields that are null (--null)", names(&options.reading.null)),
        ("Tolerance for numbers (--tolerance)", options.tolerance.join(", ")),
        ("Upper and lower case are ignored (--ignore-case)", is(options.ignore_case)),
        ("Spaces at the ends are ignored (--trim)", is(options.trim)),
        ("Repeated keys (--duplicates)", repeated.to_owned()),
    ];
    let given = all.into_iter().filter(|(_, value)| !value.is_empty());
    given.map(|(name, value)| (name.to_owned(), one_line(&value))).collect()
}
