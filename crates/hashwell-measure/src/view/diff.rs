//! Compares two reports: finds the rows that became slower or faster, and states how certain these changes are.
//!
//! Hundreds of rows are compared at the same time, and some of hundreds of 95 % intervals are wrong by chance.
//! Therefore the false discovery rate is controlled ([`discovery_line`]). If nothing has changed, the probability that
//! anything is called slower or faster is at most [`Options::rate`]. If something has changed, at most that fraction of
//! the reported changes is expected to be wrong. Intervals are widened to match this threshold: a row is called slower
//! or faster exactly if its interval excludes 1 and its change is at least [`Options::least`].
//!
//! Processes are independent samples within a run, but a run contains no information about differences from one run to
//! the next (another day, a different placement of memory pages by the kernel). [`Options::least`] accounts for these.

use super::figures::{cell, is_noisy, name, written_ratio};
use crate::report::{Cell, Group, Operation, Report, Row, json};
use crate::timing::statistics::{Change, Estimate, discovery_line};
use hashwell_document::format::Format;
use hashwell_document::table::{Table, document};
use hashwell_document::{chart, page};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The criteria for changes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The accepted fraction of reported changes that are due to chance.
    pub rate: f64,
    /// The minimum relative change that is reported.
    pub least: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { rate: 0.05, least: 0.01 }
    }
}

/// The result for a row at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It takes longer.
    Slower,
    /// It takes less time.
    Faster,
    /// There may be a difference, but the samples don't show one.
    NoDifferenceSeen,
    /// One of the reports has only one process, from which no spread can be computed.
    NotComparable,
}

/// One row at one size in both reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The algorithm, the provider, and other properties that distinguish the row.
    pub name: String,
    /// The size of a message or read in bytes.
    pub bytes: u64,
    /// The median of the ratio NEW / OLD.
    pub ratio: Option<f64>,
    /// The interval of the ratio, widened for comparing all lines.
    pub interval: Option<[f64; 2]>,
    /// The conclusion.
    pub verdict: Verdict,
    /// True if one of the two measurements was disturbed.
    pub disturbed: bool,
}

/// The comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    /// The unit of the comparison: `core cycles` or `nanoseconds`.
    pub unit: &'static str,
    /// The value of [`Options::rate`].
    pub rate: f64,
    /// 1 minus the level of the intervals.
    pub alpha: f64,
    /// The rows that are in both reports, in the order of NEW.
    pub lines: Vec<Line>,
    /// Rows that only OLD has.
    pub only_old: Vec<String>,
    /// Rows that only NEW has.
    pub only_new: Vec<String>,
    /// Differences between machines and runs, and other things that weaken the comparison.
    pub remarks: Vec<String>,
}

/// The properties that identify a row. The kernel is only included if kernels are compared, so that a new kernel does
/// not make a new row.
type Key<'a> =
    (Group, Option<&'a str>, [&'a str; 2], Option<&'a str>, Option<&'a str>, Operation, usize, usize);

fn key(row: &Row) -> Key<'_> {
    let kernel = row.kernel.as_deref().filter(|_| row.group == Group::Kernels);
    let variant = row.variant.as_deref();
    let names = [row.algorithm.as_str(), &row.provider];
    (row.group, row.contest.as_deref(), names, variant, kernel, row.operation, row.messages, row.threads)
}

/// A description of the key.
fn described(row: &Row) -> String {
    let operation = match row.operation {
        Operation::Digest | Operation::Many => "",
        Operation::Absorb => ", absorbing",
        Operation::Read => ", reading",
        Operation::Hmac => ", HMAC",
        Operation::Drbg => ", HMAC-DRBG",
    };
    let kernel = row.kernel.as_ref().filter(|_| row.group == Group::Kernels);
    let kernel = kernel.map_or_else(String::new, |kernel| format!(" on {kernel}"));
    let threads =
        if row.group.uses_several_cores() { format!(", {} threads", row.threads) } else { String::new() };
    let contest = row.contest.as_ref().map_or_else(String::new, |contest| format!(" in {contest}"));
    format!("{}{kernel}{operation}{threads}{contest}", name(row))
}

