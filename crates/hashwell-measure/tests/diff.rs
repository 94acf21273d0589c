//! Compares two reports: planted differences are found, and no others.

use crate::common;

use common::{Random, digest, empty, small};
use hashwell_document::format::Format;
use hashwell_measure::report::Report;
use hashwell_measure::view::diff::{Diff, Options, Verdict};

/// A report with `rows` rows of one size. Row `planted` takes `factor` times as long.
fn run(random: &mut Random, rows: usize, planted: usize, factor: f64) -> Report {
    let mut report = empty();
    report.rows = (0..rows)
        .map(|i| {
            let mut row = digest(&format!("row {i}"), &format!("Row {i}"), "hashwell", 0.0, 1.0, &[1.0]);
            row.cells.truncate(1);
            let ns = if i == planted { 1000.0 * factor } else { 1000.0 };
            row.cells[0].samples = random.samples(ns, 8, 0.004, 0.01);
            row
        })
        .collect();
    report
}

fn names(diff: &Diff, verdict: Verdict) -> Vec<&str> {
    diff.lines.iter().filter(|line| line.verdict == verdict).map(|line| line.name.as_str()).collect()
}

#[test]
fn a_slowdown_of_3_percent_in_one_of_300_rows_is_found() {
    let mut random = Random(1);
    let (old, new) = (run(&mut random, 300, 0, 1.0), run(&mut random, 300, 17, 1.03));
    let diff = Diff::between(&old, &new, Options::default());
    assert_eq!(names(&diff, Verdict::Slower).len(), 1, "{:?}", diff.summary());
    assert!(names(&diff, Verdict::Slower)[0].starts_with("Row 17, unknown "));
    assert!(names(&diff, Verdict::Faster).is_empty());
    assert_eq!(diff.exit_code(), 1);
    let words = diff.summary().join("\n");
    assert!(
        words.contains("1 slower, 0 faster") && words.contains("Largest slowdown: Row 17, unknown"),
        "{words}"
    );
    assert!(words.contains("at most 5 %"), "{words}");
    // In the other direction, it is faster, which is not a failure.
    let back = Diff::between(&new, &old, Options::default());
    assert_eq!((names(&back, Verdict::Faster).len(), back.exit_code()), (1, 0));
}

#[test]
fn where_nothing_changed_alarms_are_as_rare_as_stated() {
    let alarms = |options: Options| {
        let mut random = Random(2);
        let alarm = |_: &usize| {
            let (old, new) = (run(&mut random, 200, 0, 1.0), run(&mut random, 200, 0, 1.0));
            let diff = Diff::between(&old, &new, options);
            diff.lines.iter().any(|line| line.verdict != Verdict::NoDifferenceSeen)
        };
        (0..100).filter(alarm).count()
    };
    // Without a minimum change, 5 of 100 are expected. 13 or more have a probability below 0.002.
    let rate = Options { rate: 0.05, least: 0.0 };
    assert!(alarms(rate) <= 12, "{}", alarms(rate));
    // Control: with a rate of 1/2, there are many.
    assert!(alarms(Options { rate: 0.5, ..rate }) > 25);
}

#[test]
fn verdict_and_interval_agree() {
    let mut random = Random(3);
    let (old, new) = (run(&mut random, 50, 0, 1.0), run(&mut random, 50, 3, 1.05));
    let diff = Diff::between(&old, &new, Options { rate: 0.2, least: 0.0 });
    for line in &diff.lines {
        let [low, high] = line.interval.unwrap();
        let expected = match line.ratio.unwrap() {
            _ if low <= 1.0 && 1.0 <= high => Verdict::NoDifferenceSeen,
            ratio if ratio > 1.0 => Verdict::Slower,
            _ => Verdict::Faster,
        };
        assert_eq!(line.verdict, expected);
    }
    // The difference is detected, but too small to report.
    let tolerant = Diff::between(&old, &new, Options { rate: 0.2, least: 0.2 });
    assert_eq!(tolerant.exit_code(), 0);
}

