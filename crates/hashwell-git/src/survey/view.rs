//! A report as text, tables and charts.

use super::report::{Named, Operation, Operations, Report, Row, Unreadable};
use super::sizes::{CLASSES, Line};
use crate::object::ObjectType;
use hashwell_document::chart::{
    self, Axis, Bar, BarGroup, Bars, Chart, Dash, Ink, Labels, Layer, Mark, Point, Scale,
};
use hashwell_document::format::Format;
use hashwell_document::markup::Markup;
use hashwell_document::page;
use hashwell_document::table::{Table, document};
use hashwell_measure::report::{Standing, json};
use hashwell_measure::timing::statistics::{Estimate, median};
use hashwell_measure::view::figures::{GIB, written_ratio};
use hashwell_measure::view::verdict::{listed, why_not};
use serde::Serialize;

impl Report {
    /// Returns false if the survey was stopped before its end.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.run.complete
    }

    /// Returns true if everything could be read and the hash of every object is its id.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.check.is_right()
    }

    /// Writes the report in a format. The text ends with a newline.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        render(self, format)
    }

    /// One line for each problem, the first ten of each kind.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        complaints(self)
    }
}

fn render(report: &Report, format: Format) -> String {
    match format {
        Format::Json => json(report),
        Format::Csv => figures(report).csv(),
        Format::Html => page(report),
        Format::Text | Format::Markdown | Format::Asciidoc => {
            document(format, &summary(report), &tables(report))
        }
    }
}

/// Several reports in one output: JSON, or text with a table that compares the repositories. Other formats are for one
/// report.
#[must_use]
pub fn render_all(reports: &[Report], format: Format) -> String {
    match (reports, format) {
        ([only], _) => only.render(format),
        (_, Format::Json) => json(&Reports { schema: "hashwell-git-reports/1", reports }),
        _ => {
            let summaries: Vec<String> = reports.iter().flat_map(summary).collect();
            let of_one = |report: &Report| {
                let path = report.repository.path.clone();
                tables(report).into_iter().map(move |mut table| {
                    table.title = format!("{path}: {}", table.title);
                    table
                })
            };
            let tables: Vec<Table> =
                std::iter::once(comparison(reports)).chain(reports.iter().flat_map(of_one)).collect();
            document(format, &summaries, &tables)
        }
    }
}

/// The JSON form of several reports.
#[derive(Serialize)]
struct Reports<'a> {
    schema: &'static str,
    reports: &'a [Report],
}

/// A table with a row for each repository. The columns are its objects, the time of git's hash by type of object and,
/// if they were requested, the times of git's own operations with the share spent on hashing.
fn comparison(reports: &[Report]) -> Table {
    let kinds = ObjectType::ALL.map(ObjectType::name);
    let head = ["ids", "objects", "to hash", "git's hash", "per object"];
    let asked = reports.iter().any(|report| report.operations.is_some());
    let of_operations: &[&str] = if asked { &["index-pack", "share", "fsck", "share"] } else { &[] };
    let numbers = head.into_iter().chain(kinds).chain(of_operations.iter().copied()).map(str::to_owned);
    let title = if asked {
        "Repositories: CPU time of git's hash by object type, and times of git's operations"
    } else {
        "Repositories: CPU time of git's hash by object type"
    };
    let mut table = Table::new(title, "repository", numbers);
    let row = |report: &Report| {
        let now = report.rows.iter().find(|row| row.who.git_now && !row.who.many);
        let time = |kind: &str| {
            let of_kind = now.and_then(|row| row.types.iter().find(|time| time.kind == kind));
            of_kind.map_or_else(String::new, |time| seconds(time.seconds))
        };
        let each = |row: &Row| seconds(row.seconds.value / report.repository.objects.max(1) as f64);
        let operation = |operation: &Operation| match (operation.seconds, report.now_seconds()) {
            (Some(all), Some(now)) => [seconds(all), chart::percent(share(now, all))],
            _ => [String::new(), String::new()],
        };
        let head = [
            report.repository.path.clone(),
            report.repository.object_format.clone(),
            count(report.repository.objects),
            bytes(report.repository.stream_bytes),
            now.map_or_else(String::new, |row| seconds(row.seconds.value)),
            now.map_or_else(String::new, each),
        ];
        let operations = report.operations.iter().flat_map(Operations::named);
        let operations = operations.flat_map(|(_, measured)| operation(measured));
        head.into_iter().chain(kinds.map(time)).chain(operations).collect()
    };
    table.rows = reports.iter().map(row).collect();
    table
}

fn complaints(report: &Report) -> Vec<String> {
    let check = &report.check;
    let broken = |thing: &Unreadable| format!("{}: {}", thing.name, thing.why);
    let wrong = |id: &String| format!("object {id}: the hash of its content differs from its ID");
    let mut lines = first_of(&check.damaged, "packs or folders", broken);
    lines.extend(first_of(&check.unreadable, "objects", |thing| format!("object {}", broken(thing))));
    lines.extend(first_of(&check.mismatches, "objects", wrong));
    lines.extend(report.run.complaints.iter().cloned());
    lines
}

