//! `hashwell table` and `hashwell diff`: digests of tables and rows, and the differences between two tables.
//!
//! ```text
//! FILEs -> place -> found (columns and types of each) -> plan (columns and types of all)
//! texts: read -> cell, json -> number, time \
//! Parquet: read -> Arrow -> hashwell-table --+-> rows as bytes -> digest (a table's, each row's)
//!                                                             \-> diff, keyed -> runs (sorted, on disk) -> show
//! ```
//!
//! The results depend only on the rows, not on how they are written, ordered or divided among files.

mod diff;
mod digest;
mod found;
mod keyed;
mod page;
mod place;
mod plan;
mod read;
mod runs;
mod show;

use crate::inputs::containers::check_table;
use crate::inputs::reading::{is_stdin, names};
use crate::options::table_args::{DiffOptions, TableOptions};
use crate::system::exit::{SUCCESS, USAGE};
use crate::system::report::{Failure, complain, note, reason};
use place::Reading;
use plan::Side;
use std::ffi::OsString;
use std::io::ErrorKind;

/// `hashwell table`.
pub(crate) fn run(options: &TableOptions) -> Result<u8, Failure> {
    let files = names(&options.files);
    check_once(&files, &[])?;
    check_table(files.iter(), &options.reading.form)?;
    if files.len() > 1 {
        note(&format_args!(
            "{} files are read as one table (use 'hashwell diff' to compare two tables)",
            files.len()
        ));
    }
    let side = Side::open(&files, &Reading::of(&files, &options.reading), false)?;
    let done = if options.per_row { digest::each(&side, options) } else { digest::table(&side, options) };
    done.map(|()| SUCCESS)
}

/// `hashwell diff`. The exit codes are those of `diff`: 1 if the tables differ, 2 for an error.
pub(crate) fn compare(options: &DiffOptions) -> Result<u8, Failure> {
    match compared(options) {
        Err(Failure::Work(message) | Failure::Usage(message)) => {
            complain(&message);
            Ok(USAGE)
        }
        Err(Failure::Output(error)) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format_args!("write error: {}", reason(&error)));
            Ok(USAGE)
        }
        done => done,
    }
}

fn compared(options: &DiffOptions) -> Result<u8, Failure> {
    if options.memory < 2 * runs::LEAST as u64 {
        let least = 2 * runs::LEAST;
        return Err(Failure::Usage(format!(
            "--memory must be at least {least} bytes, not {}",
            options.memory
        )));
    }
    let (these, those): (&[OsString], &[OsString]) = match (&options.files[..], &options.with[..]) {
        ([one, other], []) => (std::slice::from_ref(one), std::slice::from_ref(other)),
        (files, with) if files.is_empty() || with.is_empty() => {
            return Err(Failure::Usage(
                "diff needs two tables: 'hashwell diff OLD NEW', or 'hashwell diff OLD... --with NEW...' for tables of \
                 several files"
                    .to_owned(),
            ));
        }
        (these, those) => (these, those),
    };
    check_once(these, those)?;
    check_table(these.iter().chain(those), &options.reading.form)?;
    let reading = Reading::of(&[these, those].concat(), &options.reading);
    let (mut old, new) = (Side::open(these, &reading, true)?, Side::open(those, &reading, true)?);
    old.rename(&options.rename, &new)?;
    if options.key.is_empty() { diff::run(&old, &new, options) } else { keyed::run(&old, &new, options) }
}

/// Rejects standard input as the input of both tables.
fn check_once(these: &[OsString], those: &[OsString]) -> Result<(), Failure> {
    match these.iter().chain(those).filter(|name| is_stdin(name)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Usage("standard input is named twice (- can be only one of the files)".to_owned())),
    }
}
