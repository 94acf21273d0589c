//! What a report's rows say, in the units and words that tables, charts and comparisons share.

use crate::report::{CallRow, Cell, Group, Operation, Report, Row, Standing};
use crate::timing::statistics::{Estimate, Summary, paired, summary, unpaired};
use hashwell_document::chart;
use std::collections::{BTreeSet, HashSet};

/// Unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Of hashed or read bytes.
    GibPerSecond,
    /// The same, as it was published in 2018.
    KibPerSecond,
    /// Of the core.
    CyclesPerByte,
    /// Ticks of the time-stamp counter, whose rate is given in GHz by the report.
    TicksPerByte,
    /// Of one message or read.
    Nanoseconds,
}

impl Unit {
    /// Factor from nanoseconds to the cost in this unit (of speeds: seconds per GiB or KiB); none of an empty message.
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

    /// Median cost: smaller is better.
    #[must_use]
    pub fn cost(self, report: &Report, cell: &Cell) -> Option<f64> {
        Some(quartiles(cell).median * self.factor(report, cell)?)
    }

    /// The median, as tables have it.
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

/// Bytes of a GiB.
pub const GIB: f64 = 1_073_741_824.0;

/// Bytes per second in GiB/s, without the unit: two digits after the point, of slow ones three.
#[must_use]
pub fn gib_per_second(speed: f64) -> String {
    match speed / GIB {
        slow if slow < 0.1 => format!("{slow:.3}"),
        speed => format!("{speed:.2}"),
    }
}

/// Quartiles of all samples, nanoseconds.
#[must_use]
pub fn quartiles(cell: &Cell) -> Summary {
    summary(&cell.samples.concat())
}

/// Bytes per second from nanoseconds for that many bytes.
#[must_use]
pub fn bytes_per_second(bytes: u64, nanoseconds: f64) -> f64 {
    bytes as f64 * 1e9 / nanoseconds
}

/// The row at a size.
#[must_use]
pub fn cell(row: &Row, bytes: u64) -> Option<&Cell> {
    row.cells.iter().find(|cell| cell.bytes == bytes)
}

/// Whether somebody else was heard: no quiet core, the core shared, or quartiles far apart.
#[must_use]
pub fn is_noisy(cell: &Cell) -> bool {
    !cell.quiet || cell.wall_over_cpu > 1.05 || quartiles(cell).is_wide()
}

/// How many figures were disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    /// Those of [`is_noisy`].
    pub disturbed: usize,
    /// Figures of the report.
    pub all: usize,
}

impl Trust {
    /// Of all figures of a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let cells = || report.rows.iter().flat_map(|row| &row.cells);
        Self { disturbed: cells().filter(|cell| is_noisy(cell)).count(), all: cells().count() }
    }

    /// Whether single figures are marked. Where more than a quarter is in doubt marks say nothing, and one sentence says
    /// it of all.
    #[must_use]
    pub fn marks(self) -> bool {
        4 * self.disturbed <= self.all
    }
}

/// [`Standing::titled`] of a row.
#[must_use]
pub fn titled(row: &Row) -> String {
    Standing::of(&row.algorithm).titled(&row.title)
}

/// Whether it is a checksum.
#[must_use]
pub fn is_ceiling(row: &Row) -> bool {
    Standing::of(&row.algorithm) == Standing::Checksum
}

/// `SHA-1, broken (OpenSSL; EVP)`.
#[must_use]
pub fn name(row: &Row) -> String {
    format!("{} ({}){}", titled(row), provider(row), messages(row))
}

/// The name of a row of single calls.
pub(crate) fn call_name(row: &CallRow) -> String {
    let variant = row.variant.as_ref().map_or_else(String::new, |variant| format!("; {variant}"));
    format!("{} ({}{variant})", Standing::of(&row.algorithm).titled(&row.title), row.provider)
}

/// The kernel, and how many messages it works on; of a row without one the implementation.
#[must_use]
pub fn kernel_name(row: &Row) -> String {
    row.kernel.as_ref().map_or_else(|| name(row), |kernel| format!("{kernel}{}", messages(row)))
}

/// ` × 32` of many.
fn messages(row: &Row) -> String {
    if row.messages > 1 { format!(" × {}", row.messages) } else { String::new() }
}

/// `OpenSSL; EVP`.
#[must_use]
pub fn provider(row: &Row) -> String {
    match &row.variant {
        Some(variant) => format!("{}; {variant}", row.provider),
        None => row.provider.clone(),
    }
}