impl Diff {
    /// Compares NEW with OLD.
    #[must_use]
    pub fn between(old: &Report, new: &Report, options: Options) -> Self {
        let in_cycles = old.machine.cpu == new.machine.cpu;
        let old_rows: BTreeMap<Key<'_>, &Row> = old.rows.iter().map(|row| (key(row), row)).collect();
        let new_rows: BTreeMap<Key<'_>, &Row> = new.rows.iter().map(|row| (key(row), row)).collect();
        let mut pairs = Vec::new();
        for row in &new.rows {
            let Some(before) = old_rows.get(&key(row)) else { continue };
            let both = row.cells.iter().filter_map(|now| Some((cell(before, now.bytes)?, now)));
            pairs.extend(both.map(|(before, now)| (row, before, now, change(row, before, now, in_cycles))));
        }
        let p_values: Vec<f64> =
            pairs.iter().filter_map(|(_, _, _, change)| change.map(Change::p_value)).collect();
        let alpha = discovery_line(&p_values, options.rate);
        let line = |(row, before, now, change): &(&Row, &Cell, &Cell, Option<Change>)| {
            let ratio = change.map(|change| change.interval(alpha));
            Line {
                name: described(row),
                bytes: now.bytes,
                ratio: ratio.map(|r| r.value),
                interval: ratio.map(|r| [r.low, r.high]),
                verdict: ratio.map_or(Verdict::NotComparable, |r| verdict(r, options.least)),
                disturbed: is_noisy(before) || is_noisy(now),
            }
        };
        let missing = |rows: &[Row], other: &BTreeMap<Key<'_>, &Row>| -> Vec<String> {
            rows.iter().filter(|row| !other.contains_key(&key(row))).map(described).collect()
        };
        Self {
            unit: if in_cycles { "core cycles" } else { "nanoseconds" },
            rate: options.rate,
            alpha,
            lines: pairs.iter().map(line).collect(),
            only_old: missing(&old.rows, &new_rows),
            only_new: missing(&new.rows, &old_rows),
            remarks: remarks(old, new, &old_rows),
        }
    }

    /// The exit code: 1 if anything became slower, otherwise 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        u8::from(self.count(Verdict::Slower) > 0)
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.lines.iter().filter(|line| line.verdict == verdict).count()
    }

    /// The result in one sentence, and the largest change with its interval.
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        let count = |verdict| self.count(verdict);
        let mut lines = vec![format!(
            "NEW compared with OLD, {} figures in {}: {} slower, {} faster, {} without a difference, {} not \
             comparable.",
            self.lines.len(),
            self.unit,
            count(Verdict::Slower),
            count(Verdict::Faster),
            count(Verdict::NoDifferenceSeen),
            count(Verdict::NotComparable),
        )];
        let worst = self.lines.iter().filter(|l| l.verdict == Verdict::Slower).max_by(|a, b| by_ratio(a, b));
        if let Some((line, ratio)) = worst.and_then(|line| Some((line, line.estimate()?))) {
            let size = chart::bytes(line.bytes as f64);
            lines.push(format!(
                "Largest slowdown: {} at {size} takes {} times as long as in OLD.",
                line.name,
                written_ratio(ratio)
            ));
        }
        lines.push(format!(
            "The intervals are widened to {:.4} %, because many figures are compared: at most {} of the figures called \
             slower or faster are expected to be false positives.",
            100.0 * (1.0 - self.alpha),
            chart::percent(self.rate),
        ));
        lines
    }

    /// Tables of the rows that changed, the rows that could not be compared, and the rows that are in only one report.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let mut changes = self.table("Changes, slowest first: time NEW / OLD", |line| {
            matches!(line.verdict, Verdict::Slower | Verdict::Faster)
        });
        if changes.rows.is_empty() {
            changes.notes.insert(0, "None seen.".into());
        }
        let unsure =
            self.table("Not comparable: one process only", |line| line.verdict == Verdict::NotComparable);
        let mut tables = vec![changes];
        tables.extend((!unsure.rows.is_empty()).then_some(unsure));
        for (title, names) in [("Only in OLD", &self.only_old), ("Only in NEW", &self.only_new)] {
            let mut table = Table::new(title, "row", []);
            table.rows = names.iter().map(|name| vec![name.clone()]).collect();
            tables.extend((!names.is_empty()).then_some(table));
        }
        tables
    }

    fn table(&self, title: &str, wanted: impl Fn(&Line) -> bool) -> Table {
        let mut lines: Vec<&Line> = self.lines.iter().filter(|line| wanted(line)).collect();
        lines.sort_by(|a, b| by_ratio(b, a));
        let mut table = Table::new(title, "row", ["size", "NEW / OLD", "low", "high"].map(str::to_owned))
            .with_words("verdict");
        let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.4}"));
        for line in &lines {
            let mark = if line.disturbed { "~" } else { "" };
            let ends = [line.ratio, line.interval.map(|i| i[0]), line.interval.map(|i| i[1])].map(number);
            let cells = [line.name.clone(), chart::bytes(line.bytes as f64)];
            let verdict = format!("{mark}{}", crate::view::figures::word(&line.verdict).replace('-', " "));
            table.rows.push(cells.into_iter().chain(ends).chain([verdict]).collect());
        }
        if lines.iter().any(|line| line.disturbed) {
            table
                .notes
                .push("~ disturbed in one of the reports: measure again before you rely on it.".into());
        }
        table
    }

    /// Writes the comparison in a format. The text ends with a newline. CSV and JSON contain every line; the other
    /// formats contain the changes.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        let lines = [self.summary(), self.remarks.clone()].concat();
        match format {
            Format::Text | Format::Markdown | Format::Asciidoc => document(format, &lines, &self.tables()),
            Format::Csv => self.table("", |_| true).csv(),
            Format::Json => json(self),
            Format::Html => page::of_tables("hashwell speed: NEW compared with OLD", &lines, &self.tables()),
        }
    }
}