/// Lines about the first ten entries, and the number of the others.
fn first_of<T>(named: &Named<T>, what: &str, line: impl Fn(&T) -> String) -> Vec<String> {
    const SHOWN: usize = 10;
    let mut lines: Vec<String> = named.first.iter().take(SHOWN).map(line).collect();
    let more = named.count - lines.len() as u64;
    if more > 0 {
        lines.push(format!("{more} more {what} with this problem (--json lists up to a thousand)"));
    }
    lines
}

// ------------------------------------------------------------------------------------------- words

/// The verdict, followed by the findings.
fn summary(report: &Report) -> Vec<String> {
    [verdict(report), findings(report)].concat()
}

/// The recommendation, its effect, the choices that git offers, and the confidence. It is based only on the report's
/// figures.
fn verdict(report: &Report) -> Vec<String> {
    let one_by_one: Vec<&Row> = report.rows.iter().filter(|row| !row.who.many).collect();
    // Rows are sorted, so the first one of an algorithm is its fastest.
    let mut proposed: Vec<&Row> = Vec::new();
    for row in &one_by_one {
        let is_known = proposed.iter().any(|known| known.who.algorithm == row.who.algorithm);
        if !is_known && why_not(&row.who.algorithm).is_none() {
            proposed.push(row);
        }
    }
    let mut lines = Vec::new();
    let Some((first, rest)) = proposed.split_first() else { return lines };
    let took = |row: &Row| format!("{} ± {:.1} %", seconds(row.seconds.value), 100.0 * row.half_width());
    let (alike, slower): (Vec<&Row>, Vec<&Row>) =
        rest.iter().partition(|row| row.seconds.low <= first.seconds.high);
    let titles: Vec<String> = alike.iter().map(|row| row.who.title.clone()).collect();
    let alike = match titles.as_slice() {
        [] => String::new(),
        titles => format!(", which is not clearly faster than {}", listed(titles)),
    };
    let next =
        slower.first().map_or_else(String::new, |row| format!("; {} takes {}", row.who.title, took(row)));
    lines.push(format!(
        "Fastest collision-resistant hash for these objects: {} ({}, {}){alike}{next}.",
        first.who.title,
        took(first),
        first.who.provider,
    ));
    lines.push(weight(report, first.seconds.value, proposed[proposed.len() - 1].seconds.value));
    let now = one_by_one.iter().find(|row| row.who.git_now);
    let sha256 = proposed.iter().find(|row| row.who.algorithm == "sha256");
    if let Some((now, (row, over))) = now.zip(sha256.and_then(|row| Some((row, row.over_now?))))
        && now.who.standing() != Standing::Sound
    {
        lines.push(format!(
            "Git also supports SHA-256, which takes {}, {} times the time of the current hash ({}).",
            took(row),
            written_ratio(over),
            now.who.titled(),
        ));
    }
    let run = &report.run;
    let noise = match run.noisy > 0.05 {
        true => format!("other programs used the core in {:.0} % of the rounds", 100.0 * run.noisy),
        false => "no other program was detected on the core".to_owned(),
    };
    lines.push(format!("Confidence: 95 % intervals over {} batches in one process; {noise}.", run.batches));
    lines
}

/// The CPU time in seconds for decompressing and for applying deltas, for all objects to which the times of the rows
/// refer.
fn unpacking(report: &Report) -> f64 {
    let hashed = report.run.hashed_bytes.max(1) as f64;
    report.phases.inflate * report.hashed_bytes() as f64 / hashed
}

/// Compares the CPU time of hashing with that of decompressing the same objects. The result shows whether the choice of
/// the hash matters.
fn weight(report: &Report, fastest: f64, slowest: f64) -> String {
    let unpack = unpacking(report);
    let about = if report.hashed_bytes() == report.run.hashed_bytes { "" } else { "about " };
    let hash = match fastest < slowest {
        true => format!("{} to {}", seconds(fastest), seconds(slowest)),
        false => seconds(fastest),
    };
    let matters = match () {
        () if slowest <= unpack => {
            "the hash hardly matters, because decompressing takes longer than any of the hashes"
        }
        () if fastest > unpack => {
            "the hash matters, because even the fastest takes longer than decompressing"
        }
        () => "the hash matters: a fast one takes less time than decompressing, a slow one more",
    };
    format!("Decompressing takes {about}{}, hashing {hash}: {matters}.", seconds(unpack))
}