/// Time of one over another's, of the same report: paired round by round where the rounds are the same.
#[must_use]
pub fn time_ratio(numerator: &Cell, denominator: &Cell) -> Estimate {
    let lengths = |cell: &Cell| cell.samples.iter().map(Vec::len).collect::<Vec<_>>();
    if lengths(numerator) == lengths(denominator) {
        paired(&numerator.samples, &denominator.samples)
    } else {
        unpaired(&numerator.samples, &denominator.samples)
    }
}

/// `1.04 [1.02, 1.06]`.
#[must_use]
pub fn written_ratio(ratio: Estimate) -> String {
    format!("{:.2} [{}]", ratio.value, written_interval(ratio))
}

/// `1.02, 1.06`, with as many digits as it takes to see that it leaves 1 out, where it does.
fn written_interval(ratio: Estimate) -> String {
    let with = |digits: usize| [ratio.low, ratio.high].map(|end| format!("{end:.digits$}"));
    let shows = |ends: &[String; 2]| !ratio.excludes(1.0) || ends.iter().all(|end| end.parse() != Ok(1.0));
    let ends = (2..5).map(with).find(shows).unwrap_or_else(|| with(5));
    ends.join(", ")
}

/// Rows of a group and operation that can be shown: those with samples.
#[must_use]
pub fn rows(report: &Report, group: Group, operation: Operation) -> Vec<&Row> {
    report
        .rows
        .iter()
        .filter(|r| r.group == group && r.operation == operation && !r.cells.is_empty())
        .collect()
}

/// Sizes that any of the rows has, rising.
#[must_use]
pub fn sizes(rows: &[&Row]) -> Vec<u64> {
    let sizes: BTreeSet<u64> = rows.iter().flat_map(|row| row.cells.iter().map(|c| c.bytes)).collect();
    sizes.into_iter().collect()
}

/// The size nearest to this one, by ratio, among those that most rows have.
#[must_use]
pub fn common_size(rows: &[&Row], wanted: u64) -> Option<u64> {
    let count = |size: u64| rows.iter().filter(|row| cell(row, size).is_some()).count();
    let sizes = sizes(rows);
    let most = sizes.iter().map(|s| count(*s)).max()?;
    let distance = |size: u64| (size.max(1) as f64 / wanted as f64).ln().abs();
    sizes.into_iter().filter(|s| count(*s) == most).min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
}

/// Whether it is hashwell's.
#[must_use]
pub fn is_ours(row: &Row) -> bool {
    row.provider == "hashwell"
}

/// hashwell's row of an algorithm, and the fastest of the others'.
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

/// Kernels for one message and for many.
pub(crate) fn kernel_rows(report: &Report) -> Vec<&Row> {
    [Operation::Digest, Operation::Many]
        .into_iter()
        .flat_map(|operation| rows(report, Group::Kernels, operation))
        .collect()
}

/// One algorithm on several numbers of threads.
pub(crate) struct Scaling<'a> {
    /// One for each number of threads, rising, with its cell.
    pub(crate) steps: Vec<(&'a Row, &'a Cell)>,
}

impl<'a> Scaling<'a> {
    /// Each algorithm that was measured with this work on one thread and on others, with the fastest first within its
    /// standing.
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

    /// How many times as fast a step is as one thread.
    pub(crate) fn speed_up(&self, step: &Cell) -> Estimate {
        time_ratio(self.steps[0].1, step)
    }

    /// `16 MiB` of one message, `1024 × 8 KiB` of many.
    pub(crate) fn work(&self) -> String {
        let (row, cell) = self.steps[0];
        let bytes = chart::bytes(cell.bytes as f64);
        if row.messages > 1 { format!("{} × {bytes}", row.messages) } else { bytes }
    }
}

/// The speed in Gbit/s, without the unit: two digits after the point, or one from 10 on.
pub(crate) fn gbit_per_second(report: &Report, cell: &Cell) -> Option<String> {
    let speed = GIB / Unit::GibPerSecond.cost(report, cell)? * 8.0 / 1e9;
    Some(if speed < 9.995 { format!("{speed:.2}") } else { format!("{speed:.1}") })
}

/// Returns true if there are more threads than the machine has cores, so that they take turns.
pub(crate) fn is_oversubscribed(report: &Report, row: &Row) -> bool {
    row.threads > report.machine.cores
}

/// What SUPERCOP would call long: the largest size, if it is beyond the others.
#[must_use]
pub(crate) fn long_size(rows: &[&Row]) -> Option<u64> {
    sizes(rows).into_iter().next_back().filter(|size| *size > 16384)
}

/// `1536 B`, as SUPERCOP names its sizes.
pub(crate) fn plain_bytes(bytes: f64) -> String {
    format!("{bytes} B")
}

/// In the order in which they first come.
pub fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

/// A variant of an enumeration as JSON has it.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
