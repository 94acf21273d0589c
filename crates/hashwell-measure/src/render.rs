//! A report in the format that is asked for.

use crate::html;
use crate::report::{Cell, Report, Row};
use crate::statistics::estimate;
use crate::table::{Table, escaped};
use crate::tables::{self, Options};
use crate::view::{Standing, Unit, is_ceiling, is_noisy, quartiles, word};
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io;

/// Formats of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables for a terminal.
    Text,
    /// Tables for GitHub and its like.
    Markdown,
    /// Tables as in mails of the git project.
    Asciidoc,
    /// One line for each row and size.
    Csv,
    /// Everything, to be read again by [`Report::from_json`].
    Json,
    /// A page with charts that needs nothing but itself.
    Html,
}

/// The report in a format, ended by a line feed.
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
        Format::Html => html::report(report, options),
    }
}

/// Lines and tables, as text, markdown or AsciiDoc.
#[must_use]
pub fn document(format: Format, lines: &[String], tables: &[Table]) -> String {
    let table = match format {
        Format::Markdown => Table::markdown,
        Format::Asciidoc => Table::asciidoc,
        _ => Table::text,
    };
    let between = if format == Format::Text { "\n" } else { "\n\n" };
    let lines: Vec<String> = lines.iter().map(|line| escaped(format, line)).collect();
    let head = (!lines.is_empty()).then(|| lines.join(between) + "\n");
    head.into_iter().chain(tables.iter().map(table)).collect::<Vec<_>>().join("\n")
}

/// JSON with a line for each size of a row: indented all the way, samples would take a line each.
///
/// # Panics
/// Not with a report, all of which can be written.
#[must_use]
pub fn json(report: &impl Serialize) -> String {
    let mut out = Vec::new();
    let formatter = Shallow { pretty: PrettyFormatter::new(), depth: 0 };
    report.serialize(&mut Serializer::with_formatter(&mut out, formatter)).expect("memory can be written");
    out.push(b'\n');
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Indents down to the elements of `rows[].cells`, and keeps those on one line.
struct Shallow {
    pretty: PrettyFormatter<'static>,
    depth: usize,
}

impl Shallow {
    const INDENTED: usize = 4;

    fn is_inside(&self) -> bool {
        self.depth > Self::INDENTED
    }
}

type Written = io::Result<()>;

impl Formatter for Shallow {
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        self.depth += 1;
        if self.is_inside() { out.write_all(b"[") } else { self.pretty.begin_array(out) }
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        let inside = self.is_inside();
        self.depth -= 1;
        if inside { out.write_all(b"]") } else { self.pretty.end_array(out) }
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> Written {
        match self.is_inside() {
            true if first => Ok(()),
            true => out.write_all(b", "),
            false => self.pretty.begin_array_value(out, first),
        }
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        if self.is_inside() { Ok(()) } else { self.pretty.end_array_value(out) }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        self.depth += 1;
        if self.is_inside() { out.write_all(b"{") } else { self.pretty.begin_object(out) }
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        let inside = self.is_inside();
        self.depth -= 1;
        if inside { out.write_all(b"}") } else { self.pretty.end_object(out) }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> Written {
        match self.is_inside() {
            true if first => Ok(()),
            true => out.write_all(b", "),
            false => self.pretty.begin_object_key(out, first),
        }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        if self.is_inside() { Ok(()) } else { self.pretty.end_object_value(out) }
    }
}

/// One line for each row and size, with everything that is known of it.
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
        "status",
    ];
    let mut table = Table::new("", "group", [String::new()]);
    table.head[1].0 = "algorithm".into();
    table.head.extend(names.map(|name| (name.to_owned(), crate::table::Align::Right)));
    for row in &report.rows {
        table.rows.extend(row.cells.iter().map(|cell| line(report, row, cell)));
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
        Standing::of(&row.algorithm).word().to_owned(),
    ];
    words.into_iter().chain(nanoseconds.map(|ns| format!("{ns:.4}"))).chain(units).collect()
}

/// Words, with spaces between.
fn flags(report: &Report, row: &Row, cell: &Cell) -> String {
    let flags = [
        (is_noisy(cell), "disturbed"),
        (is_ceiling(row), "checksum"),
        (report.run.quick, "quick"),
        (!report.run.complete, "incomplete"),
        (cell.samples.len() == 1, "one-process"),
    ];
    flags.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect::<Vec<_>>().join(" ")
}
