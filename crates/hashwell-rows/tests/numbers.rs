//! Values that are read ahead are the same as those of the rows, for any input.

use std::io::Write;

use hashwell_rows::{Format, Input, Options, Rows};

/// The keys and the lines of all rows, with or without reading ahead.
fn read_texts(rows: &mut Rows, name: Option<&str>, ahead: bool) -> Result<Vec<Vec<u8>>, String> {
    let column = name.map(|name| rows.column(name)).transpose().map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    loop {
        if ahead {
            let texts = rows.texts(column.as_ref());
            let n = (texts.len().div_ceil(2) + found.len() % 2).min(texts.len());
            found.extend((0..n).map(|row| texts.get(row).to_vec()));
            rows.pass_ahead(n);
        }
        let Some(row) = rows.next().map_err(|error| error.to_string())? else { return Ok(found) };
        found.push(match &column {
            Some(column) => row.sampling_key(column).map_or_else(|_| b"none".to_vec(), |key| key.to_vec()),
            None => {
                let row = row.bytes();
                let line = row.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
                line.unwrap_or(row).to_vec()
            }
        });
    }
}

/// The rows, and the numbers of a column (`None` if a row has no number), with or without reading ahead.
fn read(rows: &mut Rows, name: &str, ahead: bool) -> Result<(Vec<Option<u64>>, u64, usize), String> {
    let column = rows.column(name).map_err(|error| error.to_string())?;
    let (mut found, mut passed) = (Vec::new(), 0);
    loop {
        if ahead {
            let numbers = rows.numbers(&column);
            // Some rows are skipped after their numbers were read ahead, and the others are read as rows.
            let n = numbers.len().div_ceil(2) + found.len() % 2;
            let n = n.min(numbers.len());
            found.extend(numbers[..n].iter().map(|number| Some(number.to_bits())));
            rows.pass_ahead(n);
            passed += n;
        }
        match rows.next().map_err(|error| error.to_string())? {
            Some(row) => found.push(row.float(&column).ok().map(f64::to_bits)),
            None => return Ok((found, rows.rows(), passed)),
        }
    }
}

/// Reads the text in blocks of several sizes, from memory and from a file. Returns the number of values that were read
/// ahead.
fn check(text: &[u8], name: &str, options: &Options) -> usize {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text).unwrap();
    let open = |options: &Options, from_file: bool| {
        let input = match from_file {
            true => Input::path(file.path()),
            false => Input::reader("it", std::io::Cursor::new(text.to_vec())),
        };
        Rows::open(&[input], options)
    };
    let mut most = 0;
    for block in [1, 3, 16, 61, 1 << 16] {
        for from_file in [false, true] {
            let mut options = options.clone();
            options.block = block;
            options.threads = if block < 61 { 1 } else { 2 };
            for name in [Some(name), Some("1"), Some("3"), None] {
                let [exact, ahead] = [false, true].map(|ahead| {
                    let rows = open(&options, from_file);
                    rows.map_err(|error| error.to_string())
                        .and_then(|mut rows| read_texts(&mut rows, name, ahead))
                });
                assert_eq!(exact, ahead, "{block} {name:?} {:?}", String::from_utf8_lossy(text));
            }
            let exact = open(&options, from_file).map(|mut rows| read(&mut rows, name, false));
            let ahead = open(&options, from_file).map(|mut rows| read(&mut rows, name, true));
            let (Ok(exact), Ok(ahead)) = (exact, ahead) else { continue };
            let shown = String::from_utf8_lossy(text);
            match (exact, ahead) {
                (Ok(exact), Ok(ahead)) => {
                    assert_eq!((exact.0, exact.1), (ahead.0, ahead.1), "{block} {shown:?}");
                    most = most.max(ahead.2);
                }
                (exact, ahead) => {
                    assert_eq!(exact.err(), ahead.err(), "{block} {shown:?}");
                }
            }
        }
    }
    most
}

fn options(format: Format) -> Options {
    Options::default().with_format(format)
}

const AWKWARD: [&str; 24] = [
    "1,2.5,a\n",
    "1,2.5,a\r\n",
    "\"x\"\"y\",3,\"a,\nb\"\n",
    "\"x\"y,4,z\n",
    "5\" pipe,6,7\" pipe\n",
    "a,\"8\",b\n",
    "a,\"9\"0,b\n",
    "a,\"1\"\"1\",b\n",
    "a,,b\n",
    "a,-1,b\n",
    "a, 12,b\n",
    "a\n",
    "\n",
    "\r\n",
    "a,1e3,\"\"\n",
    "a,0,b\n",
    "a,1234567890.125,b\0c\n",
    "a,nan,\"b\"\n",
    "a,14\r\n",
    "a,15\n",
    "a,\"16\"\r\n",
    "a,17\r,b\n",
    "\"a\r\n,b\",18.75,\"c\"d\"\n",
    ",99999999,\n",
];