#[test]
fn another_clock_is_no_change_but_another_cpu_is() {
    let mut random = Random(4);
    let old = run(&mut random, 20, 0, 1.0);
    let mut new = old.clone();
    for cell in new.rows.iter_mut().flat_map(|row| &mut row.cells) {
        cell.clock_ghz *= 2.0;
        cell.samples.iter_mut().flatten().for_each(|ns| *ns *= 0.5);
    }
    let diff = Diff::between(&old, &new, Options::default());
    assert_eq!((diff.unit, names(&diff, Verdict::NoDifferenceSeen).len()), ("core cycles", 20));
    new.machine.cpu = "Another".into();
    let diff = Diff::between(&old, &new, Options::default());
    assert_eq!((diff.unit, names(&diff, Verdict::Faster).len()), ("nanoseconds", 20));
    assert!(diff.remarks.iter().any(|r| r.contains("Test CPU 9000")), "{:?}", diff.remarks);
    assert!(
        diff.remarks.iter().any(|r| r.contains("times in nanoseconds depend on the CPU")),
        "{:?}",
        diff.remarks
    );
}

#[test]
fn rows_are_matched_by_what_they_are() {
    let (mut old, mut new) = (small(), small());
    // A row with a new kernel is the same row, with a remark. In a comparison of kernels, each kernel has its own row.
    old.rows[1].kernel = Some("soft".into());
    new.rows[1].kernel = Some("sha-ni".into());
    new.rows[6].kernel = Some("avx512".into());
    new.rows[2].variant = Some("low-level".into());
    new.rows[4].cells.retain(|cell| cell.bytes == 1024);
    new.run.quick = true;
    new.machine.compiler = "rustc 2".into();
    let diff = Diff::between(&old, &new, Options::default());
    assert_eq!(diff.only_old, ["SHA-256 (OpenSSL; EVP)", "SHA-256 (hashwell) on sha-ni"]);
    assert_eq!(diff.only_new, ["SHA-256 (OpenSSL; low-level)", "SHA-256 (hashwell) on avx512"]);
    for words in [
        "kernel of SHA-256 (hashwell): OLD soft, NEW sha-ni",
        "compiler: OLD rustc 1.95.0",
        "NEW was made in quick mode",
    ] {
        assert!(diff.remarks.iter().any(|remark| remark.contains(words)), "{words}: {:?}", diff.remarks);
    }
    let blake = diff.lines.iter().filter(|line| line.name.starts_with("BLAKE2b-256")).count();
    assert_eq!(blake, 1);
    // The disturbed size of SHA-1 is marked.
    assert_eq!(diff.lines.iter().filter(|line| line.disturbed).count(), 1);
}

#[test]
fn one_process_is_not_comparable_and_no_regression() {
    let mut new = small();
    new.rows.iter_mut().flat_map(|row| &mut row.cells).for_each(|cell| cell.samples.truncate(1));
    let diff = Diff::between(&small(), &new, Options::default());
    assert_eq!(names(&diff, Verdict::NotComparable).len(), diff.lines.len());
    assert_eq!(diff.exit_code(), 0);
    assert!(diff.render(Format::Text).contains("Not comparable: one process only"));
    let nothing = Diff::between(&empty(), &empty(), Options::default());
    assert_eq!((nothing.exit_code(), nothing.lines.len()), (0, 0));
    assert!(nothing.render(Format::Text).contains("None seen."));
}

#[test]
fn every_format_has_the_changes() {
    let mut random = Random(5);
    let (old, new) = (run(&mut random, 40, 0, 1.0), run(&mut random, 40, 7, 1.2));
    let diff = Diff::between(&old, &new, Options::default());
    for format in [Format::Text, Format::Markdown, Format::Asciidoc, Format::Html] {
        let text = diff.render(format);
        assert!(
            text.contains("Row 7, ") && !text.contains("Row 8, ") && text.contains("1 slower"),
            "{format:?}\n{text}"
        );
    }
    // CSV and JSON contain all lines.
    assert_eq!(diff.render(Format::Csv).lines().count(), 41);
    let json: serde_json::Value = serde_json::from_str(&diff.render(Format::Json)).unwrap();
    assert_eq!(json["lines"].as_array().unwrap().len(), 40);
    assert_eq!(json["lines"][7]["verdict"], "slower");
}
