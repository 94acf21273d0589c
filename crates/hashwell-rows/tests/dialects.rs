//! Texts that differ from the usual CSV: other delimiters, quotes, encodings and line endings, and comments.

use super::common::*;
use hashwell_rows::{Encoding, Format, Input, Options, Rows};
use std::io::Write;

/// The fields of all rows, including the header, with blocks of several sizes.
fn fields(text: &[u8], options: &Options) -> Vec<Vec<String>> {
    let read = |block| {
        let options = with(options.clone(), |options| (options.header, options.block) = (Some(false), block));
        let mut rows = rows(text, &options);
        let mut all = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            all.push(row.fields().map(|field| String::from_utf8_lossy(&field).into_owned()).collect());
        }
        all
    };
    let found = read(1 << 18);
    for block in [1, 2, 7] {
        assert_eq!(read(block), found, "blocks of {block}");
    }
    found
}

fn with(mut options: Options, set: impl FnOnce(&mut Options)) -> Options {
    set(&mut options);
    options
}

fn it(text: &[u8]) -> Input {
    Input::reader("it", std::io::Cursor::new(text.to_vec()))
}

fn csv() -> Options {
    Options::default().with_format(Format::Csv)
}

#[test]
fn a_quote_may_be_another_character() {
    let options = with(csv(), |options| {
        options.quote = b'\'';
        options.delimiter = Some(b'|');
    });
    assert_eq!(fields(b"a|'b|\n''c'|\"d\n", &options), [["a", "b|\n'c", "\"d"]]);
    let none = with(csv(), |options| {
        options.quotes = Some(false);
    });
    assert_eq!(fields(b"5\",a\n\"b,c\n", &none), [["5\"", "a"], ["\"b", "c"]]);
    let same = with(csv(), |options| {
        options.quote = b';';
        options.delimiter = Some(b';');
    });
    assert!(Rows::open(&[it(b"a")], &same).is_err());
}

#[test]
fn comments_are_no_rows_and_keep_the_numbers_of_lines() {
    let options = with(csv(), |options| {
        options.comment = Some(b'#');
    });
    let text = b"# by \"a program\nid,x\n#1,2\n1,\"\n# a text\"\n#\n2,#3\n# end";
    assert_eq!(fields(text, &options), [["id", "x"], ["1", "\n# a text"], ["2", "#3"]]);
    let mut read = rows(text, &with(options, |options| options.header = Some(true)));
    assert_eq!(read.skip(1).unwrap(), 1);
    assert_eq!(read.next().unwrap().unwrap().place(), "it:7");
    assert!(read.next().unwrap().is_none());
}

#[test]
fn comments_begin_neither_with_the_delimiter_nor_with_the_quote() {
    for comment in [b',', b'"'] {
        let options = with(csv(), |options| options.comment = Some(comment));
        assert!(matches!(Rows::open(&[it(b"a,b\n")], &options), Err(hashwell_rows::Error::Options(_))));
    }
    let options = with(csv(), |options| options.comment = Some(b'#'));
    let told = Rows::open(&[it(b"sep=#\nid#x\n")], &options).err().unwrap().to_string();
    assert_eq!(told, "it:1: the delimiter '#' is set here, but it also begins comments");
}

#[test]
fn carriage_returns_may_end_lines() {
    assert_eq!(fields(b"id,x\r1,\"a\rb\"\r2,c", &csv()), [["id", "x"], ["1", "a\rb"], ["2", "c"]]);
    assert_eq!(fields(b"id,x\r1,\"a\nb\"\r2,c\r", &csv()), [["id", "x"], ["1", "a\nb"], ["2", "c"]]);
    // A newline outside of quotes shows that carriage returns are not line endings.
    assert_eq!(fields(b"id,x\r1\n2,c\n", &csv()), [["id", "x\r1"], ["2", "c"]]);
}

#[test]
fn encodings_become_utf8() {
    let utf16 =
        |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let text = "\u{feff}id;name\n1;Zoë\u{1f600}\n";
    for bytes in [utf16(text, u16::to_le_bytes), utf16(text, u16::to_be_bytes)] {
        for name in ["utf-16", "auto"] {
            let options = with(csv(), |options| {
                options.encoding = Encoding::of_name(name);
                options.delimiter = Some(b';');
            });
            assert_eq!(fields(&bytes, &options), [["id", "name"], ["1", "Zoë\u{1f600}"]]);
        }
    }
    let latin = with(csv(), |options| {
        options.encoding = Encoding::of_name("latin1");
    });
    assert_eq!(fields(b"n\nZo\xeb\n", &latin), [["n"], ["Zoë"]]);
    let strict = with(csv(), |options| {
        options.encoding = Encoding::of_name("utf-8");
    });
    let told = Rows::open(&[it(b"n\nZo\xeb\n")], &strict).err().unwrap().to_string();
    assert_eq!(told, "it: byte 4 is not valid UTF-8 (check that --encoding names the encoding of the file)");
    assert_eq!(Encoding::of_name("utf-99"), None);
    let unmarked = utf16("id,x\n1,2\n", u16::to_be_bytes);
    let told = Rows::open(&[it(&unmarked)], &csv()).err().unwrap().to_string();
    assert_eq!(told, "it: the file looks like UTF-16 without a byte order mark (give --encoding utf-16be)");
    // Also if some characters are not in Latin-1, and in lines.
    for text in ["name,city\nZoë,€5\nBo,y\n", "id,v\n1,漢字\n2,b\n"] {
        for (name, bytes) in
            [("utf-16le", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("utf-16be", u16::to_be_bytes)]
        {
            for options in [csv(), Options::default().with_format(Format::Lines)] {
                let read = Rows::open(&[it(&utf16(text, bytes))], &options)
                    .and_then(|mut rows| rows.next().map(|_| ()));
                let told = read.unwrap_err().to_string();
                assert!(told.ends_with(&format!("(give --encoding {name})")), "{text}: {told}");
            }
        }
    }
    // Lines may contain single zeros.
    let mut rows = Rows::open(&[it(b"a\0b\nc\n")], &Options::default().with_format(Format::Lines)).unwrap();
    assert_eq!(rows.next().unwrap().unwrap().bytes(), b"a\0b\n");
}

#[test]
fn a_delimiter_is_guessed_only_where_one_fits() {
    let cases: [(&[u8], u8); 7] = [
        (b"id;name;price\n50;a;1,5\n51;b;2,5\n", b';'),
        (b"id|d\n1|x\n", b'|'),
        (b"id\td\n1\tx\n", b'\t'),
        (b"sep=;\nid;d\n1;x\n", b';'),
        (b"id,d\n1,x\n", b','),
        (b"name\nx\n", b','),
        // If both delimiters fit, the format's own delimiter is used.
        (b"a;b,c\n1;2,3\n", b','),
    ];
    for (text, delimiter) in cases {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).unwrap();
        let input = [Input::file("it", file)];
        let shown = String::from_utf8_lossy(text);
        assert_eq!(Rows::guess_delimiter(&input, &csv()).unwrap(), delimiter, "{shown}");
    }
    assert_eq!(rows(b"id|d\n1|x\n", &csv()).other_delimiter(), Some(b'|'));
    assert_eq!(rows(b"\"id|d\"\n1|x\n", &csv()).other_delimiter(), None);
    assert_eq!(rows(b"id|d,x\n", &csv()).other_delimiter(), None);
}
