//! Renders a report in every format and compares the results with files. Also tests unusual reports, and the page.

use crate::common;

use common::{cell, digest, empty, large, skipped, small};
use hashwell_document::format::Format;
use hashwell_document::table::Table;
use hashwell_measure::report::{
    Bin, CallRow, Calls, Group, Operation, PerCall, ProgramKind, ProgramSupport, Report, Row, State,
};
use hashwell_measure::view::published::{PublishedUnit, published};
use hashwell_measure::view::render::render;
use hashwell_measure::view::tables::{self, Options};
use std::path::Path;

const EVERYTHING: Options = Options { published: true, ticks: true };

/// Compares with a file in `tests/data`. With `HASHWELL_BLESS=1`, writes it instead; it must be reviewed before it is
/// committed.
fn pinned(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    if std::env::var_os("HASHWELL_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert!(text == expected, "{name} differs; HASHWELL_BLESS=1 writes it anew\n{text}");
}

#[test]
fn every_format_is_as_written_down() {
    let report = small();
    pinned("small.txt", &render(&report, Format::Text, EVERYTHING));
    pinned("small.md", &render(&report, Format::Markdown, Options::default()));
    pinned("small.adoc", &render(&report, Format::Asciidoc, Options::default()));
    pinned("small.csv", &render(&report, Format::Csv, Options::default()));
    pinned("small.json", &render(&report, Format::Json, Options::default()));
}

fn column<'a>(table: &'a Table, name: &str) -> Vec<&'a str> {
    let index = table.head.iter().position(|(head, _)| head == name).unwrap_or_else(|| panic!("no {name}"));
    table.rows.iter().map(|row| row[index].as_str()).collect()
}

#[test]
fn figures_are_those_of_the_samples() {
    let report = small();
    let a = tables::speeds(&report).unwrap();
    assert_eq!(
        column(&a, "Implementation"),
        [
            "SHA-256 (hashwell)",
            "SHA-256 (OpenSSL; EVP)",
            "BLAKE2b-256 (hashwell)",
            "SHA-1, broken (OpenSSL)",
            "XXH3 † (xxhash)"
        ]
    );
    // 1024 bytes in 20 + 512 ns are 1.79 GiB/s; the disturbed size is marked.
    assert_eq!(column(&a, "1 KiB")[..4], ["1.79", "1.79", "1.11", "~1.18"]);
    let compared = column(&a, "time / row above, 1 KiB [95 %]");
    assert!(compared[0].is_empty() && compared[1].ends_with("tied"), "{compared:?}");
    assert!(compared[2].starts_with("1.60 [") && !compared[2].contains("tied"), "{compared:?}");
    // Broken algorithms are not compared with sound ones, and checksums are not compared at all.
    assert!(compared[3].is_empty() && compared[4].is_empty());
    // 4 GHz and 20 + 0.5 b ns are slightly more than 2 cycles per byte.
    let b = tables::cycles(&report).unwrap();
    assert!(b.title.contains("core cycles (calibrated)"));
    assert_eq!((column(&b, "576 B")[0], column(&b, "long (1 MiB)")[0]), ("2.14", "2.00"));
    // 8 bits in 0.5 ns.
    assert_eq!(column(&b, "Gbit/s, long")[0], "16.0");
    let ticks = tables::ticks(&report).unwrap();
    assert_eq!(column(&ticks, "long (1 MiB)")[0], "1.50");
    let d = tables::latency(&report).unwrap();
    assert_eq!((column(&d, "0 B")[0], column(&d, "64 B")[0]), ("20.0", "52.0"));
    let e = tables::kernels(&report);
    assert_eq!((e.len(), column(&e[0], "Implementation")), (1, vec!["sha-ni-x4 × 32", "sha-ni", "soft"]));
    let c = tables::availability(&report).unwrap();
    assert_eq!(
        (column(&c, "hashwell"), column(&c, "OpenSSL")),
        (vec!["✓", "✓", ""], vec!["✓", "WRONG", "✓"])
    );
    assert_eq!(tables::streams(&report).len(), 2);
    assert_eq!(column(&tables::threaded(&report)[0], "1 MiB"), ["9.77"]);
    let duels = tables::beside_peers(&report).unwrap();
    assert_eq!((column(&duels, "Algorithm"), column(&duels, "faster")), (vec!["SHA-256"], vec!["tied"]));
    let counter = Report {
        run: hashwell_measure::report::Run { cycle_source: "hardware counter".into(), ..report.run.clone() },
        ..report
    };
    assert!(tables::cycles(&counter).unwrap().title.contains("core cycles (hardware counter)"));
}

