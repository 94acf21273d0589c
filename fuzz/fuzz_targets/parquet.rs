//! Any bytes are a Parquet file or refused in one line: its rows are counted, their fields read, and written in every form.
#![no_main]

use std::fs::File;
use std::io::{Seek, Write};
use std::panic::{PanicHookInfo, catch_unwind, set_hook, take_hook};

use hashwell_rows::{Error, Format, Input, Options, Rows};
use libfuzzer_sys::fuzz_target;

/// Rows that are looked at: a file of few bytes may say that it has many.
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

/// The reader of Parquet files panics where it finds a file to contradict itself, which callers catch, as the command does.
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
