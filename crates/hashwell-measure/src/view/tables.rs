//! The tables of a report.
//!
//! All figures are medians. One implementation is called faster than another only if the 95 % interval of the ratio of
//! their times, paired by rounds, excludes 1. Otherwise they are *tied*.

use super::figures::{
    Scaling, Trust, Unit, call_name, cell, common_size, distinct, duel, gbit_per_second, is_ceiling,
    is_noisy, is_oversubscribed, kernel_name, kernel_rows, long_size, name, plain_bytes, provider, rows,
    sizes, time_ratio, titled, written_ratio,
};
use super::published;
use super::verdict::verdict;
use crate::report::{
    CallRow, Group, Operation, PerCall, ProgramKind, ProgramSupport, Report, Row, Standing, State,
};
use hashwell_document::chart;
use hashwell_document::page::command_line;
use hashwell_document::table::{Align, Table};

use std::collections::{HashMap, HashSet};

/// Options for additional content.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// True to compare the figures of [`published`] with this machine.
    pub published: bool,
    /// True to show cycles of the time-stamp counter as well.
    pub ticks: bool,
}

/// All tables for which the report has rows.
#[must_use]
pub fn all(report: &Report, options: Options) -> Vec<Table> {
    let single = [speeds(report), cycles(report)].into_iter().flatten();
    let ticks = options.ticks.then(|| ticks(report)).flatten();
    let mut tables: Vec<Table> =
        single.chain(ticks).chain(beside_peers(report)).chain(strength(report)).collect();
    tables.extend(availability(report));
    tables.extend(programs(report));
    tables.extend(latency(report));
    tables.extend(kernels(report));
    tables.extend(streams(report));
    tables.extend(many(report));
    tables.extend(calls(report));
    tables.extend(threaded(report));
    tables.extend(scaling(report));
    if options.published {
        tables.extend(published::tables(report));
    }
    tables
}

// ------------------------------------------------------------------------------------ rows by size

/// A table of rows by size, in one unit.
struct Grid<'a> {
    title: &'a str,
    rows: Vec<&'a Row>,
    sizes: Vec<u64>,
    /// The size by which rows are sorted and compared.
    by: u64,
    unit: Unit,
    name: fn(&Row) -> String,
    /// Writes a size.
    head: fn(f64) -> String,
    /// The message size for which an extra column shows Gbit/s.
    gigabits: Option<u64>,
}

impl Grid<'_> {
    /// Makes the table. Returns `None` if no row has any of the sizes.
    fn table(mut self, report: &Report) -> Option<Table> {
        self.rows.retain(|row| {
            self.sizes.iter().any(|s| cell(row, *s).is_some_and(|c| self.unit.cost(report, c).is_some()))
        });
        if self.rows.is_empty() {
            return None;
        }
        // Sound algorithms come first, broken ones later, and the checksum last, because it is not a cryptographic
        // hash. Within these groups, rows that were not measured come last.
        let key = |row: &&Row| {
            let cost = cell(row, self.by).and_then(|c| self.unit.cost(report, c)).unwrap_or(f64::INFINITY);
            (Standing::of(&row.algorithm), cost)
        };
        let mut keyed: Vec<((Standing, f64), &Row)> = self.rows.iter().map(|row| (key(row), *row)).collect();
        keyed.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        self.rows = keyed.iter().map(|(_, row)| *row).collect();
        let trust = Trust::of(report);
        let by = (self.head)(self.by as f64);
        let title = format!("{}; sorted by {by}", self.title);
        let gigabits = self.gigabits.map(|size| format!("Gbit/s, {}", (self.head)(size as f64)));
        let heads = self.sizes.iter().map(|s| (self.head)(*s as f64)).chain(gigabits);
        let mut table =
            Table::new(title, "Implementation", heads).with_words(&format!("time / row above, {by} [95 %]"));
        for (i, ((standing, _), row)) in keyed.iter().enumerate() {
            let above = i.checked_sub(1).map(|i| &keyed[i]).filter(|((above, _), _)| above == standing);
            let above = above.map(|(_, above)| *above);
            let figures = self.sizes.iter().map(|s| figure(report, row, *s, self.unit, trust));
            let gigabits = self.gigabits.map(|size| gbits(report, row, size, trust));
            let compared = above.map_or_else(String::new, |above| self.compared(row, above));
            table.rows.push(
                [(self.name)(row)].into_iter().chain(figures).chain(gigabits).chain([compared]).collect(),
            );
        }
        let mut cells = self.rows.iter().flat_map(|row| self.sizes.iter().filter_map(|s| cell(row, *s)));
        let noisy = trust.marks() && cells.any(is_noisy);
        table.notes = marks(noisy, self.rows.iter().any(|row| is_ceiling(row)));
        Some(table)
    }

    fn compared(&self, row: &Row, above: &Row) -> String {
        match cell(row, self.by).zip(cell(above, self.by)) {
            Some((below, above)) => {
                let ratio = time_ratio(below, above);
                let tied = if ratio.excludes(1.0) { "" } else { " tied" };
                format!("{}{tied}", written_ratio(ratio))
            }
            None => String::new(),
        }
    }
}

