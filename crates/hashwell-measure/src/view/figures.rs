//! The figures of a report's rows, in the units and words that tables, charts and comparisons share.

use crate::report::{CallRow, Cell, Group, Operation, Report, Row, Standing};
use crate::timing::statistics::{Estimate, Summary, paired, summary, unpaired};
use hashwell_document::chart;
use std::collections::{BTreeSet, HashSet};

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// GiB of hashed or read bytes per second.
    GibPerSecond,
    /// KiB of hashed or read bytes per second, as in the figures that were published in 2018 (`published.rs`).
    KibPerSecond,
    /// Core cycles per byte.
    CyclesPerByte,
    /// Ticks of the time-stamp counter per byte. The report has the rate of the counter in GHz.
    TicksPerByte,
    /// Nanoseconds of one message or read.
    Nanoseconds,
}

impl Unit {
    /// The factor from nanoseconds to the cost in this unit. For speeds, the cost is in seconds per GiB or KiB. `None`
    /// for an empty message if the unit is per byte.
    fn factor(self, report: &Report, cell: &Cell) -> Option<f64> {
        let bytes = (cell.bytes > 0).then_some(cell.bytes as f64);
        Some(match self {
            Self::GibPerSecond => 1e-9 * GIB / bytes?,
            Self::KibPerSecond => 1e-9 * 1024.0 / bytes?,
            Self::CyclesPerByte => cell.clock_ghz / bytes?,
            Self::TicksPerByte => report.machine.tsc_ghz? / bytes?,
            Self::Nanoseconds => 1.0,
        })
    }

    /// The median cost. Smaller is better.
    #[must_use]
    pub fn cost(self, report: &Report, cell: &Cell) -> Option<f64> {
        Some(quartiles(cell).median * self.factor(report, cell)?)
    }

    /// The median as it is written in tables.
    #[must_use]
    pub fn written(self, report: &Report, cell: &Cell) -> Option<String> {
        let cost = self.cost(report, cell)?;
        Some(match self {
            Self::GibPerSecond => gib_per_second(GIB / cost),
            Self::KibPerSecond => chart::number((1.0 / cost).round()),
            Self::CyclesPerByte | Self::TicksPerByte if cost >= 100.0 => format!("{cost:.1}"),
            Self::CyclesPerByte | Self::TicksPerByte => format!("{cost:.2}"),
            Self::Nanoseconds => format!("{cost:.1}"),
        })
    }
}

/// The number of bytes in a GiB.
pub const GIB: f64 = 1_073_741_824.0;

/// Formats bytes per second as GiB/s, without the unit: with two decimal places, or three for low speeds.
#[must_use]
pub fn gib_per_second(speed: f64) -> String {
    match speed / GIB {
        slow if slow < 0.1 => format!("{slow:.3}"),
        speed => format!("{speed:.2}"),
    }
}

/// The quartiles of all samples, in nanoseconds.
#[must_use]
pub fn quartiles(cell: &Cell) -> Summary {
    summary(&cell.samples.concat())
}

/// Converts the nanoseconds for this number of bytes to bytes per second.
#[must_use]
pub fn bytes_per_second(bytes: u64, nanoseconds: f64) -> f64 {
    bytes as f64 * 1e9 / nanoseconds
}

/// The cell of the row at this size.
#[must_use]
pub fn cell(row: &Row, bytes: u64) -> Option<&Cell> {
    row.cells.iter().find(|cell| cell.bytes == bytes)
}

/// Returns true if other processes disturbed the measurement: if the core was not quiet, if it was shared, or if the
/// quartiles are far apart.
#[must_use]
pub fn is_noisy(cell: &Cell) -> bool {
    !cell.quiet || cell.wall_over_cpu > 1.05 || quartiles(cell).is_wide()
}

/// The number of disturbed figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The number of figures for which [`is_noisy`] is true.
    pub disturbed: usize,
    /// The number of figures in the report.
    pub all: usize,
}

impl Trust {
    /// Counts the figures of a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let cells = || report.rows.iter().flat_map(|row| &row.cells);
        Self { disturbed: cells().filter(|cell| is_noisy(cell)).count(), all: cells().count() }
    }

    /// Returns true if disturbed figures are marked. If more than a quarter is disturbed, marks are not helpful, and
    /// one sentence about all of them replaces them.
    #[must_use]
    pub fn marks(self) -> bool {
        4 * self.disturbed <= self.all
    }
}

