//! Tests the verdict: its recommendations, the algorithms that it must not recommend, and its text if the figures are
//! not conclusive.

use crate::common;

use common::{LEVEL, digest, empty, small};
use hashwell::{ALGORITHMS, Status};
use hashwell_document::format::Format;
use hashwell_measure::report::{Report, Row};
use hashwell_measure::view::render::render;
use hashwell_measure::view::tables::{self, Options};
use hashwell_measure::view::verdict::verdict;

fn with(rows: Vec<Row>) -> Report {
    Report { rows, ..empty() }
}

/// All algorithms of the registry. Those that are not sound are ten times as fast as the others.
fn everything() -> Report {
    let row = |(i, algorithm): (usize, &hashwell::Algorithm)| {
        let each = if algorithm.status == Status::Sound { 1.0 + 0.1 * i as f64 } else { 0.1 };
        digest(algorithm.name, algorithm.title, "hashwell", 20.0 * each, each, LEVEL)
    };
    with(ALGORITHMS.iter().enumerate().map(row).collect())
}

#[test]
fn what_is_not_sound_says_so_wherever_it_appears() {
    let report = everything();
    let not_sound = || ALGORITHMS.iter().filter(|algorithm| algorithm.status != Status::Sound);
    assert!(not_sound().any(|a| a.name == "sha1") && not_sound().any(|a| a.name == "sha256-90r"));
    for format in [Format::Text, Format::Markdown, Format::Asciidoc, Format::Html] {
        let text = render(&report, format, Options { published: true, ticks: true });
        for algorithm in not_sound() {
            let places: Vec<usize> = text.match_indices(algorithm.title).map(|(at, _)| at).collect();
            assert!(places.len() > 3, "{} in {format:?}", algorithm.title);
            for at in places {
                let after: String = text[at..].chars().take(algorithm.title.len() + 24).collect();
                assert!(after.contains(algorithm.status.name()), "{format:?}: {after}");
            }
        }
    }
    let csv = render(&report, Format::Csv, Options::default());
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().ends_with(",status"));
    for line in lines {
        let name = line.split(',').nth(1).unwrap();
        assert!(line.ends_with(&format!(",{}", hashwell::find(name).unwrap().status.name())), "{line}");
    }
}

#[test]
fn what_is_not_sound_is_last_and_never_recommended() {
    let report = everything();
    let lines = verdict(&report);
    let left_out = lines.iter().position(|line| line.starts_with("Left out: ")).unwrap();
    assert!(lines[left_out].contains("SHA-1 (broken)"), "{lines:?}");
    assert!(lines[0].starts_with("For new files: "), "{lines:?}");
    for (algorithm, short) in ALGORITHMS.iter().map(|a| (a, a.output_range.1 < 32)) {
        let named = |line: &String| line.contains(&format!("{} ", algorithm.title));
        if algorithm.status != Status::Sound || short {
            assert!(!lines[..left_out].iter().any(named), "{}: {lines:?}", algorithm.title);
        }
    }
    // Both answers about strength name a sound algorithm, although the others are ten times as fast.
    for begins in ["If you need 256-bit preimage strength: ", "The most conservative choice, "] {
        assert_eq!(lines[..left_out].iter().filter(|line| line.starts_with(begins)).count(), 1, "{lines:?}");
    }
    let standings = |name: &str| {
        let title = name.split(" (").next().unwrap();
        ["", "legacy", "experimental", "broken"].iter().rposition(|word| title.ends_with(word)).unwrap()
    };
    let order: Vec<usize> =
        tables::speeds(&report).unwrap().rows.iter().map(|row| standings(&row[0])).collect();
    assert!(order.is_sorted() && order.contains(&3), "{order:?}");
    // The text output begins with the verdict, not with SHA-1.
    assert!(render(&report, Format::Text, Options::default()).starts_with("For new files: "));
    // A report with only broken algorithms has no verdict.
    let broken = with(vec![digest("sha1", "SHA-1", "hashwell", 1.0, 0.1, LEVEL)]);
    assert!(verdict(&broken)[0].starts_with("No verdict") && verdict(&broken)[1].contains("SHA-1 (broken)"));
    let unknown = with(vec![digest("sha9", "SHA-9", "hashwell", 1.0, 0.1, LEVEL)]);
    assert!(
        verdict(&unknown)[0].starts_with("No verdict") && verdict(&unknown)[1].contains("SHA-9 (unknown)")
    );
}

