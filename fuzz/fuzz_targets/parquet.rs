//! Any bytes are either a Parquet file or refused with a one-line error. The rows of a file are counted,
//! their fields are read, and they are written in every form.
#![no_main]

use std::fs::File;
use std::io::{Seek, Write};
use std::panic::{PanicHookInfo, catch_unwind, set_hook, take_hook};

use hashwell_rows::{Error, Format, Input, Options, Rows};
use libfuzzer_sys::fuzz_target;

/// The maximum number of rows to read, because a small file can claim to have very many.
const ROWS: u64 = 200;

fn read(file: File) -> Result<(), Error> {
    let mut options = Options::default();
    options.format = Some(Format::Parquet);
    let mut rows = Rows::open(&[Input::file("it", file)], &options)?;
    let names: Vec<String> = rows
        .names()
        .unwrap_or_default()
        .iter()
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    let columns: Vec<_> = names.iter().filter_map(|name| rows.column(name).ok()).collect();
    let known = rows.known_rows().unwrap();
    let mut numbers = Vec::new();
    while (numbers.len() as u64) < ROWS
        && let Some(row) = rows.next()?
    {
        for column in &columns {
            let _ = row.field(column);
        }
        numbers.push(row.number());
    }
    assert_eq!(numbers.len() as u64, known.min(ROWS));
    rows.write_table(&numbers, &mut Vec::new())?;
    rows.write_table_uncompressed(&numbers, &mut Vec::new())?;
    Ok(())
}

/// The Parquet library panics if a file contradicts itself. Callers catch such panics, and so does the
/// command.
fn is_of_reader(panic: &PanicHookInfo<'_>) -> bool {
    panic.location().is_some_and(|place| place.file().contains("/parquet-"))
}

fuzz_target!(
    init: {
        let abort = take_hook();
        set_hook(Box::new(move |panic| {
            if !is_of_reader(panic) {
                abort(panic);
            }
        }));
    },
    |bytes: &[u8]| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        if let Ok(Err(error)) = catch_unwind(|| read(file)) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
);
