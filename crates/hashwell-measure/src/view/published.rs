//! Figures that were published in 2018, when git chose its hash, compared with those of this machine.

use super::figures::{Unit, cell, duel, is_ours, long_size, plain_bytes, provider, quartiles, rows, sizes};
use crate::report::{Group, Operation, Report, Row, Standing};
use hashwell_document::chart;
use hashwell_document::table::{Align, Table};
use serde::Deserialize;

/// The contents of the data file.
#[derive(Clone, Debug, Deserialize)]
pub struct Published {
    /// The author, and the place of publication.
    pub source: String,
    /// The method of measurement.
    pub note: String,
    /// One table for each machine.
    pub tables: Vec<PublishedTable>,
}

/// The figures of one machine.
#[derive(Clone, Debug, Deserialize)]
pub struct PublishedTable {
    /// The name of the machine.
    pub machine: String,
    /// The unit of the figures.
    pub unit: PublishedUnit,
    /// Message sizes in bytes; `None` means long messages.
    pub sizes: Vec<Option<u64>>,
    /// The rows, in the order of the source.
    pub rows: Vec<PublishedRow>,
}

/// Units of published figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum PublishedUnit {
    /// KiB per second; larger is better.
    #[serde(rename = "KiB/s")]
    KibPerSecond,
    /// Cycles per byte; smaller is better.
    #[serde(rename = "cycles/byte")]
    CyclesPerByte,
}

/// The figures of one algorithm.
#[derive(Clone, Debug, Deserialize)]
pub struct PublishedRow {
    /// The name as published.
    pub name: String,
    /// The registry's name of the algorithm.
    pub algorithm: String,
    /// The library, if named.
    #[serde(default)]
    pub provider: Option<String>,
    /// True if several threads were used.
    #[serde(default)]
    pub threaded: bool,
    /// One figure for each size.
    pub figures: Vec<f64>,
}

/// The figures of 2018.
///
/// # Panics
/// Never panics, because the file is built in.
#[must_use]
pub fn published() -> Published {
    serde_json::from_str(include_str!("../../data/published-2018.json")).expect("the built-in file")
}

/// A table for each of the three machines. Each published row is followed by the results of the same library and of
/// hashwell on this machine.
#[must_use]
pub fn tables(report: &Report) -> Vec<Table> {
    let published = published();
    let mut tables: Vec<Table> = published.tables.iter().map(|table| beside(report, table)).collect();
    if let Some(last) = tables.last_mut() {
        last.notes.push(format!("Source of the published figures: {}. {}", published.source, published.note));
    }
    tables
}

fn beside(report: &Report, theirs: &PublishedTable) -> Table {
    let unit = match theirs.unit {
        PublishedUnit::KibPerSecond => Unit::KibPerSecond,
        PublishedUnit::CyclesPerByte => Unit::CyclesPerByte,
    };
    let (words, head): (_, fn(f64) -> String) = match theirs.unit {
        PublishedUnit::KibPerSecond => ("KiB/s", chart::bytes),
        PublishedUnit::CyclesPerByte => ("cycles per byte", plain_bytes),
    };
    let heads = theirs.sizes.iter().map(|s| s.map_or_else(|| "long".to_owned(), |s| head(s as f64)));
    let mut table =
        Table::new(format!("Published in 2018, {words}: {}", theirs.machine), "Implementation", heads);
    table.head.insert(1, ("measured".into(), Align::Left));
    for row in in_order(theirs) {
        let written =
            |f: &f64| if unit == Unit::KibPerSecond { chart::number(*f) } else { format!("{f:.2}") };
        let figures = row.figures.iter().map(written);
        table.rows.push([titled(row), "2018".into()].into_iter().chain(figures).collect());
        for here in counterparts(report, row) {
            let figures = theirs.sizes.iter().zip(&row.figures);
            let figures = figures.map(|(size, old)| with_factor(report, here, *size, *old, unit));
            let who = format!("here: {}", provider(here));
            table.rows.push([String::new(), who].into_iter().chain(figures).collect());
        }
    }
    table.notes = vec![
        "×: speed on this machine divided by the published speed, without a confidence interval.".into(),
    ];
    if theirs.sizes.contains(&None) {
        let rows = rows(report, Group::Single, Operation::Digest);
        let long = long_size(&rows).map_or_else(|| "not measured".into(), |s| chart::bytes(s as f64));
        table.notes.push(format!("long: here {long}."));
    }
    table
}

/// The rows in the published order, except that broken algorithms come last.
pub(crate) fn in_order(table: &PublishedTable) -> Vec<&PublishedRow> {
    let mut rows: Vec<&PublishedRow> = table.rows.iter().collect();
    rows.sort_by_key(|row| Standing::of(&row.algorithm));
    rows
}

/// The title of a published row, such as `SHA-1 (OpenSSL), broken`.
pub(crate) fn titled(row: &PublishedRow) -> String {
    Standing::of(&row.algorithm).titled(&row.name)
}

/// The figure of this machine, and the factor by which it is better than the published figure, such as `1234 (×1.23)`.
/// Empty if the row was not measured.
fn with_factor(report: &Report, row: &Row, size: Option<u64>, old: f64, unit: Unit) -> String {
    let size = size.or_else(|| long_size(&[row]));
    let found = size.and_then(|size| cell(row, size));
    let Some((written, cost)) = found.and_then(|c| unit.written(report, c).zip(unit.cost(report, c))) else {
        return String::new();
    };
    let factor = if unit == Unit::KibPerSecond { 1.0 / cost / old } else { old / cost };
    format!("{written} (×{factor:.2})")
}

/// The rows of this report for the same algorithm: one of the same library (or of the fastest peer, if no library is
/// named), and those of hashwell. Libraries that start threads are only compared with published figures for several
/// threads, even if their threads share one core.
pub(crate) fn counterparts<'a>(report: &'a Report, published: &PublishedRow) -> Vec<&'a Row> {
    let group = if published.threaded { Group::Threaded } else { Group::Single };
    let rows: Vec<&Row> = report
        .rows
        .iter()
        .filter(|row| row.algorithm == published.algorithm && row.operation == Operation::Digest)
        .filter(|row| row.group == group && (row.threads > 1) == published.threaded)
        .collect();
    let same = |row: &&Row, name: &str| row.provider.eq_ignore_ascii_case(name);
    let theirs = match &published.provider {
        Some(name) => rows
            .iter()
            .copied()
            .filter(|row| same(row, name))
            .min_by(|a, b| shortest(a).total_cmp(&shortest(b))),
        None => {
            let size = sizes(&rows).last().copied();
            let found =
                size.and_then(|size| duel(report, &rows, &published.algorithm, size)).map(|(_, peer)| peer);
            found.or_else(|| rows.iter().copied().find(|row| !is_ours(row)))
        }
    };
    theirs.into_iter().chain(rows.iter().copied().filter(|row| is_ours(row))).collect()
}

/// The median time of the longest message, to choose among several functions of one library.
fn shortest(row: &Row) -> f64 {
    row.cells.last().map_or(f64::INFINITY, |cell| quartiles(cell).median)
}