#[test]
fn availability_shows_what_was_not_called_and_what_programs_have() {
    let mut report = small();
    assert!(tables::programs(&report).is_none());
    report.availability[0].state = State::Uncalled;
    let c = tables::availability(&report).unwrap();
    assert!(
        c.rows.iter().flatten().any(|text| text == "(✓)")
            && c.notes.iter().any(|note| note.starts_with("(✓)"))
    );
    let program = |algorithm: &str, kind, program: &str, state| ProgramSupport {
        algorithm: algorithm.into(),
        kind,
        program: program.into(),
        state,
    };
    report.programs = vec![
        program("sha1", ProgramKind::Command, "sha1sum", State::Right),
        program("sha256", ProgramKind::Command, "sha256sum", State::Right),
        program("sha256", ProgramKind::Command, "rhash --sha256 -", State::Wrong),
        program("sha256", ProgramKind::Language, "Go", State::Right),
    ];
    let table = tables::programs(&report).unwrap();
    assert_eq!(
        table.rows,
        [["SHA-256", "sha256sum, rhash --sha256 - WRONG", "Go"], ["SHA-1, broken", "sha1sum", ""]]
    );
    assert_eq!(table.notes.len(), 1);
    assert!(render(&report, Format::Text, Options::default()).contains(&table.title));
    // A report that lists a program twice can't have been measured.
    let text = render(&report, Format::Json, Options::default());
    assert_eq!(Report::from_json(&text).unwrap(), report);
    report.programs.push(report.programs[0].clone());
    let twice = render(&report, Format::Json, Options::default());
    assert!(Report::from_json(&twice).unwrap_err().contains("sha1 by sha1sum"));
}

/// If most figures are in doubt, one sentence replaces the marks.
#[test]
fn marks_are_for_the_few_and_a_sentence_is_for_the_many() {
    let busy = |every: usize| {
        let mut report = small();
        let cells = report.rows.iter_mut().flat_map(|row| &mut row.cells);
        cells.enumerate().for_each(|(i, cell)| cell.quiet = i % every != 0);
        render(&report, Format::Text, Options::default())
    };
    let few = busy(9);
    assert!(few.contains("marked ~, were disturbed") && few.matches('~').count() > 10, "{few}");
    let many = busy(2);
    assert!(
        !many.contains('~') && many.contains("figures were disturbed by other work: rely only"),
        "{many}"
    );
    assert_eq!(many.matches("disturbed").count(), 1);
}

#[test]
fn a_run_for_table_a_has_no_table_b() {
    let mut report = small();
    let sizes = [256, 1024, 8192, 16384, 1 << 20];
    report.rows.iter_mut().for_each(|row| row.cells.retain(|cell| sizes.contains(&cell.bytes)));
    assert!(tables::speeds(&report).is_some() && tables::cycles(&report).is_none());
    assert_eq!(tables::ticks(&report), None);
}

#[test]
fn many_messages_have_a_table_of_their_own() {
    let mut report = small();
    let mut row = digest("sha256", "SHA-256", "hashwell", 5.0, 0.1, common::LEVEL);
    (row.operation, row.messages) = (Operation::Many, 64);
    report.rows.push(row);
    let many = tables::many(&report).unwrap();
    assert_eq!(column(&many, "Implementation"), ["SHA-256 (hashwell) × 64"]);
    assert_eq!(many.head.len(), 8, "{:?}", many.head);
}