fn findings(report: &Report) -> Vec<String> {
    let (repository, run, check) = (&report.repository, &report.run, &report.check);
    let packs = match repository.packs {
        1 => "1 pack".to_owned(),
        n => format!("{n} packs"),
    };
    let mut lines = vec![format!(
        "{}: {} objects, {} to hash; IDs: {}; {packs}, {} in total",
        repository.path,
        count(repository.objects),
        bytes(repository.stream_bytes),
        repository.object_format,
        bytes(repository.packed_bytes),
    )];
    if !run.complete {
        lines.push("STOPPED early: the times cover only the objects that were already hashed.".to_owned());
    }
    if let Some(sample) = &run.sample {
        lines.push(format!(
            "ESTIMATED from a sample of {} objects, {}, chosen by seed '{}'.",
            count(sample.objects),
            bytes(sample.stream_bytes),
            sample.seed
        ));
    }
    if run.sample_is_whole {
        lines.push(
            "EXACT: the repository is no larger than the requested sample, so all of it was hashed."
                .to_owned(),
        );
    }
    let right = check.checked - check.mismatches.count;
    lines.push(format!(
        "{} of the {} objects that were read match their IDs.",
        count(right),
        count(check.checked)
    ));
    let wrong = [
        (check.mismatches.count, "objects do not match their IDs"),
        (check.unreadable.count, "objects could not be read"),
        (check.damaged.count, "packs or folders are damaged"),
    ];
    let wrong = wrong.into_iter().filter(|(n, _)| *n > 0);
    lines.extend(wrong.map(|(n, what)| format!("WRONG: {} {what}.", count(n))));
    lines.extend(answer(report));
    lines.extend(operations(report));
    lines.push(format!(
        "Other CPU time: headers {}, inflating and deltas {}, comparing IDs {}.",
        seconds(report.phases.headers),
        seconds(report.phases.inflate),
        seconds(report.phases.check),
    ));
    lines
}

/// The times in one line: hashwell's with one object at a time, and those of git's hash. A second line gives the errors
/// of the times that were predicted from the speed by size.
fn answer(report: &Report) -> Vec<String> {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| is_main(row)).collect();
    let time = |row: &&Row| {
        let half = 100.0 * row.half_width();
        format!("{} {} ± {half:.1} %", row.who.titled(), seconds(row.seconds.value))
    };
    let off = |row: &Row| row.deviation().abs();
    let Some(worst) = rows.iter().max_by(|a, b| off(a).total_cmp(&off(b))) else { return Vec::new() };
    let times: Vec<String> = rows.iter().map(time).collect();
    let deviations: Vec<f64> = rows.iter().map(|row| off(row)).collect();
    vec![
        format!("This repository, one object after the other: {}.", times.join(", ")),
        format!(
            "Times predicted from the speed by size and the sizes of the objects have a median error of {:.0} %; \
             the worst prediction is {:.0} % too {} ({}).",
            100.0 * median(&deviations),
            100.0 * off(worst),
            if worst.deviation() < 0.0 { "low" } else { "high" },
            worst.who.titled(),
        ),
    ]
}

/// Returns true if the row is for one object at a time and is hashwell's or git's own hash.
fn is_main(row: &Row) -> bool {
    !row.who.many && (row.who.git_now || row.who.provider == hashwell_measure::peers::ours::NAME)
}

fn count(n: u64) -> String {
    chart::number(n as f64)
}

fn bytes(n: u64) -> String {
    chart::bytes(n as f64)
}

fn seconds(value: f64) -> String {
    chart::seconds(value)
}

// ------------------------------------------------------------------------------------------ tables

fn tables(report: &Report) -> Vec<Table> {
    let mut tables = Vec::new();
    if !report.sizes.is_empty() {
        tables.push(sizes(report));
    }
    if !report.rows.is_empty() {
        tables.push(times(report));
        tables.push(types(report));
        tables.push(whole(report));
    }
    tables
}

/// The time of each hash for the objects of each type. Rows of calls that hash a batch of objects are omitted.
fn types(report: &Report) -> Table {
    let kinds: Vec<&Line> = report.sizes.iter().filter(|line| line.kind != "all").collect();
    let numbers = kinds.iter().flat_map(|line| [line.kind.clone(), "share".to_owned()]);
    let mut table = Table::new(
        "CPU time for the objects of each type, and its share of the hashing time",
        "hash",
        numbers,
    );
    let row = |row: &Row| {
        let of = |line: &&Line| {
            let time = row.types.iter().find(|time| time.kind == line.kind);
            time.map_or([String::new(), String::new()], |time| {
                [seconds(time.seconds), chart::percent(time.share)]
            })
        };
        let name = format!("{}{}", row.who, if row.who.git_now { " *" } else { "" });
        std::iter::once(name).chain(kinds.iter().flat_map(of)).collect()
    };
    table.rows = report.rows.iter().filter(|row| !row.who.many).map(row).collect();
    let number = |line: &&Line| format!("{} {}, {}", count(line.count), plural(line), bytes(line.bytes));
    table.notes = vec![format!("{}.", kinds.iter().map(number).collect::<Vec<_>>().join("; "))];
    table
}

/// `commits` or `commit`.
fn plural(line: &Line) -> String {
    if line.count == 1 { line.kind.clone() } else { format!("{}s", line.kind) }
}

/// The times of git's operations and the share spent on hashing, or the reasons why they are not available; nothing
/// if they were not requested.
fn operations(report: &Report) -> Vec<String> {
    let Some(operations) = &report.operations else { return Vec::new() };
    let by = operations.git.as_ref().map_or_else(String::new, |version| format!(" ({version}, one thread)"));
    let line = |(name, operation): (&str, &Operation)| match (operation, report.now_seconds()) {
        (Operation { seconds: Some(all), .. }, Some(now)) => format!(
            "git {name} takes {}{by}; hashing with git's hash is about {} of it.",
            seconds(*all),
            chart::percent(share(now, *all)),
        ),
        (Operation { seconds: Some(all), .. }, None) => {
            format!("git {name} takes {}{by}; the share spent on hashing is not available.", seconds(*all))
        }
        (Operation { unavailable, .. }, _) => {
            format!(
                "Time spent on hashing in git {name}: not available ({}).",
                unavailable.as_deref().unwrap_or_default()
            )
        }
    };
    operations.named().map(line).into()
}