/// Weights with few digits are read ahead as integers, in units of 10^-18, up to the first weight with a different
/// form.
#[test]
fn units_are_exact() {
    let power = |decimals: u32| 10_u128.pow(18 - decimals);
    for (text, units) in [
        ("0", Some(0)),
        ("7", Some(7 * power(0))),
        ("2.50", Some(250 * power(2))),
        (".5", Some(5 * power(1))),
        ("5.", Some(5 * power(0))),
        ("12345678", Some(12_345_678 * power(0))),
        ("0.123456789012345678", Some(123_456_789_012_345_678)),
        ("1.123456789012345678", Some(1_123_456_789_012_345_678)),
        ("9999999999999999999", Some(9_999_999_999_999_999_999 * power(0))),
        ("0.1234567890123456789", None),
        ("00000000000000000001", None),
        ("12.123456789012345678", None),
        ("1e3", None),
        ("-1", None),
        ("+1", None),
        ("1.2.3", None),
        ("123456.7.8", None),
        ("1234567x9", None),
        (".", None),
        ("", None),
        ("nan", None),
        ("\"3\"", Some(3 * power(0))),
    ] {
        for tail in ["", &"x".repeat(40)] {
            let csv = format!("w,t\n1,a\n{text},{tail}\n2,b\n");
            let input = Input::reader("it", std::io::Cursor::new(csv.into_bytes()));
            let mut rows = Rows::open(&[input], &options(Format::Csv)).unwrap();
            let column = rows.column("w").unwrap();
            assert!(rows.next().unwrap().is_some());
            let expected = units.map_or(vec![], |units| vec![units, 2 * power(0)]);
            assert_eq!(rows.units(&column), expected, "{text}");
            // Other ways to read the column, and rows that are read by themselves, see the same rows.
            assert_eq!(rows.texts(Some(&column)).len(), 2);
            assert_eq!(rows.units(&column).len(), expected.len());
            assert!(rows.next().unwrap().is_some());
            assert_eq!(rows.units(&column), [2 * power(0)], "{text}");
            rows.pass_ahead(1);
            assert!(rows.next().unwrap().is_none());
        }
    }
}

#[test]
fn numbers_are_those_of_the_rows() {
    let mut word = 7_u64;
    let mut ahead = 0;
    for round in 0..24 {
        let mut csv = String::from(if round % 3 == 0 { "\u{feff}id,w,t\n" } else { "id,w,t\n" });
        for _ in 0..30 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Most rows are ordinary ones, so that some are read ahead.
            let at = if (word >> 40).is_multiple_of(3) { (word >> 33) as usize % AWKWARD.len() } else { 0 };
            csv += AWKWARD[at];
        }
        csv += ["last,3", "last,3\n", "last,\"3", "x"][round % 4];
        ahead += check(csv.as_bytes(), "w", &options(Format::Csv));
        ahead += check(csv.replace(',', "\t").as_bytes(), "w", &options(Format::Tsv));
        let mut semicolons = options(Format::Csv);
        semicolons.delimiter = Some(b';');
        ahead += check(csv.replace(',', ";").as_bytes(), "w", &semicolons);
    }
    assert!(ahead > 500, "{ahead}");
}

#[test]
fn the_usual_rows_are_read_ahead() {
    for (format, row) in [
        (Format::Csv, "a,\"b,\"\"c\",12.5,\"d\ne\"\n"),
        (Format::Csv, "a,b,\"12.5\",\r\n"),
        (Format::Csv, "a,b,12.5\r\n"),
        (Format::Tsv, "a\t\"b\t12.5\t\"\n"),
        (Format::Tsv, "a\tb\t123456789.25\n"),
    ] {
        let text = row.repeat(200);
        let mut options = options(format);
        options.header = Some(false);
        assert!(check(text.as_bytes(), "3", &options) > 99, "{row:?}");
    }
}

#[test]
fn lines_are_those_of_the_rows() {
    let text = "a\r\nb\n\n\r\nc\0\nlong line\n\rx\nlast\0";
    check(text.repeat(20).as_bytes(), "1", &options(Format::Lines));
    check(text.replace('\n', "\0").as_bytes(), "1", &options(Format::Nul));
    check(b"{\"w\": 1}\n{\"w\": 2}\n", "w", &options(Format::JsonLines));
}

/// A repeated header in a column of numbers is still an error, and rows at the limit are still too long.
#[test]
fn errors_are_those_of_the_rows() {
    check(b"1,2\n3,4\n5,6\n7,8\n1,2\n9,9\n", "2", &options(Format::Csv));
    let text = format!("id,w,t\n1,2,a\n3,4,b\n5,6,{}\n7,8,c\n", "x".repeat(100));
    let mut limited = options(Format::Csv);
    for limit in [105, 106, 107, 20] {
        limited.max_record = limit;
        check(text.as_bytes(), "w", &limited);
        check(text.replace("5,6,", "5,6,\"").replace("\n7", "\"\n7").as_bytes(), "w", &limited);
    }
}