/// BLAKE3 on 1, 2 and 8 threads of a machine with 4 cores: twice and then three times as fast.
fn scaled(operation: Operation, messages: usize) -> Vec<Row> {
    let row = |(threads, ns): (usize, f64)| Row {
        group: Group::Scaling,
        operation,
        messages,
        threads,
        cells: vec![cell(1 << 24, ns, common::LEVEL)],
        ..digest("blake3", "BLAKE3", "hashwell", 0.0, 1.0, common::LEVEL)
    };
    [(8, 2e6), (1, 6e6), (2, 3e6)].map(row).into()
}

#[test]
fn scaling_is_compared_with_one_thread() {
    let mut report = Report { rows: scaled(Operation::Digest, 1), ..empty() };
    let tables = tables::scaling(&report);
    assert_eq!(tables.len(), 1);
    let table = &tables[0];
    assert_eq!(table.title, "Scaling: one large message (16 MiB), in wall-clock time");
    assert_eq!(column(table, "threads"), ["1", "2", "8 ‡"]);
    assert_eq!(column(table, "GiB/s"), ["2.60", "5.21", "7.81"]);
    assert_eq!(column(table, "efficiency"), ["100 %", "100 %", "37.5 %"]);
    let ratios = column(table, "speed-up [95 %]");
    assert!(ratios[0].is_empty() && ratios[1].starts_with("2.00 [") && ratios[2].starts_with("3.00 ["));
    let marked = "‡ more threads than the 4 cores of this machine, so threads share cores.";
    assert!(table.notes.iter().any(|note| note == marked), "{:?}", table.notes);
    let csv = render(&report, Format::Csv, Options::default());
    assert_eq!(csv.matches("oversubscribed").count(), 1, "{csv}");
    // The number of threads may be equal to the number of cores.
    report.machine.cores = 8;
    let table = &tables::scaling(&report)[0];
    assert_eq!((column(table, "threads")[2], table.notes.len()), ("8", 1));
    report.machine.cores = 1;
    assert!(tables::scaling(&report)[0].notes[1].contains("the one core of"));

    report.rows.extend(scaled(Operation::Many, 1024));
    assert!(tables::scaling(&report)[1].title.starts_with("Scaling: many messages (1024 × 16 MiB)"));
    let page = render(&report, Format::Html, Options::default());
    assert!(page.contains("Throughput by number of threads: one large message (16 MiB)"));
    assert!(page.contains("Throughput by number of threads: many messages (1024 × 16 MiB)"));
    assert!(page.contains("8 threads: 7.81 GiB/s, efficiency 37.5 %, more threads than cores"));
    assert!(page.contains("2 threads: 5.21 GiB/s, efficiency 100 %"));
    // Without a row for one thread, there is nothing to compare with, and a single number of threads gives no line.
    report.rows.retain(|row| row.threads != 1);
    assert_eq!(tables::scaling(&report), []);
    report.rows = scaled(Operation::Digest, 1);
    report.rows.retain(|row| row.threads == 1);
    assert_eq!(tables::scaling(&report).len(), 1);
    assert!(!render(&report, Format::Html, Options::default()).contains("by number of threads"));
}

/// 100 calls of one row. `counters` are the cycles, instructions and two kinds of misses.
fn single_calls(bytes: u64, counters: Option<[f64; 4]>) -> CallRow {
    CallRow {
        algorithm: "sha256".into(),
        title: "SHA-256".into(),
        provider: "hashwell".into(),
        variant: None,
        kernel: Some("sha-ni".into()),
        bytes,
        calls: 100,
        minimum: 400.0,
        p50: 440.0,
        p99: 480.0,
        maximum: 12_000.0,
        bins: vec![
            Bin { from: 400.0, to: 440.0, calls: 60 },
            Bin { from: 440.0, to: 480.0, calls: 39 },
            Bin { from: 480.0, to: 12_000.0, calls: 1 },
        ],
        counters: counters.map(|[cycles, instructions, cache_misses, branch_misses]| PerCall {
            cycles,
            instructions: Some(instructions),
            cache_misses: Some(cache_misses),
            branch_misses: (branch_misses >= 0.0).then_some(branch_misses),
        }),
    }
}