/// The share of an operation's time that is spent on hashing. Both are measured, so the quotient could exceed 1.
fn share(hashing: f64, all: f64) -> f64 {
    (hashing / all).min(1.0)
}

/// The time that an operation would take with a different hash, divided by the time that it takes.
fn factor(report: &Report, row: &Row, operation: &Operation) -> String {
    match (operation.seconds, report.now_seconds()) {
        (Some(all), Some(now)) => format!("{:.2}", (all - now.min(all) + row.seconds.value) / all),
        _ => String::new(),
    }
}

/// The effect of each hash on operations that read every object. Rows of calls that hash a batch of objects are
/// omitted, because git processes one object after the other.
fn whole(report: &Report) -> Table {
    let title = "Effect on whole operations: reading and hashing every object";
    let measured = report
        .operations
        .iter()
        .flat_map(Operations::named)
        .filter(|(_, operation)| operation.seconds.is_some() && report.now_seconds().is_some());
    let measured: Vec<(&str, &Operation)> = measured.collect();
    let numbers = ["hashing", "share", "whole", "ratio to git's hash"].map(str::to_owned);
    let numbers = numbers.into_iter().chain(measured.iter().map(|(name, _)| format!("{name} ×")));
    let mut table = Table::new(title, "hash", numbers);
    let rest = report.phases.headers + unpacking(report);
    let all = |row: &Row| rest + row.seconds.value;
    let one_by_one = || report.rows.iter().filter(|row| !row.who.many);
    let now = one_by_one().find(|row| row.who.git_now).map(all);
    let row = |row: &Row| {
        let whole = all(row);
        let cells = [
            format!("{}{}", row.who, if row.who.git_now { " *" } else { "" }),
            seconds(row.seconds.value),
            chart::percent(row.seconds.value / whole),
            seconds(whole),
            now.map_or_else(String::new, |now| format!("{:.2}", whole / now)),
        ];
        let factors = measured.iter().map(|(_, operation)| factor(report, row, operation));
        cells.into_iter().chain(factors).collect()
    };
    table.rows = one_by_one().map(row).collect();
    table.notes = vec![
        "CPU time of one thread: headers, inflating, deltas and hashing. git index-pack and git fsck do this".into(),
        "and more, so their time changes by at most the ratio to git's hash. git index-pack also uses several \
         threads."
            .into(),
    ];
    if !measured.is_empty() {
        table.notes.push(
            "×: git's estimated time with this hash, divided by git's measured time (wall clock, one thread)."
                .into(),
        );
    }
    table
}

fn sizes(report: &Report) -> Table {
    let up_to = |end: &u64| format!("≤{}", bytes(*end));
    let classes = CLASSES.iter().map(up_to).chain(["more".to_owned()]);
    let numbers = ["count", "p50", "p90", "mean", "max", "all"].map(str::to_owned);
    let title = "Sizes of contents by type, and the share of each type's bytes by object size";
    let mut table = Table::new(title, "type", numbers.into_iter().chain(classes));
    let row = |line: &Line| {
        let part = |class: &u64| match (*class, line.bytes) {
            (0, _) => String::new(),
            (class, all) => format!("{:.1} %", 100.0 * class as f64 / all as f64),
        };
        let sizes = [line.p50, line.p90, line.mean.round() as u64, line.max, line.bytes].map(bytes);
        let head = [line.kind.clone(), count(line.count)];
        head.into_iter().chain(sizes).chain(line.class_bytes.iter().map(part)).collect()
    };
    table.rows = report.sizes.iter().map(row).collect();
    table
}

fn times(report: &Report) -> Table {
    let title = "CPU time of one thread for all objects; brackets: 95 % intervals";
    let numbers = ["time", "", "GiB/s", "ratio to git's hash", "predicted", "off by"].map(str::to_owned);
    let mut table = Table::new(title, "hash", numbers);
    let row = |row: &Row| {
        let Estimate { value, low, high } = row.seconds;
        let now = if row.who.git_now { " *" } else { "" };
        let rate = report.hashed_bytes() as f64 / value / GIB;
        vec![
            format!("{}{now}{}", row.who, if row.tie_with_above { "  = above" } else { "" }),
            seconds(value),
            format!("[{}, {}]", seconds(low), seconds(high)),
            format!("{rate:.2}"),
            row.over_now.map_or_else(String::new, written_ratio),
            seconds(row.predicted_seconds),
            format!("{:+.0} %", 100.0 * row.deviation()),
        ]
    };
    table.rows = report.rows.iter().map(row).collect();
    table.notes = notes(report);
    table
}

fn notes(report: &Report) -> Vec<String> {
    let run = &report.run;
    let many =
        "many at once: a batch of objects in one call, as git could do if it has many objects.".to_owned();
    vec![
        "*: the hash that git uses for IDs here. = above: not known to be slower than the row above."
            .to_owned(),
        many,
        format!("predicted: times by size (from {}), weighted by the sizes of the objects.", run.curves),
        format!(
            "{} batches, each timed {} × {} times in one process: intervals don't include differences between \
             processes.",
            run.batches, run.rounds, run.passes
        ),
    ]
}

