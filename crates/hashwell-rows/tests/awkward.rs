//! Files as programs write them: with blank lines, a line that names the delimiter, and repeated headers.

use crate::common;

use common::{all, rows};
use hashwell_rows::{Format, Input, Options, Rows};

fn options(format: Format) -> Options {
    Options::default().with_format(format)
}

fn texts(bytes: &[u8], format: Format) -> Vec<String> {
    let rows = all(&mut rows(bytes, &options(format))).unwrap();
    rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect()
}

#[test]
fn blank_lines_are_no_rows() {
    let csv = b"\n\r\nid,x\n\n1,a\n\r\n2,\"b\n\nc\"\n\n\n";
    assert_eq!(texts(csv, Format::Csv), ["1,a\n", "2,\"b\n\nc\"\n"]);
    assert_eq!(texts(b"id\n1\n\n", Format::Csv), ["1\n"]);
    assert_eq!(texts(b"id\n\n1\n", Format::Tsv), ["1\n"]);
    assert_eq!(texts(b"{}\n\n{}\n\n", Format::JsonLines), ["{}\n", "{}\n"]);
    // In JSON, white space has no meaning. In other formats, it may be a value.
    assert_eq!(texts(b" \t\n{}\n \r\n {}\n  ", Format::JsonLines), ["{}\n", " {}\n"]);
    assert_eq!(texts(b"id\n \n", Format::Tsv), [" \n"]);
    assert_eq!(texts(b"a\n\nb\n", Format::Lines), ["a\n", "\n", "b\n"]);
    let mut found = rows(csv, &options(Format::Csv));
    assert_eq!(found.header(), Some(&b"id,x\n"[..]));
    assert_eq!(found.next().unwrap().unwrap().place(), "it:5");
    assert_eq!(found.next().unwrap().unwrap().place(), "it:7");
    assert_eq!(rows(csv, &options(Format::Csv)).skip(9).unwrap(), 2);
    // A byte order mark before a blank line is not a header.
    assert_eq!(rows(b"\xef\xbb\xbf\nid\n1\n", &options(Format::Csv)).header(), Some(&b"id\n"[..]));
}

#[test]
fn a_line_may_name_the_delimiter() {
    for (bytes, delimiter) in [
        (&b"sep=;\nid;x\n1;\"a;b\"\n2;c,d\n"[..], ';'),
        (b"\xef\xbb\xbfsep=;\r\nid;x\r\n1;\"a;b\"\r\n2;c,d\r\n", ';'),
        (b"sep=\t\nid\tx\n1\ta;b\n2\tc,d\n", '\t'),
        (b"sep=;\rid;x\r1;\"a;b\"\r2;c,d\r", ';'),
    ] {
        let mut found = rows(bytes, &options(Format::Csv));
        assert_eq!(found.names().unwrap(), [&b"id"[..], b"x"], "{delimiter}");
        let x = found.column("x").unwrap();
        let row = found.next().unwrap().unwrap();
        assert_eq!((&row.field(&x).unwrap()[..], row.place()), (&b"a;b"[..], "it:3".into()));
        let row = found.next().unwrap().unwrap();
        assert_eq!((&row.field(&x).unwrap()[..], row.fields().count()), (&b"c,d"[..], 2));
        assert_eq!(found.bytes(), bytes.len() as u64);
    }
    // These are not such lines: a header with that name, and other formats.
    assert_eq!(rows(b"sep=x\n1\n", &options(Format::Csv)).header(), Some(&b"sep=x\n"[..]));
    assert_eq!(rows(b"sep=;\r1\n2\n", &options(Format::Csv)).header(), Some(&b"sep=;\r1\n"[..]));
    assert_eq!(rows(b"\"sep=;\"\n1\n", &options(Format::Csv)).header(), Some(&b"\"sep=;\"\n"[..]));
    assert_eq!(texts(b"sep=;\n1\n", Format::Lines).len(), 2);
    // A given delimiter has priority, and several files must agree.
    let mut given = options(Format::Csv);
    given.delimiter = Some(b',');
    assert_eq!(rows(b"sep=;\nid;x\n", &given).names().unwrap(), [&b"id;x"[..]]);
    given.delimiter = Some(b';');
    assert_eq!(rows(b"sep=;\nid;x\n", &given).names().unwrap(), [b"id", b"x" as &[u8]]);
    let inputs = [Input::reader("it", &b"sep=;\nid;x\n"[..])];
    assert_eq!(Rows::open(&inputs, &given).unwrap().skip(9).unwrap(), 0);
    let several = |texts: [&'static [u8]; 2]| {
        let inputs = texts.map(|text| Input::reader("it", text));
        Rows::open(&inputs, &options(Format::Csv)).and_then(|mut rows| rows.skip(9))
    };
    assert_eq!(several([b"sep=;\nid;x\n1;2\n", b"id;x\n3;4\n"]).unwrap(), 2);
    let told = several([b"id,x\n1,2\n", b"sep=;\nid;x\n3;4\n"]).unwrap_err().to_string();
    assert!(told.contains("the delimiter is ';' here"), "{told}");
}

#[test]
fn a_header_that_is_repeated_is_an_error() {
    let mut joined = rows(b"id,x\n1,a\nid,x\r\n2,b\n", &options(Format::Csv));
    joined.next().unwrap().unwrap();
    let told = joined.next().err().unwrap().to_string();
    assert!(told.starts_with("it:3: the header is repeated here"), "{told}");
    assert!(joined.next().is_err());
    // A single word may be a value, and without a header option there is no header.
    assert_eq!(texts(b"word\nword\n", Format::Csv).len(), 1);
    let mut headless = options(Format::Csv);
    headless.header = Some(false);
    assert_eq!(all(&mut rows(b"id,x\nid,x\n", &headless)).unwrap().len(), 2);
}

/// The text of a key is the same as in typed formats.
#[test]
fn keys_of_json_have_one_text() {
    let key = |value: &str| {
        let line = format!("{{\"k\": {value}}}\n");
        let mut rows = rows(line.as_bytes(), &options(Format::JsonLines));
        let column = rows.column("k").unwrap();
        let row = rows.next().unwrap().unwrap();
        row.sampling_key(&column).map(|key| String::from_utf8(key.into_owned()).unwrap())
    };
    for (value, text) in [
        ("null", ""),
        ("\"\"", ""),
        ("\"null\"", "null"),
        ("7", "7"),
        ("-0", "0"),
        ("-12", "-12"),
        ("184467440737095516160", "184467440737095516160"),
        ("true", "true"),
        ("\"a\\u00e9\"", "a\u{e9}"),
    ] {
        assert_eq!(key(value).unwrap(), text, "{value}");
    }
    for value in ["[1]", "[ 1]", "{}", "1.0", "1e3", "1E3"] {
        let told = key(value).unwrap_err().to_string();
        assert!(told.starts_with("it:1: the value of \"k\" is a"), "{told}");
    }
}
