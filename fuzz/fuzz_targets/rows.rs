//! Any bytes, read in blocks of any size and with any steps, give the same rows as one large block. Fields
//! are found or refused.
#![no_main]

use std::io::Cursor;

use hashwell_rows::{Error, Format, Input, Options, Rows};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, arbitrary::Arbitrary)]
struct Case {
    format: u8,
    header: bool,
    quotes: bool,
    block: u8,
    threads: u8,
    steps: Vec<u8>,
    bytes: Vec<u8>,
}

/// The rows with their numbers and places, and the error that ended reading, if any.
type Found = (Vec<(u64, Vec<u8>, String)>, Option<String>);

fn open(case: &Case, block: usize, threads: usize) -> Result<Rows, Error> {
    let mut options = Options::default();
    let formats: Vec<Format> = Format::ALL.into_iter().filter(|format| format.terminator().is_some()).collect();
    let format = formats[case.format as usize % formats.len()];
    options.format = Some(format);
    options.header = Some(case.header && format.may_have_header());
    options.quotes = Some(case.quotes);
    (options.block, options.threads, options.max_record) = (block, threads, 1 << 10);
    // Two inputs, so that headers are compared and a row never goes from one to the other.
    let input = || Input::reader("it", Cursor::new(case.bytes.clone()));
    Rows::open(&[input(), input()], &options)
}

fn read(rows: Result<Rows, Error>, steps: &[u8]) -> Found {
    let mut found = Vec::new();
    let go = || -> Result<(), Error> {
        let mut rows = rows?;
        let column = rows.column("2").or_else(|_| rows.column("1")).ok();
        for step in steps.iter().cycle() {
            rows.skip(u64::from(*step % 8))?;
            let Some(row) = rows.next()? else { break };
            if let Some(column) = &column {
                let _ = row.field(column);
            }
            found.push((row.number(), row.bytes().to_vec(), row.place()));
        }
        Ok(())
    };
    let error = go().err().map(|error| error.to_string());
    (found, error)
}

fuzz_target!(|case: Case| {
    let steps = if case.steps.is_empty() { &[0][..] } else { &case.steps };
    let whole = read(open(&case, 1 << 20, 1), steps);
    let cut = read(open(&case, usize::from(case.block) + 1, usize::from(case.threads % 3) + 1), steps);
    assert_eq!(whole, cut);
    // Without skipping, the bytes of all rows together are the input, unless there was an error or a header.
    let (rows, error) = read(open(&case, 1 << 20, 1), &[0]);
    if error.is_none() && !case.header && hashwell_rows::Compression::of_magic(&case.bytes).is_none() {
        let all: Vec<u8> = rows.into_iter().flat_map(|(_, bytes, _)| bytes).collect();
        let only_mark = case.bytes == b"\xef\xbb\xbf" && all.is_empty();
        assert!(only_mark || all == [&case.bytes[..], &case.bytes].concat());
    }
});
