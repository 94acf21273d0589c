//! Inputs that are unusual, empty, wrong or too long.

use crate::common;

use std::io::Write;

use common::{all, naive, rows};
use hashwell_rows::{Error, Format, Input, Options, Rows};
use proptest::prelude::*;

fn csv() -> Options {
    Options::default().with_format(Format::Csv)
}

fn without_header(format: Format) -> Options {
    let mut options = Options::default().with_format(format);
    options.header = Some(false);
    options
}

fn named(name: &str, bytes: &[u8]) -> Input {
    Input::reader(name, std::io::Cursor::new(bytes.to_vec()))
}

fn field(bytes: &[u8], options: &Options, column: &str) -> Result<Vec<u8>, Error> {
    let mut rows = rows(bytes, options);
    let column = rows.column(column)?;
    let row = rows.next()?.expect("a row");
    row.field(&column).map(std::borrow::Cow::into_owned)
}

#[test]
fn nothing_and_next_to_nothing() {
    for format in [Format::Lines, Format::Nul, Format::Csv, Format::Tsv, Format::JsonLines] {
        let options = Options::default().with_format(format);
        assert_eq!((rows(b"", &options).skip(9).unwrap(), rows(b"", &options).header()), (0, None));
    }
    let mut only_header = rows(b"id,x", &csv());
    assert_eq!(only_header.header(), Some(&b"id,x"[..]));
    assert!(only_header.next().unwrap().is_none());
    assert!(only_header.next().unwrap().is_none());
    // There are no rows for which the column is needed.
    assert!(rows(b"", &csv()).column("x").is_ok());
    assert_eq!(rows(b"\xef\xbb\xbf", &without_header(Format::Csv)).skip(1).unwrap(), 0);
    assert!(Rows::open(&[], &csv()).unwrap().next().unwrap().is_none());
}

#[test]
fn after_an_error_no_other_file_has_rows() {
    let files = || [named("one", b"id\n1\n"), named("two", b"x\n2\n"), named("three", b"id\n3\n")];
    for skips in [false, true] {
        let mut rows = Rows::open(&files(), &csv()).unwrap();
        assert_eq!(rows.next().unwrap().unwrap().bytes(), b"1\n");
        let mut said = || if skips { rows.skip(1).map(drop) } else { rows.next().map(drop) };
        let said = [said(), said(), said()].map(|said| said.unwrap_err().to_string());
        let ends = "two: reading stopped at an earlier error";
        assert_eq!(said, ["two: the header row differs from the header of one", ends, ends]);
        assert_eq!(rows.rows(), 1);
    }
}

#[test]
fn a_million_empty_lines_are_rows_of_lines_only() {
    let lines = vec![b'\n'; 1_000_000];
    let lines_only = without_header(Format::Lines);
    assert_eq!(rows(&lines, &lines_only).skip(u64::MAX).unwrap(), 1_000_000);
    assert_eq!(rows(&lines, &lines_only).at(999_999).unwrap().unwrap().place(), "it:1000000");
    assert!(rows(&lines, &lines_only).at(1_000_000).unwrap().is_none());
    let and_one = [&lines[..], b"1\n"].concat();
    for format in [Format::Csv, Format::Tsv, Format::JsonLines] {
        let mut options = Options::default().with_format(format);
        options.header = Some(false);
        assert_eq!(rows(&and_one, &options).skip(u64::MAX).unwrap(), 1);
        assert_eq!(rows(&and_one, &options).next().unwrap().unwrap().place(), "it:1000001");
    }
}

#[test]
fn ends_of_lines_stay_as_they_are() {
    let text = b"a,b\r\n1,x\ry\r\n2,\0\n3,last";
    let mut read = rows(text, &csv());
    assert_eq!(read.header(), Some(&b"a,b\r\n"[..]));
    let b = read.column("b").unwrap();
    let mut fields = Vec::new();
    let mut bytes = Vec::new();
    while let Some(row) = read.next().unwrap() {
        bytes.push(row.bytes().to_vec());
        fields.push(row.field(&b).unwrap().into_owned());
    }
    assert_eq!(bytes, [&b"1,x\ry\r\n"[..], b"2,\0\n", b"3,last"]);
    assert_eq!(fields, [&b"x\ry"[..], b"\0", b"last"]);
}

#[test]
fn a_mark_before_utf8_is_kept_and_not_taken_for_a_name() {
    let text = b"\xef\xbb\xbf\"id\",x\n7,8\n";
    assert_eq!(rows(text, &csv()).header(), Some(&b"\xef\xbb\xbf\"id\",x\n"[..]));
    assert_eq!(field(text, &csv(), "id").unwrap(), b"7");
    for block in 1..12 {
        let mut options = without_header(Format::Csv);
        options.block = block;
        assert_eq!(field(text, &options, "1").unwrap(), b"id");
        assert_eq!(all(&mut rows(text, &options)).unwrap().concat(), text);
        assert_eq!(rows(text, &options).skip(9).unwrap(), 2);
    }
    let utf16 = [0xff, 0xfe, b'a', 0, b'\n', 0];
    for options in [csv(), without_header(Format::Lines)] {
        let message =
            Rows::open(&[named("it", &utf16)], &options).and_then(|mut rows| rows.skip(9)).err().unwrap();
        let message = message.to_string();
        assert!(message.starts_with("it: ") && message.contains("UTF-16"), "{message}");
    }
}