/// A figure with its mark. Empty if there is no figure.
fn figure(report: &Report, row: &Row, size: u64, unit: Unit, trust: Trust) -> String {
    let Some(cell) = cell(row, size) else { return String::new() };
    let mark = if trust.marks() && is_noisy(cell) { "~" } else { "" };
    unit.written(report, cell).map_or_else(String::new, |text| format!("{mark}{text}"))
}

/// The figure in Gbit/s.
fn gbits(report: &Report, row: &Row, size: u64, trust: Trust) -> String {
    let Some(cell) = cell(row, size) else { return String::new() };
    let mark = if trust.marks() && is_noisy(cell) { "~" } else { "" };
    gbit_per_second(report, cell).map_or_else(String::new, |text| format!("{mark}{text}"))
}

/// Explains the marks of a table.
fn marks(noisy: bool, ceiling: bool) -> Vec<String> {
    let lines = [
        (noisy, "~ disturbed: other programs used the core, or the quartiles are more than 5 % apart."),
        (ceiling, "† a checksum, not a cryptographic hash: it shows how fast bytes can be read at all."),
    ];
    holding(&lines)
}

fn holding(lines: &[(bool, &str)]) -> Vec<String> {
    lines.iter().filter(|(holds, _)| *holds).map(|(_, line)| (*line).to_owned()).collect()
}

/// Table A: GiB/s at the sizes of the email from 2018.
#[must_use]
pub fn speeds(report: &Report) -> Option<Table> {
    let rows = rows(report, Group::Single, Operation::Digest);
    let sizes = vec![256, 1024, 8192, 16384];
    let title = "Table A: speed of one thread, GiB/s";
    Grid { title, rows, sizes, by: 1024, unit: Unit::GibPerSecond, name, head: chart::bytes, gigabits: None }
        .table(report)
}

/// Table B: cycles per byte at SUPERCOP's sizes. The last one is the longest size in the report.
#[must_use]
pub fn cycles(report: &Report) -> Option<Table> {
    let source = match report.run.cycle_source.as_str() {
        "hardware counter" => "hardware counter",
        _ => "calibrated",
    };
    by_byte(report, &format!("Table B: core cycles ({source}) per byte"), Unit::CyclesPerByte)
}

/// Table B in ticks of the time-stamp counter, which SUPERCOP counts on many machines. `None` if there is no counter.
#[must_use]
pub fn ticks(report: &Report) -> Option<Table> {
    let ghz = report.machine.tsc_ghz?;
    let title = format!("Table B, by the time-stamp counter ({ghz:.3} GHz): ticks per byte");
    by_byte(report, &title, Unit::TicksPerByte)
}

fn by_byte(report: &Report, title: &str, unit: Unit) -> Option<Table> {
    /// SUPERCOP's sizes, except the long one. If the report has none of them, for example after a run for table A only,
    /// there is no table.
    const SIZES: [u64; 3] = [576, 1536, 4096];
    let rows = rows(report, Group::Single, Operation::Digest);
    let long = long_size(&rows);
    if !sizes(&rows).iter().any(|size| SIZES.contains(size)) {
        return None;
    }
    let sizes = SIZES.into_iter().chain(long).collect();
    // The longest message shows the speed without the cost of a call.
    let speed_at = long.unwrap_or(1536);
    let mut table = Grid {
        title,
        rows,
        sizes,
        by: 1536,
        unit,
        name,
        head: plain_bytes,
        gigabits: (unit == Unit::CyclesPerByte).then_some(speed_at),
    }
    .table(report)?;
    if let Some(long) = long {
        table.head[4].0 = format!("long ({})", chart::bytes(long as f64));
        if unit == Unit::CyclesPerByte {
            table.head[5].0 = "Gbit/s, long".into();
        }
    }
    Some(table)
}

