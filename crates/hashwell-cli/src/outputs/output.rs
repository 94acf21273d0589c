//! Where reports go: standard output, and files that are there in full or not at all.

use crate::options::args::OutputOptions;
use crate::outputs::pending::{Pending, beside};
use crate::system::report::{Failure, printable, reason, write_line};
use crate::system::standard;
use hashwell_document::format::Format;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Standard output without Rust's buffer, in which a secret would stay.
pub(crate) fn unbuffered() -> Result<File, Failure> {
    standard::output().map_err(Failure::Output)
}

/// A report on standard output, and as a page in its file.
pub(crate) fn show(options: &OutputOptions, render: impl Fn(Format) -> String) -> Result<(), Failure> {
    // First what cannot fail for want of a folder: it may have taken minutes.
    write_line(render(options.format()).as_bytes())?;
    options.html.as_ref().map_or(Ok(()), |path| write_file(path, render(Format::Html).as_bytes()))
}

/// Refuses a place where [`write_file`] could not put a file, so that this is known before the work.
pub(crate) fn check_place(path: &Path) -> Result<(), Failure> {
    let possible = match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Ok(()),
        // Where it cannot be taken away again, it could not get its name either.
        _ => beside(path).and_then(Pending::give_up),
    };
    possible.map_err(|error| of_file(path, &error))
}

fn of_file(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("{}: {}", printable(path.as_os_str()), reason(error)))
}

/// Writes a file beside its place and moves it there; what is no plain file (a pipe, a terminal) is written to.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => std::fs::write(path, bytes),
        _ => replace(path, bytes),
    };
    written.map_err(|error| of_file(path, &error))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(bytes)?;
    file.persist(path)
}