#[test]
fn an_open_quote_does_not_swallow_the_file() {
    let text = [&b"a,b\n1,2\n3,\"4\n"[..], &[b'x'; 5000]].concat();
    let mut options = csv();
    for block in [1, 7, 64, 1 << 18] {
        options.block = block;
        options.max_record = 1000;
        for skip in [true, false] {
            let mut read = rows(&text, &options);
            let error = if skip { read.skip(9).map(|_| ()) } else { all(&mut read).map(|_| ()) }.unwrap_err();
            assert!(matches!(error, Error::TooLong { limit: 1000, .. }), "{error}");
            assert!(error.to_string().starts_with("it:3: "), "{error}");
        }
        options.max_record = 1 << 20;
        let error = rows(&text, &options).skip(9).unwrap_err().to_string();
        assert_eq!(error, "it:3: the quote opened here is never closed");
    }
}

#[test]
fn the_limit_is_the_longest_row_that_is_held() {
    let text = [&[b'x'; 99][..], b"\n", &[b'y'; 100], b"\nz"].concat();
    for block in [1, 10, 1 << 18] {
        let mut options = Options::default();
        (options.block, options.max_record) = (block, 100);
        let mut read = rows(&text, &options);
        assert_eq!(read.next().unwrap().unwrap().bytes().len(), 100);
        assert!(read.next().err().unwrap().to_string().starts_with("it:2: "));
        // Skipped rows are not kept in memory.
        assert_eq!(rows(&text, &options).at(2).unwrap().unwrap().bytes(), b"z");
    }
}

#[test]
fn several_files_are_one_stream() {
    let inputs = || {
        [
            named("a", b"id,x\n1,2"),
            named("b", b""),
            named("c", b"\xef\xbb\xbfid,x\r\n3,4\n"),
            named("d", b"id,x"),
        ]
    };
    let mut read = Rows::open(&inputs(), &csv()).unwrap();
    let x = read.column("x").unwrap();
    let mut found = Vec::new();
    while let Some(row) = read.next().unwrap() {
        found.push((row.number(), row.bytes().to_vec(), row.place(), row.field(&x).unwrap().into_owned()));
    }
    let expected = [
        (0, b"1,2".to_vec(), "a:2".into(), b"2".to_vec()),
        (1, b"3,4\n".to_vec(), "c:2".into(), b"4".to_vec()),
    ];
    assert_eq!(found, expected);
    assert_eq!(Rows::open(&inputs(), &csv()).unwrap().skip(9).unwrap(), 2);
    let other = [named("a", b"id,x\n1,2\n"), named("b", b"id,y\n")];
    let error = Rows::open(&other, &csv()).unwrap().skip(9).unwrap_err().to_string();
    assert!(error.contains("a") && error.starts_with("b: "), "{error}");
}

#[test]
fn columns_that_are_not_there() {
    let text = b"id,x,x\n1,2,3\n";
    assert_eq!(field(text, &csv(), "2").unwrap(), b"2");
    assert!(field(text, &csv(), "x").unwrap_err().to_string().contains("twice"));
    assert!(field(text, &csv(), "y").unwrap_err().to_string().contains("is not in the header"));
    assert!(field(text, &without_header(Format::Csv), "x").unwrap_err().to_string().contains("number"));
    assert!(field(text, &without_header(Format::Csv), "0").is_err());
    assert!(field(b"a", &Options::default(), "1").unwrap_err().to_string().contains("no columns"));
    let message = field(b"a,b\n1\n", &csv(), "b").unwrap_err().to_string();
    assert_eq!(message, "it:2: the row has 1 fields: column 2 is missing");
}

#[test]
fn json_by_key() {
    let options = Options::default().with_format(Format::JsonLines);
    let get = |row: &[u8]| field(row, &options, "k").map_err(|error| error.to_string());
    assert_eq!(get(b"{\"a\":[{\"k\":1}],\"k\": 1.50 }\r\n").unwrap(), b"1.50");
    assert_eq!(get(b"{\"\\u006b\":\"a\\nb\"}").unwrap(), b"a\nb");
    assert_eq!(get(b"{\"k\":1,\"k\":null}").unwrap(), b"");
    assert_eq!(get(b"{}").unwrap_err(), "it:1: the object has no key \"k\"");
    for wrong in [&b"{"[..], b"[1]", b"{\"k\":1} 2", b"\xff"] {
        assert!(get(wrong).unwrap_err().starts_with("it:1: not a JSON object: "));
    }
    assert!(get(&[b'['; 100_000]).is_err());
}