#[test]
fn the_crossover_lies_between_the_sizes_at_which_another_is_faster() {
    // They are equally fast at 933 bytes.
    let report = with(vec![
        digest("sha256", "SHA-256", "hashwell", 20.0, 0.5, LEVEL),
        digest("blake3", "BLAKE3", "hashwell", 300.0, 0.2, LEVEL),
    ]);
    let lines = verdict(&report);
    assert!(
        lines[0].starts_with(
            "For new files: BLAKE3 (4.65 GiB/s at 1 MiB, hashwell); the next fastest, SHA-256, takes 2.5"
        ),
        "{lines:?}"
    );
    assert_eq!(lines[1], "Up to 576 B, SHA-256 is faster; the crossover is between 576 B and 1 KiB.");
    assert!(
        lines[2].starts_with("If you need a NIST standard: SHA-256 (1.86 GiB/s at 1 MiB, hashwell)."),
        "{lines:?}"
    );
    assert!(
        lines[3].starts_with("If you need 256-bit preimage strength: SHA-256 (1.86 GiB/s at 1 MiB,"),
        "{lines:?}"
    );
    let margin = hashwell::find("sha256").unwrap().strength().margin();
    assert_eq!(
        lines[4],
        format!(
            "The most conservative choice, a NIST standard with 256-bit preimage strength ({margin}): also SHA-256."
        )
    );
    assert_eq!(
        lines[5],
        "Confidence: 95 % intervals over 3 processes of up to 5 rounds; no figure was disturbed."
    );
    assert_eq!(lines.len(), 6);
    // SHAKE128 is a NIST standard, but preimages only cost 2^128.
    let report = with(vec![
        digest("sha3-256", "SHA3-256", "hashwell", 20.0, 2.0, LEVEL),
        digest("shake128", "SHAKE128", "hashwell", 20.0, 1.5, LEVEL),
    ]);
    let lines = verdict(&report);
    let margin = hashwell::find("sha3-256").unwrap().strength().margin();
    let conservative = format!(
        "The most conservative choice, a NIST standard with 256-bit preimage strength ({margin}): SHA3-256 (477 MiB/s"
    );
    assert!(lines.iter().any(|line| line.starts_with(&conservative)), "{lines:?}");
    // The fastest one is strong, but not standardized. The next one is both.
    let report = with(vec![
        digest("blake2b-256", "BLAKE2b-256", "hashwell", 20.0, 0.5, LEVEL),
        digest("sha512-256", "SHA-512/256", "hashwell", 20.0, 1.0, LEVEL),
        digest("blake3", "BLAKE3", "hashwell", 20.0, 2.0, LEVEL),
    ]);
    let lines = verdict(&report);
    assert!(lines.contains(&"If you need 256-bit preimage strength: also BLAKE2b-256.".into()));
    assert!(lines.iter().any(|line| line.starts_with("The most") && line.ends_with(": also SHA-512/256.")));
    // Without an algorithm of that strength, there is no answer to either question.
    let weak = verdict(&with(vec![digest("blake3", "BLAKE3", "hashwell", 20.0, 0.5, LEVEL)]));
    assert!(!weak.iter().any(|line| line.contains("256-bit preimage") || line.contains("conservative")));
    // If one algorithm is the fastest at all sizes, the verdict says so.
    let lines = verdict(&small());
    assert!(
        lines[0].starts_with(
            "For new files: SHA-256 (1.86 GiB/s at 1 MiB, hashwell); the next fastest, BLAKE2b-256,"
        ),
        "{lines:?}"
    );
    assert_eq!(lines[1], "No other hash is clearly faster at any of the 11 sizes from 0 B to 1 MiB.");
}

#[test]
fn what_cannot_be_told_apart_is_not() {
    // The medians differ by 3 %, and the processes by 10 %.
    let wide: &[f64] = &[0.9, 1.0, 1.1];
    let other: &[f64] = &[1.1, 1.03, 0.95];
    let report = with(vec![
        digest("sha256", "SHA-256", "hashwell", 20.0, 0.5, wide),
        digest("blake3", "BLAKE3", "hashwell", 20.0, 0.5, other),
        digest("kt128", "KT128", "hashwell", 20.0, 5.0, wide),
    ]);
    let lines = verdict(&report);
    assert!(
        lines[0].contains("SHA-256")
            && lines[0].contains("which is not clearly faster than BLAKE3; KT128 takes 10"),
        "{lines:?}"
    );
    assert!(!lines.iter().any(|line| line.contains("crossover")), "{lines:?}");
    // If there is only one, there is no choice.
    let alone = verdict(&with(vec![digest("sha256", "SHA-256", "hashwell", 20.0, 0.5, LEVEL)]));
    assert_eq!(alone[0], "For new files: SHA-256 (1.86 GiB/s at 1 MiB, hashwell).");
    assert_eq!(alone[1], "No other hash of the same strength was measured.");
}

#[test]
fn the_strength_of_what_was_measured_is_that_of_the_registry() {
    let table = tables::strength(&everything()).unwrap();
    assert_eq!(table.rows.len(), ALGORITHMS.len());
    for algorithm in ALGORITHMS {
        let row = table.rows.iter().find(|row| row[0].split(',').next() == Some(algorithm.title)).unwrap();
        let strength = algorithm.strength();
        assert_eq!(row[1..3], [strength.collision.to_string(), strength.preimage.to_string()], "{row:?}");
        assert_eq!(row[5], strength.margin());
        // Algorithms that are not sound are marked and come last.
        assert_eq!(row[0].ends_with(algorithm.status.name()), algorithm.status != Status::Sound, "{row:?}");
    }
    assert!(table.rows.last().unwrap()[0].starts_with("SHA-1, broken"));
    let checksum = with(vec![digest("xxh3", "XXH3", "xxHash", 1.0, 0.1, LEVEL)]);
    assert!(tables::strength(&checksum).is_none());
}