impl Line {
    fn estimate(&self) -> Option<Estimate> {
        let ([low, high], value) = self.interval.zip(self.ratio)?;
        Some(Estimate { value, low, high })
    }
}

fn by_ratio(a: &Line, b: &Line) -> Ordering {
    a.ratio.unwrap_or(0.0).total_cmp(&b.ratio.unwrap_or(0.0))
}

/// The change of a cell. If both reports are from the same CPU, core cycles are compared, so that a different clock
/// rate does not count as a change. Measurements of wall-clock time have no cycles.
fn change(row: &Row, old: &Cell, new: &Cell, in_cycles: bool) -> Option<Change> {
    let scaled = |cell: &Cell| -> Vec<Vec<f64>> {
        let factor = if in_cycles && !row.group.uses_several_cores() { cell.clock_ghz } else { 1.0 };
        cell.samples.iter().map(|process| process.iter().map(|ns| ns * factor).collect()).collect()
    };
    Change::between(&scaled(new), &scaled(old))
}

fn verdict(ratio: Estimate, least: f64) -> Verdict {
    match ratio {
        r if !r.excludes(1.0) => Verdict::NoDifferenceSeen,
        r if r.value >= 1.0 + least => Verdict::Slower,
        r if r.value <= 1.0 / (1.0 + least) => Verdict::Faster,
        _ => Verdict::NoDifferenceSeen,
    }
}

fn remarks(old: &Report, new: &Report, old_rows: &BTreeMap<Key<'_>, &Row>) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut differs = |what: &str, old: &str, new: &str| {
        if old != new {
            remarks.push(format!("{what}: OLD {old}, NEW {new}."));
        }
    };
    differs("CPU", &old.machine.cpu, &new.machine.cpu);
    differs("features", &old.machine.features.join(" "), &new.machine.features.join(" "));
    differs("cores", &old.machine.cores.to_string(), &new.machine.cores.to_string());
    differs("system", &old.machine.os, &new.machine.os);
    differs("compiler", &old.machine.compiler, &new.machine.compiler);
    differs("cycles by", &old.run.cycle_source, &new.run.cycle_source);
    differs("hashwell", &version(old), &version(new));
    for provider in &new.providers {
        if let Some(before) = old.providers.iter().find(|p| p.name == provider.name) {
            let words = |p: &crate::report::Provider| {
                p.version.clone().unwrap_or_else(|| "unknown or missing".into())
            };
            differs(&provider.name, &words(before), &words(provider));
        }
    }
    for row in new.rows.iter().filter(|row| row.group != Group::Kernels) {
        if let Some(before) = old_rows.get(&key(row)) {
            let words = |row: &Row| row.kernel.clone().unwrap_or_else(|| "unknown".into());
            // If several kernels are about equally fast, processes choose different ones, so a row may name several.
            let (of_before, of_row) = (words(before), words(row));
            if of_before.split(" or ").any(|kernel| of_row.split(" or ").any(|other| kernel == other)) {
                continue;
            }
            differs(&format!("kernel of {}", described(row)), &words(before), &words(row));
        }
    }
    if old.machine.cpu != new.machine.cpu {
        remarks.push(
            "The CPUs are different, and times in nanoseconds depend on the CPU, so every difference is partly due to \
             the machines."
                .into(),
        );
    }
    for (who, report) in [("OLD", old), ("NEW", new)] {
        let states = [
            (report.run.quick, "was made in quick mode"),
            (!report.run.complete, "was stopped before its end"),
        ];
        remarks
            .extend(states.into_iter().filter(|(holds, _)| *holds).map(|(_, what)| format!("{who} {what}.")));
    }
    remarks
}

fn version(report: &Report) -> String {
    let commit = report.run.commit.as_ref().map_or_else(String::new, |commit| format!(" ({commit})"));
    format!("{}{commit}", report.run.version)
}
