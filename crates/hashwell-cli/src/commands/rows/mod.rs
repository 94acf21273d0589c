//! `hashwell rows`: digests of rows and tables, and what differs between two tables.
//!
//! ```text
//! FILEs -> place -> found (columns and types of each) -> plan (columns and types of all)
//! texts: read -> cell, json -> number, time \
//! Parquet: read -> Arrow -> hashwell-table --+-> rows as bytes -> digest (a table's, each row's)
//!                                                             \-> diff -> runs (sorted, on disk) -> show
//! ```
//!
//! What comes out depends on the rows, and on nothing of how they are written, ordered or divided.

mod diff;
mod digest;
mod found;
mod place;
mod plan;
mod read;
mod runs;
mod show;

use crate::inputs::reading::{is_stdin, names};
use crate::options::rows_args::RowsOptions;
use crate::system::exit::{SUCCESS, USAGE};
use crate::system::report::{Failure, complain, reason};
use plan::Side;
use std::ffi::OsString;
use std::io::ErrorKind;

pub(crate) fn run(options: &RowsOptions) -> Result<u8, Failure> {
    if options.diff.is_empty() {
        let files = names(&options.files);
        check_once(&files, &[])?;
        let side = Side::open(&files, options)?;
        let done = if options.each { digest::each(&side, options) } else { digest::table(&side, options) };
        return done.map(|()| SUCCESS);
    }
    // As those of `diff`: 1 is an answer, 2 that there is none.
    match compare(options) {
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

fn compare(options: &RowsOptions) -> Result<u8, Failure> {
    if options.memory < 2 * runs::LEAST as u64 {
        let least = 2 * runs::LEAST;
        return Err(Failure::Usage(format!(
            "--memory must be at least {least} bytes, not {}",
            options.memory
        )));
    }
    let (these, those): (&[OsString], &[OsString]) = match (&options.files[..], &options.diff[..]) {
        ([], [one, other]) => (std::slice::from_ref(one), std::slice::from_ref(other)),
        ([], others) => {
            let count = others.len();
            return Err(Failure::Usage(format!(
                "--diff with {count} files and none before it: two, or FILEs before it"
            )));
        }
        (these, those) => (these, those),
    };
    check_once(these, those)?;
    diff::run(&Side::open(these, options)?, &Side::open(those, options)?, options)
}

/// Refuses to read standard input twice.
fn check_once(these: &[OsString], those: &[OsString]) -> Result<(), Failure> {
    match these.iter().chain(those).filter(|name| is_stdin(name)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Usage("standard input is named twice".to_owned())),
    }
}