/// A report of single calls.
fn of_calls(missing: Option<&str>, rows: Vec<CallRow>) -> Report {
    let clock = "time-stamp counter, between fences".into();
    let calls = Calls { clock, clock_ghz: common::CLOCK_GHZ, missing: missing.map(str::to_owned), rows };
    Report { calls: Some(calls), ..empty() }
}

#[test]
fn single_calls_have_percentiles_and_counters() {
    let rows = vec![
        single_calls(1024, Some([440.0, 1320.0, 0.125, -1.0])),
        single_calls(64, Some([440.0, 880.0, 0.0, 0.5])),
    ];
    let report = of_calls(None, rows);
    let table = tables::calls(&report).unwrap();
    assert_eq!(column(&table, "message"), ["64 B", "1 KiB"]);
    assert_eq!((column(&table, "p50")[0], column(&table, "p99")[0]), ("440", "480"));
    assert_eq!(column(&table, "maximum")[0], "12\u{202f}000");
    assert_eq!(column(&table, "instructions / cycle"), ["2.00", "3.00"]);
    assert_eq!(column(&table, "cache misses"), ["0.00", "0.12"]);
    // For one of them, the CPU has no counter of branch misses.
    assert_eq!(column(&table, "branch misses"), ["0.50", "–"]);
    let page = render(&report, Format::Html, Options::default());
    assert!(page.contains("60 calls of 400 to 440 cycles") && page.contains("p50 440, p99 480"));
    // Calls above the 99th percentile would make the others too narrow to see.
    assert!(!page.contains("1 calls of"), "the slowest call is in the text alone");
    let csv = render(&report, Format::Csv, Options::default());
    let line = csv.lines().find(|line| line.starts_with("calls,") && line.contains(",64,")).unwrap();
    assert!(line.ends_with(",440,480,12000,2.0000,0.0000,0.5000,sound"), "{line}");
    assert_eq!(line.split(',').count(), csv.lines().next().unwrap().split(',').count());
    let json = render(&report, Format::Json, Options::default());
    assert!(Report::from_json(&json).unwrap() == report, "read as it was written");
}

#[test]
fn without_counters_the_reason_is_a_note() {
    let report = of_calls(Some("perf_event_open: No such file or directory"), vec![single_calls(64, None)]);
    let table = tables::calls(&report).unwrap();
    assert_eq!(table.head.len(), 6, "{:?}", table.head);
    let note = "Instructions per cycle, cache misses and branch misses are not available: perf_event_open: No such file or directory.";
    assert_eq!(table.notes[1], note);
    assert_eq!(tables::calls(&of_calls(None, Vec::new())), None);
    assert_eq!(tables::calls(&empty()), None);
}

#[test]
fn single_calls_that_nobody_can_have_timed_are_refused() {
    type Damage = fn(&mut CallRow);
    let cases: [(Damage, &str); 6] = [
        (|row| row.p50 = 0.0, "the duration of a call must be 0.001 to 1e15 cycles, not 0e0"),
        (|row| row.p99 = 20_000.0, "percentiles must not decrease"),
        (|row| row.bins.clear(), "the number of bins must be 1 to 100, not 0"),
        (|row| row.calls = 99, "the bins must contain all calls, and at least one call"),
        (|row| row.bins[0].calls = u64::MAX, "the bins must contain all calls, and at least one call"),
        (|row| row.counters = single_calls(64, Some([-1.0; 4])).counters, "a count must be 0 to 1e12 events"),
    ];
    for (damage, why) in cases {
        let mut row = single_calls(64, None);
        damage(&mut row);
        let json = render(&of_calls(None, vec![row]), Format::Json, Options::default());
        let error = Report::from_json(&json).unwrap_err();
        assert!(error.starts_with("SHA-256 (hashwell), 64 bytes: ") && error.contains(why), "{error}");
    }
    let mut slow = of_calls(None, Vec::new());
    slow.calls.as_mut().unwrap().clock_ghz = 0.0;
    let error = Report::from_json(&render(&slow, Format::Json, Options::default())).unwrap_err();
    assert!(error.starts_with("the clock of single calls must be"), "{error}");
}