/// The title of a row, as in [`Standing::titled`].
#[must_use]
pub fn titled(row: &Row) -> String {
    Standing::of(&row.algorithm).titled(&row.title)
}

/// Returns true if the row is that of the checksum.
#[must_use]
pub fn is_ceiling(row: &Row) -> bool {
    Standing::of(&row.algorithm) == Standing::Checksum
}

/// The title of a row with its provider, such as `SHA-1, broken (OpenSSL; EVP)`.
#[must_use]
pub fn name(row: &Row) -> String {
    format!("{} ({}){}", titled(row), provider(row), messages(row))
}

/// The name of a row of single calls.
pub(crate) fn call_name(row: &CallRow) -> String {
    let variant = row.variant.as_ref().map_or_else(String::new, |variant| format!("; {variant}"));
    format!("{} ({}{variant})", Standing::of(&row.algorithm).titled(&row.title), row.provider)
}

/// The name of the kernel, and the number of messages that it processes. If the row has no kernel, the name of the
/// implementation.
#[must_use]
pub fn kernel_name(row: &Row) -> String {
    row.kernel.as_ref().map_or_else(|| name(row), |kernel| format!("{kernel}{}", messages(row)))
}

/// The number of messages if there are several, as in ` × 32`.
fn messages(row: &Row) -> String {
    if row.messages > 1 { format!(" × {}", row.messages) } else { String::new() }
}

/// The provider of a row with its function, such as `OpenSSL; EVP`.
#[must_use]
pub fn provider(row: &Row) -> String {
    match &row.variant {
        Some(variant) => format!("{}; {variant}", row.provider),
        None => row.provider.clone(),
    }
}

/// The ratio of the times of two cells in the same report. It is paired by rounds if both have the same rounds.
#[must_use]
pub fn time_ratio(numerator: &Cell, denominator: &Cell) -> Estimate {
    let lengths = |cell: &Cell| cell.samples.iter().map(Vec::len).collect::<Vec<_>>();
    if lengths(numerator) == lengths(denominator) {
        paired(&numerator.samples, &denominator.samples)
    } else {
        unpaired(&numerator.samples, &denominator.samples)
    }
}

/// A ratio with its interval, such as `1.04 [1.02, 1.06]`.
#[must_use]
pub fn written_ratio(ratio: Estimate) -> String {
    format!("{:.2} [{}]", ratio.value, written_interval(ratio))
}

/// The interval of a ratio, such as `1.02, 1.06`. If the interval excludes 1, it has enough digits to show that.
fn written_interval(ratio: Estimate) -> String {
    let with = |digits: usize| [ratio.low, ratio.high].map(|end| format!("{end:.digits$}"));
    let shows = |ends: &[String; 2]| !ratio.excludes(1.0) || ends.iter().all(|end| end.parse() != Ok(1.0));
    let ends = (2..5).map(with).find(shows).unwrap_or_else(|| with(5));
    ends.join(", ")
}

/// The rows of a group and operation that have samples.
#[must_use]
pub fn rows(report: &Report, group: Group, operation: Operation) -> Vec<&Row> {
    report
        .rows
        .iter()
        .filter(|r| r.group == group && r.operation == operation && !r.cells.is_empty())
        .collect()
}

/// All sizes that any of the rows has, in ascending order.
#[must_use]
pub fn sizes(rows: &[&Row]) -> Vec<u64> {
    let sizes: BTreeSet<u64> = rows.iter().flat_map(|row| row.cells.iter().map(|c| c.bytes)).collect();
    sizes.into_iter().collect()
}

/// The size that is closest to this one, by ratio, among the sizes that occur in the largest number of rows.
#[must_use]
pub fn common_size(rows: &[&Row], wanted: u64) -> Option<u64> {
    let count = |size: u64| rows.iter().filter(|row| cell(row, size).is_some()).count();
    let sizes = sizes(rows);
    let most = sizes.iter().map(|s| count(*s)).max()?;
    let distance = |size: u64| (size.max(1) as f64 / wanted as f64).ln().abs();
    sizes.into_iter().filter(|s| count(*s) == most).min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
}

/// Returns true if it is a row of hashwell.
#[must_use]
pub fn is_ours(row: &Row) -> bool {
    row.provider == "hashwell"
}