/// A key that an object lacks is null in sampling keys. A key that all objects lack is an error at the end.
#[test]
fn sampling_keys_of_sparse_json() {
    let options = Options::default().with_format(Format::JsonLines);
    let keys = |text: &'static [u8], names: &[&str]| {
        let mut rows = rows(text, &options);
        let columns: Vec<_> = names.iter().map(|name| rows.column(name).unwrap()).collect();
        let mut keys = Vec::new();
        while let Some(row) = rows.next()? {
            for column in &columns {
                keys.push(row.sampling_key(column)?.into_owned());
            }
        }
        Ok::<_, Error>(keys)
    };
    let text = b"{\"a\":1}\n{\"b\":\"x\"}\n{}\n";
    assert_eq!(keys(text, &["a", "b"]).unwrap(), [&b"1"[..], b"", b"", b"x", b"", b""]);
    let told = keys(text, &["a", "c"]).unwrap_err().to_string();
    assert_eq!(told, "column \"c\" cannot be used: no row has this key");
    assert!(keys(b"\n", &["c"]).unwrap().is_empty());
}

#[test]
fn numbers() {
    let options = without_header(Format::Tsv);
    let float = |text: &[u8]| {
        let mut rows = rows(text, &options);
        let column = rows.column("1").unwrap();
        rows.next().unwrap().unwrap().float(&column).map_err(|error| error.to_string())
    };
    assert_eq!(float(b"1e-300\t2\r\n"), Ok(1e-300));
    assert_eq!(float(b"0.1"), Ok(0.1));
    assert!(float(b"NaN\n").unwrap().is_nan());
    for text in [&b"\t\n"[..], b" 1\n", b"1x\n", b"0x1\n", b"1\0\n", b"\xff\n"] {
        assert!(float(text).unwrap_err().ends_with("is not a number"));
    }
    assert_eq!(float(b"\t1"), Err("it:1: \"\" is not a number".into()));
}

/// A row that is too long is identified by its first line, even if a quoted field begins on a later line.
#[test]
fn the_same_line_is_named_for_any_block() {
    let text = [b"a\n\"b\nb\",\"", &[b'x'; 300][..], b"\"\n"].concat();
    for block in [1, 50, 1 << 18] {
        let mut options = without_header(Format::Csv);
        (options.block, options.max_record) = (block, 200);
        assert!(all(&mut rows(&text, &options)).unwrap_err().to_string().starts_with("it:2: "));
        assert!(rows(&text, &options).skip(9).unwrap_err().to_string().starts_with("it:3: "));
    }
}

#[test]
fn options_that_cannot_be() {
    let open =
        |options: &Options| Rows::open(&[named("it", b"a")], options).err().map(|error| error.to_string());
    let mut options = csv();
    options.delimiter = Some(b'"');
    assert!(open(&options).is_some());
    let mut options = Options::default().with_format(Format::JsonLines);
    options.header = Some(true);
    assert!(open(&options).is_some());
    let (a, b) = (Input::path("/nowhere/a.csv"), Input::path("/nowhere/b.tsv"));
    assert!(
        Rows::open(&[a.clone(), b], &Options::default())
            .err()
            .unwrap()
            .to_string()
            .contains("different formats")
    );
    assert!(Rows::open(&[a], &Options::default()).err().unwrap().to_string().starts_with("/nowhere/a.csv: "));
    assert!(Rows::open(&[Input::path("/")], &Options::default()).is_err());
}

/// The content at the time of reading counts, and reading a file that grows comes to an end.
#[cfg(unix)]
#[test]
fn a_file_that_grows_or_shrinks() {
    for threads in [1, 3] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&b"line\n".repeat(1000)).unwrap();
        let mut options = Options::default();
        (options.block, options.threads) = (100, threads);
        let mut read = Rows::open(&[Input::path(file.path())], &options).unwrap();
        assert_eq!(read.skip(10).unwrap(), 10);
        file.as_file().set_len(2500).unwrap();
        let rest = read.skip(u64::MAX).unwrap();
        assert!((490..=990).contains(&rest), "{rest}");
        let mut read = Rows::open(&[Input::path(file.path())], &options).unwrap();
        assert_eq!(read.skip(10).unwrap(), 10);
        file.write_all(b"more\n").unwrap();
        assert!(read.skip(u64::MAX).unwrap() >= 490);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The fields are the same as those of the crate `csv`, an independent implementation.
    #[test]
    fn fields_are_those_of_the_csv_crate(
        bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'"'), Just(b','), Just(b'x')], 0..60)
    ) {
        // That crate accepts a quote that is not closed, and skips empty lines.
        prop_assume!(naive(&bytes, b'\n', Some(b',')).is_some());
        let mut theirs = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(&bytes[..]);
        let theirs: Vec<Vec<Vec<u8>>> =
            theirs.byte_records().map(|record| record.unwrap().iter().map(<[u8]>::to_vec).collect()).collect();
        let mut read = rows(&bytes, &without_header(Format::Csv));
        let columns: Vec<_> = (1..=70).map(|number| read.column(&number.to_string()).unwrap()).collect();
        let mut ours: Vec<Vec<Vec<u8>>> = Vec::new();
        while let Some(row) = read.next().unwrap() {
            if row.bytes() != b"\n" {
                ours.push(columns.iter().map_while(|column| row.field(column).ok()).map(|field| field.into_owned()).collect());
            }
        }
        prop_assert_eq!(ours, theirs);
    }
}