/// Table D: the cost of a call that hashes very little.
#[must_use]
pub fn latency(report: &Report) -> Option<Table> {
    let rows = rows(report, Group::Single, Operation::Digest);
    let sizes: Vec<u64> = sizes(&rows).into_iter().filter(|size| *size <= 64).collect();
    let by = *sizes.last()?;
    let title = "Table D: latency of one call, ns";
    Grid {
        title,
        rows,
        sizes: thinned(sizes),
        by,
        unit: Unit::Nanoseconds,
        name,
        head: chart::bytes,
        gigabits: None,
    }
    .table(report)
}

/// Table E: the kernels of each algorithm, including those for many messages.
#[must_use]
pub fn kernels(report: &Report) -> Vec<Table> {
    let rows = kernel_rows(report);
    let algorithms = distinct(rows.iter().map(|row| row.algorithm.as_str()));
    let table = |algorithm: &str| {
        let rows: Vec<&Row> = rows.iter().copied().filter(|row| row.algorithm == algorithm).collect();
        let title = format!("Table E: kernels of {}, core cycles per byte", titled(rows[0]));
        grid_of_all(&title, rows, Unit::CyclesPerByte, kernel_name, report)
    };
    algorithms.into_iter().filter_map(table).collect()
}

/// Streams: absorbing and reading, timed separately.
#[must_use]
pub fn streams(report: &Report) -> Vec<Table> {
    let table = |operation, what: &str| {
        let title = format!("Streams: {what}, GiB/s");
        grid_of_all(&title, rows(report, Group::Single, operation), Unit::GibPerSecond, name, report)
    };
    [table(Operation::Absorb, "absorbing"), table(Operation::Read, "reading")].into_iter().flatten().collect()
}

/// The speed with many messages in one call.
#[must_use]
pub fn many(report: &Report) -> Option<Table> {
    let rows = rows(report, Group::Single, Operation::Many);
    grid_of_all("Many messages in one call, GiB/s", rows, Unit::GibPerSecond, name, report)
}

/// The speed on all cores: for one message, and for many.
#[must_use]
pub fn threaded(report: &Report) -> Vec<Table> {
    let table = |operation, what: &str| {
        let title = format!("All cores on {what}, in wall-clock time, GiB/s");
        let rows = rows(report, Group::Threaded, operation);
        let mut table = grid_of_all(&title, rows, Unit::GibPerSecond, threaded_name, report)?;
        table.notes.push(
            "This is the wall time of several threads. Do not compare it with the other tables.".into(),
        );
        Some(table)
    };
    let tables = [table(Operation::Digest, "one message"), table(Operation::Many, "many messages")];
    tables.into_iter().flatten().collect()
}

fn threaded_name(row: &Row) -> String {
    format!("{}, {} threads", name(row), row.threads)
}

/// Speed over the number of threads: for one message, and for many.
#[must_use]
pub fn scaling(report: &Report) -> Vec<Table> {
    [Operation::Digest, Operation::Many]
        .into_iter()
        .filter_map(|operation| scaled(report, operation))
        .collect()
}

fn scaled(report: &Report, operation: Operation) -> Option<Table> {
    let all = Scaling::all(report, operation);
    let what = if operation == Operation::Many { "many messages" } else { "one large message" };
    let title = format!("Scaling: {what} ({}), in wall-clock time", all.first()?.work());
    let heads = ["threads", "GiB/s", "efficiency"].map(str::to_owned);
    let mut table = Table::new(title, "Implementation", heads).with_words("speed-up [95 %]");
    let (mut noisy, mut oversubscribed, trust) = (false, false, Trust::of(report));
    for scaling in &all {
        for (row, cell) in &scaling.steps {
            let too_many = is_oversubscribed(report, row);
            (noisy, oversubscribed) = (noisy || is_noisy(cell), oversubscribed || too_many);
            let ratio = scaling.speed_up(cell);
            table.rows.push(vec![
                name(row),
                format!("{}{}", row.threads, if too_many { " ‡" } else { "" }),
                figure(report, row, cell.bytes, Unit::GibPerSecond, trust),
                chart::percent(ratio.value / row.threads as f64),
                if row.threads == 1 { String::new() } else { written_ratio(ratio) },
            ]);
        }
    }
    table.notes = marks(trust.marks() && noisy, false);
    table.notes.push("Efficiency is the speed-up divided by the number of threads.".into());
    if oversubscribed {
        let cores = report.machine.cores;
        let have = if cores == 1 { "the one core".to_owned() } else { format!("the {cores} cores") };
        table.notes.push(format!("‡ more threads than {have} of this machine, so threads share cores."));
    }
    Some(table)
}

