//! The page of `hashwell.diff`.

use crate::boundary::errors::exception;
use crate::boundary::watch::Watch;
use crate::tables::read::{Choice, STEP, Source, from_table};
use hashwell_document::differences::{Changed, Differences, Facts, Single};
use hashwell_table::Order;
use hashwell_table::value::{EXCERPT, cells, shown_both_within, shown_text, shown_within, values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An error of a table, or of the interpreter.
struct Fault(PyErr);

impl From<hashwell_table::Error> for Fault {
    fn from(error: hashwell_table::Error) -> Self {
        Self(from_table(error))
    }
}

/// The bytes of each row of a table.
fn rows_of(table: &Bound<'_, PyAny>, names: &[String]) -> PyResult<Vec<Vec<u8>>> {
    let choice = Choice { names: Some(names.to_vec()), order: Order::Declared };
    let (mut source, mut watch) = (Source::of(table, &choice)?, Watch::new(None)?);
    let mut found = Vec::new();
    source.each(STEP, &mut watch, |rows, range| {
        let encoded = rows.encode(range, |_, slices| {
            found.extend(slices.iter().map(|row| row.to_vec()));
            Ok::<(), Fault>(())
        });
        encoded.map_err(|Fault(error)| error)
    })?;
    Ok(found)
}

/// The result of a comparison, without its rows.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Found {
    tables: [String; 2],
    verdict: String,
    rows: [u64; 2],
    /// Removed and added rows.
    singles: [u64; 2],
    changed: u64,
    tolerated: Option<u64>,
    keys: Vec<String>,
    columns: Vec<(String, u64)>,
    columns_only: [Vec<String>; 2],
    options: Vec<(String, String)>,
    most: u64,
}

/// Return an HTML page with the differences between two tables.
///
/// `singles` is two tables: the removed and the added rows. `changed` is two tables: the old and the new versions of
/// the changed rows. For each changed row, `differ` lists the columns that differ.
#[pyfunction(name = "_diff_page")]
fn diff_page(
    facts: Found,
    singles: [Bound<'_, PyAny>; 2],
    changed: [Bound<'_, PyAny>; 2],
    differ: Vec<Vec<usize>>,
) -> PyResult<String> {
    let names: Vec<String> =
        facts.keys.iter().chain(facts.columns.iter().map(|(name, _)| name)).cloned().collect();
    let keys = facts.keys.len();
    let text = |names: &[String]| names.iter().map(|name| shown_text(name)).collect::<Vec<_>>();
    let mut page = Differences::new(Facts {
        tables: facts.tables.map(|name| shown_text(&name)),
        verdict: facts.verdict,
        rows: facts.rows,
        singles: facts.singles,
        changed: facts.changed,
        tolerated: facts.tolerated,
        keys: text(&facts.keys),
        columns: facts.columns.iter().map(|(name, count)| (shown_text(name), *count)).collect(),
        columns_only: facts.columns_only.map(|names| text(&names)),
        options: facts.options,
        most: facts.most,
        ..Facts::default()
    });
    let [old, new] = changed;
    let (old, new) = (rows_of(&old, &names)?, rows_of(&new, &names)?);
    if old.len() != new.len() || old.len() != differ.len() {
        return Err(exception::<PyValueError>("the two tables have different numbers of changed rows"));
    }
    let shown = |row: &[u8]| {
        cells(&names, values(row)).map(|(_, value)| shown_within(value, EXCERPT)).collect::<Vec<_>>()
    };
    for ((old, new), differ) in old.iter().zip(&new).zip(&differ) {
        let mut key = shown(old);
        key.truncate(keys);
        let both: Vec<_> = cells(&names, values(old)).zip(cells(&names, values(new))).skip(keys).collect();
        let cells = differ.iter().filter_map(|column| both.get(*column)).map(|((name, old), (_, new))| {
            let [old, new] = shown_both_within(old, new, EXCERPT);
            [shown_text(name), old, new]
        });
        page.push_changed(Changed { key, cells: cells.collect(), ..Changed::default() });
    }
    for (side, table) in singles.iter().enumerate() {
        for row in rows_of(table, &names)? {
            page.push_single(side, Single { values: shown(&row), ..Single::default() });
        }
    }
    Ok(page.html())
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("_diff_page", wrap_pyfunction!(diff_page, module)?)
}