#[test]
fn odd_reports_are_shown_and_say_what_they_are() {
    for format in [Format::Text, Format::Markdown, Format::Asciidoc, Format::Csv, Format::Json, Format::Html]
    {
        let text = render(&empty(), format, EVERYTHING);
        assert!(text.ends_with('\n') && !text.contains("NaN"), "{format:?}");
    }
    assert!(
        render(&empty(), Format::Text, Options::default())
            .starts_with("No verdict: no collision-resistant hash")
    );

    let mut odd = small();
    (odd.run.quick, odd.run.complete, odd.run.processes) = (true, false, 1);
    odd.run.complaints.push("nettle: wrong".into());
    for row in &mut odd.rows {
        row.cells.iter_mut().for_each(|cell| cell.samples.truncate(1));
    }
    // Some sizes are missing, and one row has none.
    odd.rows[0].cells.retain(|cell| cell.bytes == 256);
    odd.rows[4].cells.clear();
    let text = render(&odd, Format::Text, Options::default());
    for line in ["Quick mode", "One process only", "was stopped", "nettle: wrong", "quick (less certain)"] {
        assert!(text.contains(line), "{line}");
    }
    assert!(render(&odd, Format::Csv, Options::default()).contains("quick incomplete one-process"));
    let a = tables::speeds(&odd).unwrap();
    assert_eq!(a.rows.iter().find(|row| row[0].starts_with("SHA-1")).unwrap()[2], "");
    assert!(render(&odd, Format::Html, EVERYTHING).contains("class=\"cautions\""));
    // If the rounds differ, rows are compared like different runs.
    let mut ragged = small();
    ragged.rows[1].cells[5].samples[0].pop();
    assert!(tables::speeds(&ragged).is_some());
    // A machine without a time-stamp counter.
    ragged.machine.tsc_ghz = None;
    assert_eq!(tables::ticks(&ragged), None);
}

