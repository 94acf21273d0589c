//! The rows are the same as those that a state machine finds, for any block size, number of threads, and way of
//! reading.

use crate::common;

use std::io::Write;

use common::{all, naive, rows};
use hashwell_rows::{Format, Input, Options, Rows};
use proptest::prelude::*;

fn options(format: Format, block: usize, threads: usize) -> Options {
    let mut options = Options::default().with_format(format);
    options.header = Some(false);
    (options.block, options.threads) = (block, threads);
    options
}

/// The rows, and the line on which each one begins. In formats with fields, blank lines are not rows.
fn expected(bytes: &[u8], format: Format) -> Option<(Vec<Vec<u8>>, Vec<usize>)> {
    let rows = match format {
        Format::Nul => naive(bytes, 0, None),
        Format::Csv => naive(bytes, b'\n', Some(b',')),
        _ => naive(bytes, b'\n', None),
    }?;
    let lines = lines(&rows, format);
    let is_row = |row: &[u8]| match format {
        Format::Nul | Format::Lines => true,
        Format::JsonLines => row.iter().any(|byte| !b" \t\r\n".contains(byte)),
        _ => !matches!(row, b"\n" | b"\r\n"),
    };
    Some(rows.into_iter().zip(lines).filter(|(row, _)| is_row(row)).unzip())
}

fn lines(rows: &[Vec<u8>], format: Format) -> Vec<usize> {
    let terminator = if format == Format::Nul { 0 } else { b'\n' };
    let heights = rows.iter().map(|row| row.iter().filter(|&&byte| byte == terminator).count());
    heights.scan(1, |line, height| Some(std::mem::replace(line, *line + height))).collect()
}

/// Reads in steps: skips this many rows, reads one, and so on.
fn stepped(rows: &mut Rows, steps: &[u64]) -> Vec<(u64, Vec<u8>, String)> {
    let mut found = Vec::new();
    for step in steps.iter().cycle() {
        if rows.skip(*step).unwrap() < *step {
            break;
        }
        match rows.next().unwrap() {
            Some(row) => found.push((row.number(), row.bytes().to_vec(), row.place())),
            None => break,
        }
    }
    found
}

fn picked(all: &[Vec<u8>], lines: &[usize], name: &str, steps: &[u64]) -> Vec<(u64, Vec<u8>, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    for step in steps.iter().cycle() {
        at += *step as usize;
        let Some(row) = all.get(at) else { break };
        found.push((at as u64, row.clone(), format!("{name}:{}", lines[at])));
        at += 1;
    }
    found
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        Just(b'\n'),
        Just(b'"'),
        Just(b','),
        Just(0),
        Just(b'\r'),
        Just(b' '),
        Just(b'\t'),
        Just(b'x'),
        any::<u8>()
    ];
    // A byte order mark at the beginning has a separate test.
    proptest::collection::vec(byte, 0..200)
        .prop_filter("a mark", |bytes| bytes.first().is_none_or(u8::is_ascii))
        // Text in UTF-16 is an error: its zeros are all at even or all at odd positions.
        .prop_filter("UTF-16", |bytes| {
            let zeros: Vec<usize> = (0..bytes.len().min(128)).filter(|at| bytes[*at] == 0).collect();
            zeros.len() < 4 || zeros.iter().any(|at| at % 2 != zeros[0] % 2)
        })
        // Lines that end with carriage returns have a separate test, too. A newline outside of quotes rules them out.
        .prop_filter("carriage returns", |bytes| {
            let outside = bytes.iter().take_while(|byte| **byte != b'"');
            !bytes.contains(&b'\r') || outside.clone().any(|byte| *byte == b'\n')
        })
}

