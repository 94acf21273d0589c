//! Writes a report in the requested format.

use super::figures::{Unit, gbit_per_second, is_ceiling, is_noisy, is_oversubscribed, quartiles, word};
use super::page;
use super::tables::{self, Options};
use crate::report::{CallRow, Calls, Cell, Group, Operation, PerCall, Report, Row, Standing, json};
use crate::timing::statistics::estimate;
use hashwell_document::format::Format;
use hashwell_document::table::{Align, Table, document};

/// Writes the report in a format. The text ends with a newline.
#[must_use]
pub fn render(report: &Report, format: Format, options: Options) -> String {
    let tables = || {
        let rest = [tables::machine(report), tables::providers(report)];
        tables::all(report, options).into_iter().chain(rest).collect::<Vec<_>>()
    };
    let lines = || [tables::summary(report), tables::cautions(report)].concat();
    match format {
        Format::Text | Format::Markdown | Format::Asciidoc => document(format, &lines(), &tables()),
        Format::Csv => figures(report).csv(),
        Format::Json => json(report),
        Format::Html => page::report(report, options),
    }
}

/// A table with one line for each row and size, with all known values.
fn figures(report: &Report) -> Table {
    let names = [
        "title",
        "provider",
        "variant",
        "kernel",
        "operation",
        "messages",
        "threads",
        "bytes",
        "median_ns",
        "lower_quartile_ns",
        "upper_quartile_ns",
        "minimum_ns",
        "interval_low_ns",
        "interval_high_ns",
        "kib_per_second",
        "cycles_per_byte",
        "tsc_ticks_per_byte",
        "clock_ghz",
        "wall_over_cpu",
        "processes",
        "samples",
        "flags",
        "gbit_per_second",
        "p50_cycles",
        "p99_cycles",
        "maximum_cycles",
        "instructions_per_cycle",
        "cache_misses",
        "branch_misses",
        "status",
    ];
    let mut table = Table::new("", "group", [String::new()]);
    table.head[1].0 = "algorithm".into();
    table.head.extend(names.map(|name| (name.to_owned(), Align::Right)));
    for row in &report.rows {
        table.rows.extend(row.cells.iter().map(|cell| line(report, row, cell)));
    }
    if let Some(calls) = &report.calls {
        table.rows.extend(calls.rows.iter().map(|row| call_line(report, calls, row)));
    }
    table
}

fn line(report: &Report, row: &Row, cell: &Cell) -> Vec<String> {
    let quartiles = quartiles(cell);
    let interval = estimate(&cell.samples);
    let minimum = cell.samples.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let nanoseconds = [
        quartiles.median,
        quartiles.lower_quartile,
        quartiles.upper_quartile,
        minimum,
        interval.low,
        interval.high,
    ];
    let words = [
        word(&row.group),
        row.algorithm.clone(),
        row.title.clone(),
        row.provider.clone(),
        row.variant.clone().unwrap_or_default(),
        row.kernel.clone().unwrap_or_default(),
        word(&row.operation),
        row.messages.to_string(),
        row.threads.to_string(),
        cell.bytes.to_string(),
    ];
    let per_byte = |unit: Unit| unit.cost(report, cell).map_or_else(String::new, |cost| format!("{cost:.4}"));
    let units = [
        Unit::KibPerSecond.cost(report, cell).map_or_else(String::new, |cost| format!("{:.0}", 1.0 / cost)),
        per_byte(Unit::CyclesPerByte),
        per_byte(Unit::TicksPerByte),
        format!("{:.4}", cell.clock_ghz),
        format!("{:.4}", cell.wall_over_cpu),
        cell.samples.len().to_string(),
        cell.samples.iter().map(Vec::len).sum::<usize>().to_string(),
        flags(report, row, cell),
        gbit_per_second(report, cell).unwrap_or_default(),
    ];
    // The columns of single calls.
    let units = units.into_iter().chain(std::iter::repeat_n(String::new(), 6));
    let units = units.chain([Standing::of(&row.algorithm).word().to_owned()]);
    words.into_iter().chain(nanoseconds.map(|ns| format!("{ns:.4}"))).chain(units).collect()
}

/// The line for the single calls of one row at one size. Its group is `calls`.
fn call_line(report: &Report, calls: &Calls, row: &CallRow) -> Vec<String> {
    let nanoseconds = |cycles: f64| format!("{:.4}", cycles / calls.clock_ghz);
    let count = |count: Option<f64>| count.map_or_else(String::new, |count| format!("{count:.4}"));
    let counters = row.counters.as_ref();
    let median = Cell {
        bytes: row.bytes,
        samples: vec![vec![row.p50 / calls.clock_ghz]],
        clock_ghz: calls.clock_ghz,
        wall_over_cpu: 1.0,
        quiet: true,
    };
    let per_byte =
        |unit: Unit| unit.cost(report, &median).map_or_else(String::new, |cost| format!("{cost:.4}"));
    let none = String::new;
    vec![
        "calls".into(),
        row.algorithm.clone(),
        row.title.clone(),
        row.provider.clone(),
        row.variant.clone().unwrap_or_default(),
        row.kernel.clone().unwrap_or_default(),
        word(&Operation::Digest),
        "1".into(),
        "1".into(),
        row.bytes.to_string(),
        nanoseconds(row.p50),
        none(),
        none(),
        nanoseconds(row.minimum),
        none(),
        none(),
        Unit::KibPerSecond
            .cost(report, &median)
            .map_or_else(String::new, |cost| format!("{:.0}", 1.0 / cost)),
        per_byte(Unit::CyclesPerByte),
        per_byte(Unit::TicksPerByte),
        format!("{:.4}", calls.clock_ghz),
        none(),
        "1".into(),
        row.calls.to_string(),
        none(),
        gbit_per_second(report, &median).unwrap_or_default(),
        format!("{:.0}", row.p50),
        format!("{:.0}", row.p99),
        format!("{:.0}", row.maximum),
        count(counters.and_then(PerCall::instructions_per_cycle)),
        count(counters.and_then(|counters| counters.cache_misses)),
        count(counters.and_then(|counters| counters.branch_misses)),
        Standing::of(&row.algorithm).word().to_owned(),
    ]
}

/// The flags of a cell, separated by spaces.
fn flags(report: &Report, row: &Row, cell: &Cell) -> String {
    let flags = [
        (is_noisy(cell), "disturbed"),
        (is_ceiling(row), "checksum"),
        (row.group == Group::Scaling && is_oversubscribed(report, row), "oversubscribed"),
        (report.run.quick, "quick"),
        (!report.run.complete, "incomplete"),
        (cell.samples.len() == 1, "one-process"),
    ];
    flags.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect::<Vec<_>>().join(" ")
}