#[test]
fn json_is_read_again_and_other_formats_are_refused() {
    let report = large();
    let json = render(&report, Format::Json, Options::default());
    assert!(Report::from_json(&json).unwrap() == report, "read as it was written");
    let future = json.replacen("hashwell-speed/1", "hashwell-speed/2", 1);
    let error = Report::from_json(&future).unwrap_err();
    assert!(error.contains("hashwell-speed/2") && error.contains("hashwell-speed/1"), "{error}");
    for (text, word) in [
        ("{}", "not a report written by hashwell speed --json"),
        ("not JSON", "invalid JSON at line 1"),
        ("{\"schema\":\"hashwell-speed/1\"}", "missing field"),
    ] {
        let error = Report::from_json(text).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
}

// ------------------------------------------------------------------------------------- the page

/// The names of elements with their attributes. Panics if the page is not well-formed.
fn elements(text: &str) -> Vec<&str> {
    let (mut open, mut seen, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        let name = |tag: &str| tag.split([' ', '/']).next().unwrap().to_owned();
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop().as_deref(), Some(closed)),
            None if tag.starts_with("!DOCTYPE") => (),
            None => {
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                seen.push(tag);
                if !tag.ends_with('/') {
                    open.push(name(tag));
                }
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
    seen
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let page = render(&large(), Format::Html, EVERYTHING);
    let tags = elements(&page);
    let count = |start: &str| tags.iter().filter(|tag| tag.starts_with(start)).count();
    // An overview, providers, kernels, and a panel for each algorithm with a peer.
    assert!(count("svg ") > 10 && count("table") > 10 && count("title") > 100);
    assert!(
        page.contains("role=\"img\"")
            && page.contains("prefers-color-scheme:dark")
            && page.contains("@media print")
    );
    for word in ["<script", "<link", "<img", "<iframe", " src=", " href=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    // The only URLs are the name of the SVG namespace; the source of the published figures has none.
    let addresses: Vec<_> = page.match_indices("://").collect();
    assert_eq!(addresses.len(), page.matches("http://www.w3.org/2000/svg").count());
    let mut ids: Vec<&str> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique");
    assert!(page.len() < 2_000_000, "{}", page.len());
}

/// The ends of axes have the unit, and the numbers between them are plain. Text and values agree.
#[test]
fn axes_and_ticks_speak_of_one_unit() {
    let page = render(&large(), Format::Html, EVERYTHING);
    let texts = |class: &str| -> Vec<&str> {
        let elements = page.split("<text ").skip(1).filter(|element| element.contains(class));
        elements.map(|element| element.split(['>', '<']).nth(1).unwrap()).collect()
    };
    let ticks = texts("hw-tick");
    assert!(
        ticks.len() > 50 && ticks.iter().all(|tick| tick.replace('\u{202f}', "").parse::<f64>().is_ok()),
        "{ticks:?}"
    );
    let axes = texts("hw-axis").join(" ");
    assert!(
        axes.contains("GiB/s") && !axes.contains("MiB/s") && !axes.contains("bytes per second"),
        "{axes}"
    );
}

#[test]
fn hostile_names_stay_text_in_every_format() {
    let hostile = "</title><script>alert(1)</script>|\u{1b}]0;x\u{7}\"'\n";
    let mut report = small();
    report.machine.cpu = hostile.into();
    report.run.command = vec!["x".into(), hostile.into()];
    report.run.complaints = vec![hostile.into()];
    report.providers[1].name = hostile.into();
    for row in &mut report.rows {
        (row.title, row.algorithm, row.provider) = (hostile.into(), hostile.into(), hostile.into());
        row.kernel = Some(hostile.into());
    }
    let page = render(&report, Format::Html, EVERYTHING);
    assert!(!elements(&page).iter().any(|tag| tag.starts_with("script")));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    for format in [Format::Text, Format::Markdown, Format::Asciidoc] {
        let text = render(&report, format, EVERYTHING);
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{format:?}");
        let table_lines = text.lines().filter(|line| line.starts_with("| ")).count();
        assert!(format == Format::Text || table_lines > 20);
    }
    // A name that contains a newline is still one field.
    let csv = render(&report, Format::Csv, EVERYTHING);
    assert!(csv.matches("\"</title><script>").count() >= 3 * report.rows.len());
}

#[test]
#[ignore = "writes pages into $HASHWELL_PAGES for make test-browser"]
fn pages() {
    let folder = std::env::var_os("HASHWELL_PAGES").expect("HASHWELL_PAGES names a folder");
    let pages = [
        ("large.html", render(&large(), Format::Html, EVERYTHING)),
        ("small.html", render(&small(), Format::Html, Options::default())),
        ("empty.html", render(&empty(), Format::Html, Options::default())),
    ];
    for (name, page) in pages {
        std::fs::write(Path::new(&folder).join(name), page).unwrap();
    }
}

// ------------------------------------------------------------------------------------ published figures

#[test]
fn published_figures_are_complete_and_add_up() {
    let published = published();
    let sums: Vec<Vec<f64>> = published
        .tables
        .iter()
        .map(|table| (0..4).map(|i| table.rows.iter().map(|row| row.figures[i]).sum::<f64>()).collect())
        .collect();
    // Sums of the figures in the email.
    let expected = [
        [2_122_330.0, 3_061_484.0, 3_695_404.0, 3_805_041.0],
        [46.64, 42.14, 39.89, 38.60],
        [31.63, 28.31, 26.68, 25.72],
    ];
    for (sums, expected) in sums.iter().zip(expected) {
        assert!(sums.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{sums:?}");
    }
    assert_eq!(published.tables.iter().map(|t| t.rows.len()).collect::<Vec<_>>(), [9, 7, 7]);
    for table in &published.tables {
        let speed = |figure: f64| if table.unit == PublishedUnit::KibPerSecond { -figure } else { figure };
        assert!(
            table.rows.is_sorted_by(|a, b| speed(a.figures[1]) <= speed(b.figures[1])),
            "{}",
            table.machine
        );
        for row in &table.rows {
            assert!(hashwell::find(&row.algorithm).is_ok(), "{}", row.algorithm);
            assert_eq!(row.figures.len(), table.sizes.len());
        }
    }
}

/// If the original is available, every row is in it literally.
#[test]
fn published_figures_are_those_of_the_mail() {
    let shared = std::env::var_os("HASHWELL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        std::path::PathBuf::from,
    );
    let Ok(mail) = std::fs::read_to_string(shared.join("originals/git-hash-candidates-mail.txt")) else {
        skipped("published figures against their source", "it is not beside the checkout");
        return;
    };
    for table in published().tables {
        let digits = if table.unit == PublishedUnit::KibPerSecond { 0 } else { 2 };
        for row in table.rows {
            let figures: Vec<String> = row.figures.iter().map(|f| format!("{f:.digits$}")).collect();
            let line = format!("| {} | {} |", row.name, figures.join(" | "));
            assert!(mail.contains(&line), "{line}");
        }
    }
}

#[test]
fn published_figures_meet_those_of_the_same_library_and_of_hashwell() {
    let mut report = small();
    let mut threaded = report.rows.last().unwrap().clone();
    threaded.cells = vec![cell(256, 20_000.0, common::LEVEL)];
    report.rows.push(threaded.clone());
    // Four threads of libb2 that share one core, and one thread of hashwell.
    let shared =
        Row { group: Group::Single, variant: Some("4 threads, one core".into()), ..threaded.clone() };
    let ours =
        Row { group: Group::Single, variant: None, threads: 1, provider: "hashwell".into(), ..threaded };
    report.rows.extend([shared, ours]);
    let tables = hashwell_measure::view::published::tables(&report);
    let line = |table: usize, name: &str, after: usize| {
        let at = tables[table].rows.iter().position(|row| row[0] == name).unwrap();
        tables[table].rows[at + after].clone()
    };
    // 256 bytes in 20 + 128 ns: 1689189 KiB/s, 6.39 times the laptop's 264276.
    assert_eq!(
        line(0, "SHA-256 (OpenSSL)", 1)[1..3],
        ["here: OpenSSL; EVP", "1\u{202f}689\u{202f}189 (×6.39)"]
    );
    assert_eq!(line(0, "SHA-256 (OpenSSL)", 2)[1..3], ["here: hashwell", "1\u{202f}689\u{202f}189 (×6.39)"]);
    assert_eq!(
        line(0, "BLAKE2bp (libb2; threaded)", 1)[1..3],
        ["here: libb2; threaded", "12\u{202f}500 (×1.02)"]
    );
    assert_eq!(line(0, "BLAKE2bp (libb2)", 1)[1], "here: hashwell");
    assert_eq!(line(0, "BLAKE2bp (libb2)", 2)[1], "2018", "threads are no counterpart of one");
    // For cycles, smaller is better: 2.14 here, 8.90 published. `long` is the longest size in the report.
    assert_eq!(line(1, "SHA-256", 2)[2..], ["2.14 (×4.16)", "2.05 (×3.94)", "2.02 (×3.85)", "2.00 (×3.79)"]);
    assert_eq!(tables[0].rows.iter().filter(|row| row[1] == "2018").count(), 9);
    assert!(report.rows.iter().any(|row| row.group == Group::Kernels), "kernels are no counterparts");
    assert_eq!(tables[1].rows.iter().filter(|row| row[1].starts_with("here")).count(), 4);
}
