//! Untrusted reports: any file is either displayed in full, or rejected in one plain line.

use crate::common;

use common::{LEVEL, cell, digest, empty, small};
use hashwell_document::format::Format;
use hashwell_measure::report::{Cell, Group, Operation, Report, Row};
use hashwell_measure::view::diff::{Diff, Options as DiffOptions};
use hashwell_measure::view::render::render;
use hashwell_measure::view::tables::Options;
use serde_json::{Value, json};

const EVERYTHING: Options = Options { published: true, ticks: true };
const FORMATS: [Format; 6] =
    [Format::Text, Format::Markdown, Format::Asciidoc, Format::Csv, Format::Json, Format::Html];

/// A report with one row of each kind and few samples, so that it is fast to render.
fn tiny() -> Report {
    let mut report = small();
    for cell in report.rows.iter_mut().flat_map(|row| &mut row.cells) {
        cell.samples.truncate(2);
        cell.samples.iter_mut().for_each(|process| process.truncate(2));
    }
    for row in &mut report.rows {
        row.cells.retain(|cell| [0, 1024, 1 << 20].contains(&cell.bytes));
    }
    report.rows.retain(|row| row.variant.is_none() || row.group == Group::Threaded);
    report.rows.retain(|row| row.kernel.as_deref() != Some("soft") && row.operation != Operation::Read);
    report
}

/// Parses a text as a report. If it is rejected, there must be one line. Otherwise it is rendered in every format and
/// compared with another report, and the output must not contain anything that a terminal or a browser would interpret.
fn shown_or_refused(text: &str, what: &str) {
    let report = match Report::from_json(text) {
        Ok(report) => report,
        Err(why) => {
            assert!(!why.is_empty() && why.chars().count() < 400, "{what}: {why}");
            assert!(!why.contains(char::is_control), "{what}: {why:?}");
            return;
        }
    };
    // Numbers are computed in the same way for all tables. Text is escaped differently in each format.
    let formats = if text.contains("script") { &FORMATS[..] } else { &[Format::Text, Format::Html] };
    for format in formats.iter().copied() {
        let text = render(&report, format, EVERYTHING);
        let obeyed =
            |c: char| (c.is_control() && c != '\n' && c != '\t') || "\u{202e}\u{2066}\u{2028}".contains(c);
        if format != Format::Json {
            assert!(!text.contains(obeyed), "{what}, {format:?}");
        }
        assert!(!["NaN", "inf "].iter().any(|word| text.contains(word)), "{what}, {format:?}");
        if matches!(format, Format::Markdown | Format::Html) {
            // In Markdown, a `<` after a backslash is a literal character.
            let tags = text.match_indices("<script").filter(|(at, _)| !text[..*at].ends_with('\\'));
            assert_eq!(tags.count(), 0, "{what}, {format:?}");
        }
    }
    let _ = Diff::between(&tiny(), &report, DiffOptions::default()).render(Format::Text);
}

/// Unexpected values.
fn odd_values() -> Vec<Value> {
    let numbers = [0.0, -0.0, -1.0, 5e-324, 1e-320, 1e-3, 1e9, 1e15, 1e300, f64::MAX];
    let hostile =
        "</title><script>alert(1)</script>|\u{1b}]0;x\u{7}\u{202e}\u{2066}\u{2028}\"'`{x}\r\n= include::x[]";
    let mut values: Vec<Value> = numbers.map(|n| json!(n)).to_vec();
    values.extend([json!(u64::MAX), json!(i64::MIN), json!(1), json!(1025), json!(null), json!(true)]);
    values.extend([json!(""), json!("sha1"), json!("broken"), json!(hostile), json!("x".repeat(100_000))]);
    values.extend([json!([]), json!([[]]), json!({}), json!([1.0, null]), json!([[1.0], [1.0, 2.0, 3.0]])]);
    values
}

/// Finds the paths of all values inside a value. For arrays, only the first and the last element are included.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                paths(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(elements) if !elements.is_empty() => {
            let mut ends = vec![0, elements.len() - 1];
            ends.dedup();
            ends.iter().for_each(|i| paths(&elements[*i], &format!("{at}/{i}"), found));
        }
        _ => {}
    }
}

/// Mutates one member of a valid report at a time, in every way. A mutated report may be rejected, but nothing worse
/// may happen.
#[test]
fn no_mutation_of_a_report_is_more_than_refused() {
    let mut report = tiny();
    report.rows.retain(|row| row.algorithm != "shake128");
    report.run.complaints = vec!["nettle: wrong".into()];
    let valid = serde_json::to_value(&report).unwrap();
    shown_or_refused(&valid.to_string(), "the valid report");
    assert!(Report::from_json(&valid.to_string()).is_ok());
    let mut all = Vec::new();
    paths(&valid, "", &mut all);
    assert!(all.len() > 100, "{}", all.len());
    let mut refused = 0;
    let odd = odd_values();
    for path in &all {
        let mut mutated: Vec<(String, Value)> = Vec::new();
        let mut change = |what: &str, change: &dyn Fn(&mut Value)| {
            let mut report = valid.clone();
            change(report.pointer_mut(path).unwrap());
            mutated.push((format!("{what} at {path}"), report));
        };
        for value in &odd {
            change(&value.to_string().chars().take(30).collect::<String>(), &|place| *place = value.clone());
        }
        change("twice", &|place| {
            if let Value::Array(list) = place {
                list.extend(list.clone());
            }
        });
        change("backwards", &|place| {
            if let Value::Array(list) = place {
                list.reverse();
            }
        });
        for (what, mutated) in mutated {
            let text = mutated.to_string();
            refused += usize::from(Report::from_json(&text).is_err());
            shown_or_refused(&text, &what);
        }
        if let Some((parent, name)) = path.rsplit_once('/') {
            let mut without = valid.clone();
            if let Some(Value::Object(members)) = without.pointer_mut(parent) {
                members.remove(name);
                shown_or_refused(&without.to_string(), &format!("nothing at {path}"));
            }
        }
    }
    // Both results must occur, or the test checks nothing.
    assert!(refused > 500 && refused < all.len() * odd.len(), "{refused} of {}", all.len() * odd.len());
}