/// A table of rows with unformatted numbers.
fn figures(report: &Report) -> Table {
    let numbers = [
        "provider",
        "kernel",
        "many",
        "git_now",
        "seconds",
        "low",
        "high",
        "over_now",
        "over_now_low",
        "over_now_high",
        "tie_with_above",
        "predicted_seconds",
        "complete",
        "sample_objects",
        "status",
    ];
    let mut table = Table::new("", "algorithm", numbers.map(str::to_owned));
    let number = |x: f64| format!("{x:.9}");
    let row = |row: &Row| {
        let over = row.over_now.map(|o| [o.value, o.low, o.high].map(number)).unwrap_or_default();
        let who = &row.who;
        let head = [
            who.algorithm.clone(),
            who.provider.clone(),
            who.kernel.clone().unwrap_or_default(),
            who.many.to_string(),
            who.git_now.to_string(),
        ];
        let times = [row.seconds.value, row.seconds.low, row.seconds.high].map(number);
        let sample = report.run.sample.as_ref().map_or_else(String::new, |s| s.objects.to_string());
        let tail = [
            row.tie_with_above.to_string(),
            number(row.predicted_seconds),
            report.run.complete.to_string(),
            sample,
            who.status.clone(),
        ];
        head.into_iter().chain(times).chain(over).chain(tail).collect()
    };
    table.rows = report.rows.iter().map(row).collect();
    table
}

// -------------------------------------------------------------------------------------------- page

/// A self-contained page.
fn page(report: &Report) -> String {
    page::page(&format!("hashwell git: {}", report.repository.path), |out| {
        out.open("header", &[]);
        out.element("p", &[("class", &"kicker")], "hashwell git");
        out.element("h1", &[], &report.repository.path);
        page::lead(out, &summary(report));
        facts(out, report);
        out.close();
        if !report.rows.is_empty() {
            page::section(out, "Time for this repository", "times", |out| {
                page::figure(out, &bars(report));
            });
            page::section(out, "Why: speed by size, and the sizes of the objects", "sizes", |out| {
                page::figure(out, &curves(report));
            });
        }
        page::section(out, "Tables", "tables", |out| tables(report).iter().for_each(|table| table.html(out)));
    })
}

fn facts(out: &mut Markup, report: &Report) {
    let facts = [
        ("CPU", report.run.cpu.clone()),
        ("hashwell", report.run.version.clone()),
        ("command", report.run.command.join(" ")),
    ];
    out.open("dl", &[("class", &"facts")]);
    for (name, value) in &facts {
        out.open("div", &[]);
        out.element("dt", &[], name);
        out.element("dd", &[], value);
        out.close();
    }
    out.close();
}

fn bars(report: &Report) -> Bars {
    let longest = report.rows.iter().map(|row| row.seconds.high).fold(0.0, f64::max);
    let (unit, unit_name) = chart::seconds_unit(longest);
    // The registry's title is short, so the status and the provider after it are not cut off.
    let label = |row: &Row| {
        let title = hashwell::find(&row.who.algorithm).map_or(row.who.title.as_str(), |known| known.title);
        format!("{} ({})", row.who.standing().titled(title), row.who.provider)
    };
    let bar = |row: &Row| Bar {
        label: label(row),
        ink: match () {
            () if row.who.git_now => Ink::Strong,
            () if is_ours(row) => Ink::Hue(0),
            () => Ink::Faint,
        },
        value: row.seconds.value / unit,
        interval: Some((row.seconds.low / unit, row.seconds.high / unit)),
        down_from: None,
        text: chart::number(row.seconds.value / unit),
        tip: row
            .over_now
            .map_or_else(String::new, |o| format!("{} times the time of the current hash", written_ratio(o))),
    };
    let group = |name: &str, many: bool| BarGroup {
        name: name.to_owned(),
        bars: report.rows.iter().filter(|row| row.who.many == many).map(bar).collect(),
    };
    let groups = [group("one by one", false), group("many at once", true)];
    Bars {
        id: "times".into(),
        title: "CPU time for all objects, one thread".into(),
        description: "Shorter is faster; whiskers are 95 % intervals. The same figures are in the tables."
            .into(),
        width: 960.0,
        label: format!("{unit_name}; whiskers: 95 % interval"),
        format: chart::number,
        groups: groups.into_iter().filter(|group| !group.bars.is_empty()).collect(),
        legend: [("current hash", Ink::Strong), ("hashwell", Ink::Hue(0)), ("others", Ink::Faint)]
            .map(|(name, ink)| (name.to_owned(), ink))
            .into(),
    }
}

fn is_ours(row: &Row) -> bool {
    row.who.provider == hashwell_measure::peers::ours::NAME
}