/// A table with all sizes that exist, sorted by the largest one.
fn grid_of_all(
    title: &str,
    rows: Vec<&Row>,
    unit: Unit,
    name: fn(&Row) -> String,
    report: &Report,
) -> Option<Table> {
    // An empty message has no speed.
    let sizes: Vec<u64> = sizes(&rows).into_iter().filter(|size| *size > 0).collect();
    let by = *sizes.last()?;
    Grid { title, rows, sizes: thinned(sizes), by, unit, name, head: chart::bytes, gigabits: None }
        .table(report)
}

/// At most six of the sizes, evenly spaced, including the first and the last.
fn thinned(sizes: Vec<u64>) -> Vec<u64> {
    const MOST: usize = 6;
    if sizes.len() <= MOST {
        return sizes;
    }
    (0..MOST).map(|i| sizes[i * (sizes.len() - 1) / (MOST - 1)]).collect()
}

// ------------------------------------------------------------------------------------ other tables

/// hashwell compared with the fastest of the others, by algorithm.
#[must_use]
pub fn beside_peers(report: &Report) -> Option<Table> {
    let rows = rows(report, Group::Single, Operation::Digest);
    let size = common_size(&rows, 1024)?;
    let title = format!("hashwell compared with the fastest peer, {} messages", chart::bytes(size as f64));
    let mut table = Table::new(title, "Algorithm", ["hashwell, ns".to_owned(), "peer, ns".to_owned()])
        .with_words("peer")
        .with_words("peer time / hashwell time [95 %]")
        .with_words("faster");
    let (mut noisy, trust) = (false, Trust::of(report));
    let mut algorithms = distinct(rows.iter().map(|row| row.algorithm.as_str()));
    algorithms.sort_by_key(|algorithm| Standing::of(algorithm));
    for algorithm in algorithms {
        let Some((ours, peer)) = duel(report, &rows, algorithm, size) else { continue };
        let (our_cell, peer_cell) = (cell(ours, size)?, cell(peer, size)?);
        noisy |= is_noisy(our_cell) || is_noisy(peer_cell);
        let ratio = time_ratio(peer_cell, our_cell);
        let verdict = match ratio {
            r if !r.excludes(1.0) => "tied",
            r if r.value > 1.0 => "hashwell",
            _ => "peer",
        };
        let figures = [ours, peer].map(|row| figure(report, row, size, Unit::Nanoseconds, trust));
        let words = [provider(peer), written_ratio(ratio), verdict.to_owned()];
        table.rows.push([titled(ours)].into_iter().chain(figures).chain(words).collect());
    }
    table.notes = marks(trust.marks() && noisy, false);
    (!table.rows.is_empty()).then_some(table)
}

/// Table F: single calls in core cycles, and the values of the CPU's event counters.
#[must_use]
pub fn calls(report: &Report) -> Option<Table> {
    let calls = report.calls.as_ref().filter(|calls| !calls.rows.is_empty())?;
    let counted = calls.missing.is_none();
    let counters = ["instructions / cycle", "cache misses", "branch misses"].into_iter().filter(|_| counted);
    let heads = ["message", "calls", "p50", "p99", "maximum"].into_iter().chain(counters).map(str::to_owned);
    let title = "Table F: single calls, core cycles";
    let title = if counted { format!("{title}; counters per call") } else { title.to_owned() };
    let mut table = Table::new(title, "Implementation", heads);
    let mut rows: Vec<&CallRow> = calls.rows.iter().collect();
    rows.sort_by_key(|row| (Standing::of(&row.algorithm), row.bytes));
    let written = |count: Option<f64>| count.map_or_else(|| "–".to_owned(), |count| format!("{count:.2}"));
    for row in rows {
        let cycles = [row.p50, row.p99, row.maximum].map(|cycles| chart::number(cycles.round()));
        let counters = row.counters.as_ref();
        let counters = [
            counters.and_then(PerCall::instructions_per_cycle),
            counters.and_then(|counters| counters.cache_misses),
            counters.and_then(|counters| counters.branch_misses),
        ];
        let words = [call_name(row), chart::bytes(row.bytes as f64), chart::number(row.calls as f64)];
        let counters = counters.map(written).into_iter().filter(|_| counted);
        table.rows.push(words.into_iter().chain(cycles).chain(counters).collect());
    }
    table.notes.push(format!(
        "One process. Clock: {}. The time of an empty call is subtracted. The maximum includes interrupts.",
        calls.clock
    ));
    table.notes.extend(calls.missing.as_ref().map(|why| {
        format!("Instructions per cycle, cache misses and branch misses are not available: {why}.")
    }));
    Some(table)
}