#[test]
fn damaged_text_is_refused_or_shown() {
    let text = serde_json::to_string(&tiny()).unwrap();
    let mut random = hashwell_measure::timing::random::Random(7);
    for cut in (0..text.len()).step_by(97) {
        shown_or_refused(&text[..cut], &format!("cut at {cut}"));
    }
    for round in 0..100 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = b' ' + random.below(95) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"0123456789.eE+-[]{},\""[random.below(21)]),
            }
        }
        shown_or_refused(&String::from_utf8_lossy(&bytes), &format!("round {round}"));
    }
    for number in ["NaN", "Infinity", "-Infinity", "1e999", "nan", "0x10", "1e-400"] {
        let changed = text.replacen("\"clock_ghz\":4.0", &format!("\"clock_ghz\":{number}"), 1);
        assert_ne!(changed, text);
        shown_or_refused(&changed, number);
        assert!(Report::from_json(&changed).is_err(), "{number}");
    }
    shown_or_refused(&"[".repeat(100_000), "nested");
    shown_or_refused("", "empty");
}

fn refused(report: &Report) -> String {
    Report::from_json(&serde_json::to_string(report).unwrap()).unwrap_err()
}

#[test]
fn figures_that_nobody_can_compute_with_are_refused() {
    type Change = fn(&mut Cell);
    let of_cell = |change: Change| {
        let mut report = small();
        change(&mut report.rows[1].cells[3]);
        refused(&report)
    };
    let cases: [(Change, &str); 9] = [
        (|cell| cell.samples.clear(), "no samples"),
        (|cell| cell.samples[1].clear(), "a process has no samples"),
        (|cell| cell.samples[1][2] = 0.0, "a sample must be 0.001 to 1e15 ns, not 0e0"),
        (|cell| cell.samples[1][2] = 1e-320, "a sample must be 0.001 to 1e15 ns, not 1e-320"),
        (|cell| cell.samples[1][2] = 1e300, "a sample must be 0.001 to 1e15 ns, not 1e300"),
        (|cell| cell.clock_ghz = -1.0, "the clock must be 0.001 to 1000 GHz, not -1e0"),
        (|cell| cell.wall_over_cpu = -0.5, "wall time / CPU time must be 0 to 1e12, not -5e-1"),
        (|cell| cell.samples = vec![vec![1.0]; 65], "the number of processes must be at most 64, not 65"),
        (
            |cell| cell.samples = vec![vec![1.0; 1001]],
            "the number of rounds of a process must be at most 1000, not 1001",
        ),
    ];
    for (change, words) in cases {
        assert_eq!(of_cell(change), format!("SHA-256 (hashwell), 256 bytes: {words}"));
    }
    let of_report = |change: fn(&mut Report)| {
        let mut report = small();
        change(&mut report);
        refused(&report)
    };
    type Damage = fn(&mut Report);
    let cases: [(Damage, &str); 8] = [
        (|r| r.rows.push(r.rows[1].clone()), "sha256 (hashwell) is listed twice"),
        (|r| r.rows[1].cells.swap(0, 1), "SHA-256 (hashwell): sizes must increase, but 0 comes after 8"),
        (
            |r| r.rows[1].messages = 0,
            "SHA-256 (hashwell): the numbers of messages and threads must be at least 1",
        ),
        (|r| r.rows[1].title = "x".repeat(201), "a name has 201 bytes: the limit is 200"),
        (|r| r.machine.cpu = "x".repeat(5000), "a string has 5000 bytes: the limit is 4096"),
        (|r| r.machine.tsc_ghz = Some(0.0), "the time-stamp counter must be 0.001 to 1000 GHz, not 0e0"),
        (|r| r.run.complaints = vec![String::new(); 10_001], "a list has 10001 entries: the limit is 10000"),
        (|r| r.providers.push(r.providers[0].clone()), "the provider hashwell is listed twice"),
    ];
    for (change, words) in cases {
        assert_eq!(of_report(change), words);
    }
}

/// All rows are different. Quadratic time in their number would take minutes.
#[test]
fn many_rows_are_shown_in_time() {
    let row = |i: usize| Row {
        cells: vec![cell(1024, 1000.0 + i as f64, &[1.0]), cell(1 << 20, 1e6, &[1.0])],
        operation: if i.is_multiple_of(2) { Operation::Digest } else { Operation::Absorb },
        ..digest(&format!("row {i}"), &format!("Row {i}"), &format!("provider {}", i % 500), 0.0, 1.0, LEVEL)
    };
    let mut report = Report { rows: (0..600).map(row).collect(), ..empty() };
    shown_or_refused(&serde_json::to_string(&report).unwrap(), "600 rows");
    report.rows = (0..4097).map(row).collect();
    assert_eq!(refused(&report), "the report has 4097 rows: the limit is 4096");
}