/// A chart of speed over size, in front of a histogram of the repository's bytes by size.
fn curves(report: &Report) -> Chart {
    let all: u64 = report.octaves.iter().sum();
    let bin = |(n, bytes_in): (usize, &u64)| {
        let (from, to) = ((1_u64 << n) as f64, (2_u64 << n) as f64);
        let part = *bytes_in as f64 / all.max(1) as f64;
        let tip =
            format!("{} to {}: {} of the bytes", chart::bytes(from), chart::bytes(to), chart::percent(part));
        ((from, to, part), tip)
    };
    let sizes = Layer::new(
        "bytes of this repository by object size",
        Ink::Faint,
        Mark::Backdrop(report.octaves.iter().enumerate().filter(|(_, bytes)| **bytes > 0).map(bin).collect()),
    );
    let line = |(hue, row): (usize, &Row)| {
        let point = |(len, ns): &(u64, f64)| {
            let speed = *len as f64 * 1e9 / ns;
            let tip = format!("{}, {}: {}", row.who, bytes(*len), chart::bytes_per_second(speed));
            Point { x: *len as f64, y: speed / GIB, tip }
        };
        let (ink, dash) = match row.who.git_now {
            true => (Ink::Strong, Dash::Dashed),
            false => (Ink::Hue(hue), if hue < chart::HUES { Dash::Solid } else { Dash::Dotted }),
        };
        Layer::new(row.who.titled(), ink, Mark::Line(row.curve.iter().map(point).collect())).dashed(dash)
    };
    let lines = report.rows.iter().filter(|row| is_main(row)).enumerate().map(line);
    Chart {
        id: "curves".into(),
        title: "Speed by size, one object at a time".into(),
        description:
            "The area behind the lines shows the share of the repository's bytes in objects of each size. \
            The speeds at the sizes where it is high determine the time."
                .into(),
        width: 960.0,
        height: 460.0,
        x: Axis::new("length of an object with its header", Scale::Log2, chart::bytes),
        y: Axis::new("GiB/s", Scale::Log10, chart::number),
        layers: std::iter::once(sizes).chain(lines).collect(),
        labels: Labels::Ends,
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::{Check, Phases, Repository, Run, SCHEMA, Sample, TypeTime, Who};
    use super::super::sizes::Sizes;
    use super::*;

    fn row(name: &str, many: bool, git_now: bool, value: f64, over: f64, tie: bool) -> Row {
        let algorithm = hashwell::find(name).unwrap();
        let provider = if git_now { "sha1dc" } else { "hashwell" };
        let mut who = Who::new(algorithm, provider.to_owned(), many, Some("soft".to_owned()));
        who.git_now = git_now;
        let around = |value: f64| Estimate { value, low: 0.99 * value, high: 1.02 * value };
        Row {
            who,
            seconds: around(value),
            types: [("commit", 0.25), ("blob", 0.75)]
                .map(|(kind, share)| TypeTime { kind: kind.to_owned(), seconds: share * value, share })
                .into(),
            over_now: Some(around(over)),
            tie_with_above: tie,
            predicted_seconds: value / 1.25,
            curve: vec![(16, 50.0), (1 << 20, 1e6)],
        }
    }

    fn report() -> Report {
        let mut sizes = Sizes::default();
        (0..3).for_each(|_| sizes.add(ObjectType::Commit, 200));
        sizes.add(ObjectType::Blob, 3000);
        sizes.add(ObjectType::Blob, 1000);
        Report {
            schema: SCHEMA.to_owned(),
            repository: Repository {
                path: "/a <b>".to_owned(),
                object_format: "SHA-1".to_owned(),
                packs: 1,
                packed_bytes: 2048,
                alternates: 0,
                objects: sizes.count(),
                stream_bytes: sizes.stream_bytes(),
            },
            run: Run {
                version: "1.2.3".to_owned(),
                command: vec!["hashwell".to_owned(), "git".to_owned()],
                cpu: "a CPU".to_owned(),
                complete: true,
                hashed_bytes: sizes.stream_bytes(),
                sample: None,
                sample_is_whole: false,
                batches: 8,
                rounds: 2,
                passes: 3,
                noisy: 0.0,
                curves: "this run".to_owned(),
                complaints: Vec::new(),
            },
            sizes: sizes.table(),
            octaves: sizes.octaves(),
            check: Check { checked: 5, ..Check::default() },
            phases: Phases { headers: 0.001, curves: 1.0, inflate: 0.25, check: 0.002, hash: 5.0 },
            operations: None,
            rows: vec![
                row("blake3", false, false, 0.5, 0.25, false),
                row("sha256", true, false, 0.5, 0.25, true),
                row("sha1", false, true, 2.0, 1.0, false),
            ],
        }
    }

    #[test]
    fn text() {
        let expected = "\
Fastest collision-resistant hash for these objects: BLAKE3 (500 ms ± 2.0 %, hashwell).
Decompressing takes 250 ms, hashing 500 ms: the hash matters, because even the fastest takes longer than decompressing.
Confidence: 95 % intervals over 8 batches in one process; no other program was detected on the core.
/a <b>: 5 objects, 4.54 KiB to hash; IDs: SHA-1; 1 pack, 2 KiB in total
5 of the 5 objects that were read match their IDs.
This repository, one object after the other: BLAKE3 500 ms ± 2.0 %, SHA-1, broken 2 s ± 2.0 %.
Times predicted from the speed by size and the sizes of the objects have a median error of 25 %; the worst prediction is 25 % too high (SHA-1, broken).
Other CPU time: headers 1 ms, inflating and deltas 250 ms, comparing IDs 2 ms.

Sizes of contents by type, and the share of each type's bytes by object size

type    count      p50       p90      mean       max       all   ≤256 B  ≤1 KiB  ≤4 KiB  ≤16 KiB  ≤64 KiB  ≤1 MiB  more
commit      3    200 B     200 B     200 B     200 B     600 B  100.0 %
blob        2  1\u{202f}000 B  2.93 KiB  1.95 KiB  2.93 KiB  3.91 KiB           25.0 %  75.0 %
all         5    200 B  2.93 KiB     920 B  2.93 KiB  4.49 KiB   13.0 %  21.7 %  65.2 %
";
        let text = render(&report(), Format::Text);
        assert!(text.starts_with(expected), "{text}");
        for line in [
            "BLAKE3 (hashwell)                          500 ms  [495 ms, 510 ms]   0.00    0.25 [0.25, 0.26]     400 ms   +25 %",
            "SHA-256 (hashwell, many at once)  = above  500 ms",
            "SHA-1, broken (sha1dc) *                      2 s",
            "8 batches, each timed 2 × 3 times",
        ] {
            assert!(text.contains(line), "{line}\nis not in\n{text}");
        }
        assert!(!text.contains("ESTIMATED") && !text.contains("STOPPED") && !text.contains("WRONG"));
    }

    #[test]
    fn whole_operations_are_slower_by_the_hash() {
        let mut report = report();
        // Reading headers takes 50 ms. Decompression takes 225 ms, which is doubled because half of the bytes were
        // hashed.
        (report.phases.headers, report.phases.inflate) = (0.05, 0.225);
        (report.repository.stream_bytes, report.run.hashed_bytes) = (4096, 2048);
        report.run.sample = Some(Sample { seed: "s".to_owned(), objects: 2, stream_bytes: 2048 });
        let rows = whole(&report).rows;
        assert_eq!(
            rows,
            [
                ["BLAKE3 (hashwell)", "500 ms", "50 %", "1 s", "0.40"],
                ["SHA-1, broken (sha1dc) *", "2 s", "80 %", "2.5 s", "1.00"]
            ]
        );
        assert!(render(&report, Format::Text).contains("Effect on whole operations"));
        // Without git's own hash, there is nothing to compare with.
        report.rows.retain(|row| !row.who.git_now);
        assert_eq!(whole(&report).rows, [["BLAKE3 (hashwell)", "500 ms", "50 %", "1 s", ""]]);
    }

    #[test]
    fn what_is_not_the_whole_is_marked() {
        let mut report = report();
        report.run.complete = false;
        report.run.sample = Some(Sample { seed: "s".to_owned(), objects: 2, stream_bytes: 1024 });
        report.check.mismatches.first.push("12ab".to_owned());
        report.check.mismatches.count = 12;
        report.check.checked = 20;
        let text = render(&report, Format::Text);
        for line in [
            "STOPPED early",
            "ESTIMATED from a sample of 2 objects, 1 KiB, chosen by seed 's'.",
            "WRONG: 12 objects do not match their IDs.",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(
            complaints(&report),
            [
                "object 12ab: the hash of its content differs from its ID",
                "11 more objects with this problem (--json lists up to a thousand)"
            ]
        );
    }

    #[test]
    fn other_formats() {
        let report = report();
        let csv = render(&report, Format::Csv);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(
            lines[2],
            "sha256,hashwell,soft,true,false,0.500000000,0.495000000,0.510000000,0.250000000,0.247500000,0.255000000,\
             true,0.400000000,true,,sound"
        );
        assert!(lines[3].starts_with("sha1,sha1dc,") && lines[3].ends_with(",broken"));
        assert_eq!(lines[0].split(',').count(), lines[2].split(',').count());
        let markdown = render(&report, Format::Markdown);
        assert!(
            markdown.contains("| type | count |") && markdown.contains("| BLAKE3 (hashwell) | 500 ms |"),
            "{markdown}"
        );
        assert!(render(&report, Format::Asciidoc).contains("|===\n| type | count "));
        let json: serde_json::Value = serde_json::from_str(&render(&report, Format::Json)).unwrap();
        assert_eq!((&json["schema"], &json["rows"][1]["many"]), (&SCHEMA.into(), &true.into()));
        assert_eq!(json["rows"][0]["seconds"]["low"], 0.495);
    }

    #[test]
    fn the_verdict_weighs_hashing_against_unpacking_and_never_takes_what_is_broken() {
        let mut report = report();
        let times = |report: &mut Report, blake3: f64, kt128: f64| {
            let mut sha1 = row("sha1", false, false, 0.001, 0.1, false);
            sha1.who.title = "SHA-1 of somebody".to_owned();
            let sha256 = row("sha256", false, false, 9.0 * kt128, 0.6, false);
            let now = row("sha1", false, true, 2.0, 1.0, false);
            let [blake3, kt128] =
                [("blake3", blake3), ("kt128", kt128)].map(|(n, t)| row(n, false, false, t, 0.1, false));
            let many = row("blake2s-256", true, false, 0.0001, 0.1, false);
            report.rows = vec![many, blake3, kt128, sha256, sha1, now];
        };
        times(&mut report, 0.003, 0.004);
        report.phases.inflate = 0.25;
        let lines = verdict(&report);
        assert_eq!(
            lines[0],
            "Fastest collision-resistant hash for these objects: BLAKE3 (3 ms ± 2.0 %, hashwell); \
             KT128 takes 4 ms ± 2.0 %."
        );
        assert_eq!(
            lines[1],
            "Decompressing takes 250 ms, hashing 3 ms to 36 ms: the hash hardly matters, \
             because decompressing takes longer than any of the hashes."
        );
        assert_eq!(
            lines[2],
            "Git also supports SHA-256, which takes 36 ms ± 2.0 %, 0.60 [0.59, 0.61] times the time of the current \
             hash (SHA-1, broken)."
        );
        // The intervals of the two fastest hashes overlap.
        times(&mut report, 0.1, 0.102);
        report.run.noisy = 0.25;
        let lines = verdict(&report);
        assert!(
            lines[0].contains(
                "BLAKE3 (100 ms ± 2.0 %, hashwell), which is not clearly faster than KT128; SHA-256 takes"
            ),
            "{lines:?}"
        );
        assert!(
            lines[1].ends_with("a fast one takes less time than decompressing, a slow one more."),
            "{lines:?}"
        );
        assert!(lines[3].ends_with("other programs used the core in 25 % of the rounds."), "{lines:?}");
        // For a sample, the time for decompressing is estimated in the same way as that for hashing.
        report.run.sample = Some(Sample { seed: "s".to_owned(), objects: 2, stream_bytes: 1024 });
        report.run.hashed_bytes = report.repository.stream_bytes / 2;
        assert!(
            verdict(&report)[1].starts_with("Decompressing takes about 500 ms"),
            "{:?}",
            verdict(&report)
        );
        // Without a sound algorithm, there is no verdict.
        report.rows.retain(|row| row.who.algorithm == "sha1");
        assert!(verdict(&report).is_empty());
    }

    #[test]
    fn what_is_not_sound_says_so_wherever_it_appears() {
        let mut report = report();
        report.rows.extend(hashwell::ALGORITHMS.iter().map(|a| row(a.name, false, false, 3.0, 1.0, false)));
        for format in [Format::Text, Format::Markdown, Format::Asciidoc, Format::Html] {
            let text = render(&report, format);
            for algorithm in hashwell::ALGORITHMS.iter().filter(|a| a.status != hashwell::Status::Sound) {
                let places = text.match_indices(algorithm.title);
                // The hash function of the repository's ids is a fact, not a choice.
                let places: Vec<usize> =
                    places.map(|(at, _)| at).filter(|at| !text[..*at].ends_with("IDs: ")).collect();
                assert!(places.len() > 1, "{} in {format:?}", algorithm.title);
                for at in places {
                    let after: String = text[at..].chars().take(algorithm.title.len() + 24).collect();
                    assert!(after.contains(algorithm.status.name()), "{format:?}: {after}");
                }
            }
        }
        let json: serde_json::Value = serde_json::from_str(&render(&report, Format::Json)).unwrap();
        assert_eq!(json["rows"][2]["status"], "broken");
    }

    #[test]
    #[ignore = "writes a page into $HASHWELL_PAGES for make test-browser"]
    fn pages() {
        let folder = std::env::var_os("HASHWELL_PAGES").expect("HASHWELL_PAGES names a folder");
        let mut report = report();
        report.repository.path = "/home/somebody/src/a-project-with-a-long-name/.git".to_owned();
        let of = |(i, name): (usize, &&str)| {
            let row = |many: bool, each: f64| {
                let mut row = row(name, many, false, 0.003 + 0.0015 * each, 0.3 + 0.1 * each, i == 3);
                let ns = |bytes: u64| (bytes, 60.0 + (0.2 + 0.13 * each) * bytes as f64);
                row.curve = hashwell_measure::engine::curve::SIZES.map(|bytes| ns(bytes as u64)).to_vec();
                row
            };
            [row(false, i as f64), row(true, 0.4 * i as f64)]
        };
        report.rows = super::super::DEFAULT_ALGORITHMS.iter().skip(1).enumerate().flat_map(of).collect();
        let mut now = row("sha1", false, true, 0.019, 1.0, false);
        now.who.title = "SHA-1 with collision detection".to_owned();
        now.curve = report.rows[0].curve.iter().map(|(bytes, ns)| (*bytes, 6.0 * ns)).collect();
        report.rows.extend([row("sha1", false, false, 0.01, 0.5, false), now]);
        report.phases.inflate = 0.025;
        std::fs::write(std::path::Path::new(&folder).join("git.html"), render(&report, Format::Html))
            .unwrap();
    }

    #[test]
    fn the_page_has_both_pictures_and_no_markup_from_names() {
        let page = render(&report(), Format::Html);
        // Each chart is drawn twice, for wide and for narrow windows.
        assert_eq!(page.matches("<svg").count(), 4);
        assert!(page.contains("/a &lt;b&gt;") && !page.contains("<b>") && page.ends_with("</html>\n"));
        assert!(page.contains("bytes of this repository") && !page.contains("http://127"));
        for part in ["<script", "src=", "@import"] {
            assert!(!page.contains(part), "{part}");
        }
    }
}