/// The published strength of the algorithms that were measured. `None` if no algorithm is in the registry.
#[must_use]
pub fn strength(report: &Report) -> Option<Table> {
    let measured: HashSet<&str> = report.rows.iter().map(|row| row.algorithm.as_str()).collect();
    let mut algorithms: Vec<&hashwell::Algorithm> =
        hashwell::ALGORITHMS.iter().filter(|row| measured.contains(row.name)).collect();
    algorithms.sort_by_key(|row| Standing::of(row.name));
    let heads = ["collision, bits", "preimage, bits", "second preimage, bits"].map(str::to_owned);
    let mut table = Table::new("Strength of the measured algorithms", "Algorithm", heads)
        .with_words("length extension")
        .with_words("margin");
    for algorithm in algorithms {
        let strength = algorithm.strength();
        let shrinks = if strength.shrinks_with_length { " − k" } else { "" };
        table.rows.push(vec![
            Standing::of(algorithm.name).titled(algorithm.title),
            strength.collision.to_string(),
            strength.preimage.to_string(),
            format!("{}{shrinks}", strength.second_preimage),
            if strength.length_extension { "yes" } else { "no" }.to_owned(),
            strength.margin(),
        ]);
    }
    table.notes = holding(&[
        (
            true,
            "Margin: rounds that published attacks reach, as of November 2026. Sources: hashwell algorithms NAME.",
        ),
        (
            table.rows.iter().any(|row| row[3].ends_with('k')),
            "− k: finding a second preimage of a message of 2^k blocks costs 2^k times less.",
        ),
    ]);
    (!table.rows.is_empty()).then_some(table)
}

/// Table C: the algorithms that each provider has, found by trying them.
#[must_use]
pub fn availability(report: &Report) -> Option<Table> {
    let found = &report.availability;
    let mut algorithms = distinct(found.iter().map(|a| a.algorithm.as_str()));
    algorithms.sort_by_key(|algorithm| Standing::of(algorithm));
    let states: HashMap<(&str, &str), State> =
        found.iter().map(|a| ((a.algorithm.as_str(), a.provider.as_str()), a.state)).collect();
    let having: HashSet<&str> = found.iter().map(|a| a.provider.as_str()).collect();
    let mut providers: Vec<&str> = report.providers.iter().map(|p| p.name.as_str()).collect();
    providers.retain(|name| having.contains(name));
    if algorithms.is_empty() || providers.is_empty() {
        return None;
    }
    let mut table = Table::new("Table C: algorithms of each library, found by probing", "Algorithm", []);
    table.head.extend(providers.iter().map(|name| ((*name).to_owned(), Align::Left)));
    for algorithm in algorithms {
        let state = |provider: &&str| {
            match states.get(&(algorithm, *provider)) {
                Some(State::Right) => "✓",
                Some(State::Wrong) => "WRONG",
                Some(State::Uncalled) => "(✓)",
                None => "",
            }
            .to_owned()
        };
        let title = hashwell::find(algorithm).map_or(algorithm, |row| row.title);
        let title = Standing::of(algorithm).titled(title);
        table.rows.push([title].into_iter().chain(providers.iter().map(state)).collect());
    }
    let any = |state| found.iter().any(|a| a.state == state);
    table.notes = holding(&[
        (any(State::Wrong), WRONG),
        (
            any(State::Uncalled),
            "(✓): the library has functions for this algorithm, but they are C++ and hashwell can't call them. They \
             were not compared or timed.",
        ),
    ]);
    Some(table)
}

const WRONG: &str = "WRONG: the digest differs from the standard, so the algorithm was not timed.";