fn format() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::Lines),
        Just(Format::Nul),
        Just(Format::Csv),
        Just(Format::Tsv),
        Just(Format::JsonLines)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn blocks_and_steps_change_nothing(
        bytes in bytes(), format in format(), block in 1_usize..40, steps in proptest::collection::vec(0_u64..6, 1..5),
    ) {
        let options = options(format, block, 1);
        match expected(&bytes, format) {
            Some((expected, lines)) => {
                prop_assert_eq!(&all(&mut rows(&bytes, &options)).unwrap(), &expected);
                prop_assert_eq!(rows(&bytes, &options).skip(u64::MAX).unwrap(), expected.len() as u64);
                prop_assert_eq!(stepped(&mut rows(&bytes, &options), &steps), picked(&expected, &lines, "it", &steps));
            }
            None => {
                let read = all(&mut rows(&bytes, &options)).unwrap_err().to_string();
                let skipped = rows(&bytes, &options).skip(u64::MAX).unwrap_err().to_string();
                prop_assert_eq!(&read, &skipped);
                prop_assert!(read.ends_with("never closed"), "{}", read);
            }
        }
    }

    #[test]
    fn threads_change_nothing(
        bytes in bytes(), format in format(), block in 1_usize..20, threads in 1_usize..5,
        steps in proptest::collection::vec(0_u64..6, 1..5),
    ) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let input = [Input::path(file.path())];
        let options = options(format, block, threads);
        let name = file.path().display().to_string();
        match expected(&bytes, format) {
            Some((expected, lines)) => {
                let mut reading = Rows::open(&input, &options).unwrap();
                prop_assert_eq!(stepped(&mut reading, &steps), picked(&expected, &lines, &name, &steps));
                let mut skipping = Rows::open(&input, &options).unwrap();
                prop_assert_eq!(skipping.skip(u64::MAX).unwrap(), expected.len() as u64);
                prop_assert_eq!((skipping.rows(), skipping.bytes()), (expected.len() as u64, bytes.len() as u64));
            }
            None => prop_assert!(Rows::open(&input, &options).unwrap().skip(u64::MAX).is_err()),
        }
    }
}

/// The rows of a file and of a compressed stream are the same with any number of threads that the system allows.
#[test]
fn refused_threads_change_nothing() {
    let text: Vec<u8> = (0..3000).flat_map(|i| format!("row {i}\n").into_bytes()).collect();
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("rows.txt"), folder.path().join("rows.txt.zst"));
    std::fs::write(&plain, &text).unwrap();
    std::fs::write(&packed, zstd::encode_all(&text[..], 1).unwrap()).unwrap();
    for path in [plain, packed] {
        for allowed in 0..4 {
            let read =
                || all(&mut Rows::open(&[Input::path(&path)], &options(Format::Lines, 1000, 4)).unwrap());
            let rows = hashwell_work::refuse_threads(allowed, read).unwrap();
            assert!(rows.len() == 3000 && rows.concat() == text, "{} with {allowed}", path.display());
        }
    }
}

#[test]
fn names_and_fields_of_a_file_that_is_open() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(b"\xef\xbb\xbfid,\"a \"\"name\"\"\"\r\n1,\"x,y\"\r\n2,").unwrap();
    let input = Input::file("list", file);
    assert!(input.opens_again());
    // The input is read twice, each time from the first byte.
    for _ in 0..2 {
        let mut rows =
            Rows::open(std::slice::from_ref(&input), &Options::default().with_format(Format::Csv)).unwrap();
        assert_eq!(rows.names().unwrap(), [&b"id"[..], b"a \"name\""]);
        let fields =
            |row: hashwell_rows::Row<'_>| row.fields().map(|field| field.into_owned()).collect::<Vec<_>>();
        assert_eq!(fields(rows.next().unwrap().unwrap()), [&b"1"[..], b"x,y"]);
        let row = rows.next().unwrap().unwrap();
        assert_eq!((row.place(), fields(row)), ("list:3".to_owned(), vec![b"2".to_vec(), b"".to_vec()]));
        let raw = row.raw_fields().map(|field| (field.bytes(), field.is_quoted())).collect::<Vec<_>>();
        assert_eq!(raw, [(&b"2"[..], false), (b"", false)]);
    }
    for (quotes, text) in [(true, &b""[..]), (false, b"\"\"")] {
        let mut options = Options::default().with_format(Format::Tsv);
        options.quotes = Some(quotes);
        let mut rows = Rows::open(&[Input::reader("list", &b"a\n\"\"\n"[..])], &options).unwrap();
        let field = rows.next().unwrap().unwrap().raw_fields().next().unwrap();
        assert_eq!((field.bytes(), field.is_quoted(), &*field.text()), (&b"\"\""[..], quotes, text));
    }
    let mut lines = Rows::open(std::slice::from_ref(&input), &Options::default()).unwrap();
    assert!(lines.names().is_none() && lines.next().unwrap().unwrap().fields().next().is_none());
}