/// hashwell's row for an algorithm, and the fastest row of all others.
pub(crate) fn duel<'a>(
    report: &Report,
    rows: &[&'a Row],
    algorithm: &str,
    size: u64,
) -> Option<(&'a Row, &'a Row)> {
    let cost =
        |row: &Row| cell(row, size).and_then(|c| Unit::Nanoseconds.cost(report, c)).unwrap_or(f64::INFINITY);
    let fastest = |ours: bool| {
        let candidates = rows.iter().filter(|r| r.algorithm == algorithm && is_ours(r) == ours);
        candidates.copied().filter(|r| cost(r).is_finite()).min_by(|a, b| cost(a).total_cmp(&cost(b)))
    };
    fastest(true).zip(fastest(false))
}

/// The rows of kernels, for one message and for many.
pub(crate) fn kernel_rows(report: &Report) -> Vec<&Row> {
    [Operation::Digest, Operation::Many]
        .into_iter()
        .flat_map(|operation| rows(report, Group::Kernels, operation))
        .collect()
}

/// One algorithm with different numbers of threads.
pub(crate) struct Scaling<'a> {
    /// One row for each number of threads, in ascending order, with its cell.
    pub(crate) steps: Vec<(&'a Row, &'a Cell)>,
}

impl<'a> Scaling<'a> {
    /// All algorithms that were measured for this work on one thread and on other numbers of threads. They are sorted
    /// by standing, and then by speed.
    pub(crate) fn all(report: &'a Report, operation: Operation) -> Vec<Self> {
        let rows = rows(report, Group::Scaling, operation);
        let of = |algorithm: &str| {
            let rows = rows.iter().copied().filter(|row| row.algorithm == algorithm);
            let mut steps: Vec<(&Row, &Cell)> = rows.map(|row| (row, &row.cells[0])).collect();
            steps.sort_by_key(|(row, _)| row.threads);
            let (first, rest) = steps.split_first()?;
            let alike = |(row, cell): &(&Row, &Cell)| {
                row.provider == first.0.provider
                    && row.messages == first.0.messages
                    && cell.bytes == first.1.bytes
            };
            (first.0.threads == 1 && rest.iter().all(alike)).then_some(Self { steps })
        };
        let mut all: Vec<Self> =
            distinct(rows.iter().map(|row| row.algorithm.as_str())).into_iter().filter_map(of).collect();
        let time = |scaling: &Self| quartiles(scaling.steps[0].1).median;
        let standing = |scaling: &Self| Standing::of(&scaling.steps[0].0.algorithm);
        all.sort_by(|a, b| standing(a).cmp(&standing(b)).then(time(a).total_cmp(&time(b))));
        all
    }

    /// The factor by which a step is faster than one thread.
    pub(crate) fn speed_up(&self, step: &Cell) -> Estimate {
        time_ratio(self.steps[0].1, step)
    }

    /// The size of the work: `16 MiB` for one message, `1024 × 8 KiB` for many.
    pub(crate) fn work(&self) -> String {
        let (row, cell) = self.steps[0];
        let bytes = chart::bytes(cell.bytes as f64);
        if row.messages > 1 { format!("{} × {bytes}", row.messages) } else { bytes }
    }
}

/// The speed in Gbit/s, without the unit: with two decimal places, or with one if the speed is at least 10.
pub(crate) fn gbit_per_second(report: &Report, cell: &Cell) -> Option<String> {
    let speed = GIB / Unit::GibPerSecond.cost(report, cell)? * 8.0 / 1e9;
    Some(if speed < 9.995 { format!("{speed:.2}") } else { format!("{speed:.1}") })
}

/// Returns true if there are more threads than the machine has cores, so that they take turns.
pub(crate) fn is_oversubscribed(report: &Report, row: &Row) -> bool {
    row.threads > report.machine.cores
}

/// The size that SUPERCOP would call long: the largest size, if it is larger than SUPERCOP's other sizes.
#[must_use]
pub(crate) fn long_size(rows: &[&Row]) -> Option<u64> {
    sizes(rows).into_iter().next_back().filter(|size| *size > 16384)
}

/// A size as SUPERCOP writes it, such as `1536 B`.
pub(crate) fn plain_bytes(bytes: f64) -> String {
    format!("{bytes} B")
}

/// The distinct names, in the order in which they first appear.
pub fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

/// The variant of an enumeration as it appears in JSON.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