/// Table C, continued: the programs and languages that were run.
#[must_use]
pub fn programs(report: &Report) -> Option<Table> {
    let found = &report.programs;
    let mut algorithms = distinct(found.iter().map(|program| program.algorithm.as_str()));
    algorithms.sort_by_key(|algorithm| Standing::of(algorithm));
    let mut table =
        Table::new("Table C: command line and languages, checked with known answers", "Algorithm", [])
            .with_words("command line")
            .with_words("standard library of");
    for algorithm in algorithms {
        let listed = |kind| {
            let of = found.iter().filter(|program| program.algorithm == algorithm && program.kind == kind);
            let name = |program: &ProgramSupport| match program.state {
                State::Wrong => format!("{} WRONG", program.program),
                _ => program.program.clone(),
            };
            of.map(name).collect::<Vec<_>>().join(", ")
        };
        let title = hashwell::find(algorithm).map_or(algorithm, |row| row.title);
        let title = Standing::of(algorithm).titled(title);
        table.rows.push(vec![title, listed(ProgramKind::Command), listed(ProgramKind::Language)]);
    }
    if found.iter().any(|program| program.state == State::Wrong) {
        table.notes.push(WRONG.into());
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The machine and the run of the report.
#[must_use]
pub fn machine(report: &Report) -> Table {
    let (machine, run) = (&report.machine, &report.run);
    let mut table = Table::new("Machine and run", "what", []).with_words("value");
    let mut add = |what: &str, value: String| {
        if !value.is_empty() {
            table.rows.push(vec![what.to_owned(), value]);
        }
    };
    add("CPU", machine.cpu.clone());
    add("features", machine.features.join(" "));
    add("cores", machine.cores.to_string());
    add("core clock", format!("{:.3} GHz, by {}", machine.clock_ghz, run.cycle_source));
    add("time-stamp counter", machine.tsc_ghz.map_or_else(String::new, |ghz| format!("{ghz:.3} GHz")));
    let load = |load: [f64; 3]| load.map(|l| format!("{l:.2}")).join(" ");
    add("load", machine.load.map_or_else(String::new, load));
    add("system", machine.os.clone());
    add("compiler", machine.compiler.clone());
    for (name, value) in &machine.notes {
        add(name, value.clone());
    }
    let commit = run.commit.as_ref().map_or_else(String::new, |commit| format!(", commit {commit}"));
    add("hashwell", format!("{}{commit}", run.version));
    add("command", command_line(&run.command));
    let mode = if run.quick { "quick (less certain)" } else { "full" };
    let complete = if run.complete { "" } else { "; stopped before its end" };
    let shape = format!("{mode}, {} processes of up to {} rounds{complete}", run.processes, run.rounds);
    add("mode", shape);
    add("started", format!("{}, took {:.0} s", run.started, run.seconds));
    table
}

/// The facts that the reader must know before the figures: their uncertainty, and the problems of the run.
#[must_use]
pub fn cautions(report: &Report) -> Vec<String> {
    let run = &report.run;
    let lines = [
        (run.quick, "Quick mode: fewer processes and rounds, so the figures and intervals are less certain."),
        (run.processes == 1, "One process only: the intervals don't include differences between processes."),
        (!run.complete, "The run was stopped: the figures shown are correct, but rows or sizes are missing."),
    ];
    [holding(&lines), run.complaints.clone()].concat()
}

/// The providers that were measured, and those that were missing.
#[must_use]
pub fn providers(report: &Report) -> Table {
    let mut table = Table::new("Providers", "name", [])
        .with_words("version")
        .with_words("file, or the reason why it is missing");
    for provider in &report.providers {
        let last = provider.missing.as_ref().or(provider.path.as_ref()).cloned().unwrap_or_default();
        table.rows.push(vec![provider.name.clone(), provider.version.clone().unwrap_or_default(), last]);
    }
    table
}

/// The result in a few sentences, starting with the recommendation. No sentence calls something faster without an
/// interval.
#[must_use]
pub fn summary(report: &Report) -> Vec<String> {
    let mut lines = verdict(report);
    let Some(table) = beside_peers(report) else { return lines };
    let verdicts: Vec<&String> = table.rows.iter().filter_map(|row| row.last()).collect();
    let count = |what: &str| verdicts.iter().filter(|verdict| **verdict == what).count();
    let size = common_size(&rows(report, Group::Single, Operation::Digest), 1024).unwrap_or_default();
    lines.push(format!(
        "For messages of {}: of {} algorithms that another library also supports, hashwell is faster for {}, tied for \
         {} and slower for {} (95 % confidence intervals).",
        chart::bytes(size as f64),
        verdicts.len(),
        count("hashwell"),
        count("tied"),
        count("peer"),
    ));
    lines
}
