//! Where rows go: standard output, or a file that is there in full or not at all.

use crate::options::sample_args::SampleOptions;
use crate::outputs::output::{beside, unbuffered};
use crate::system::report::{Failure, printable, reason};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Bytes written at a time.
const BUFFER: usize = 64 << 10;

/// A writer of rows. What was not [ended](Sink::end) has not been written, if it is a file.
pub(super) struct Sink {
    to: BufWriter<To>,
    /// Whether the last row had no terminator, being the last of a file.
    open: bool,
    /// What ends a row that has to have an end, because another follows.
    terminator: u8,
}

enum To {
    /// Standard output.
    Output(File),
    /// What is no regular file.
    Device(File, PathBuf),
    /// Where a digest is all that is wanted.
    Nowhere,
    /// A file beside its place.
    File(NamedTempFile, PathBuf),
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            To::Output(file) | To::Device(file, _) => file.write(bytes),
            To::File(file, _) => file.write(bytes),
            To::Nowhere => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    /// Of the rows that are picked.
    pub(super) fn picks(options: &SampleOptions, terminator: u8) -> Result<Self, Failure> {
        if options.nowhere {
            return Ok(Self::over(To::Nowhere, terminator));
        }
        Self::open(options.output.as_deref(), terminator)
    }

    /// Of a file, or of standard output.
    pub(super) fn open(path: Option<&Path>, terminator: u8) -> Result<Self, Failure> {
        let to = match path {
            None => To::Output(unbuffered()?),
            Some(path) => to(path).map_err(|error| of_file(path, &error))?,
        };
        Ok(Self::over(to, terminator))
    }

    fn over(to: To, terminator: u8) -> Self {
        Self { to: BufWriter::with_capacity(BUFFER, to), open: false, terminator }
    }

    /// Writes a row, and before it the end that the row before lacks: as this row's own, where it has one.
    pub(super) fn row(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.rows(&[bytes])
    }

    /// As [`Sink::row`], of a row in pieces, the last of which has its end.
    pub(super) fn rows(&mut self, pieces: &[&[u8]]) -> Result<(), Failure> {
        let last = pieces.last().copied().unwrap_or_default();
        let written =
            self.close_row(last).and_then(|()| pieces.iter().try_for_each(|piece| self.to.write_all(piece)));
        self.open = last.last() != Some(&self.terminator);
        written.map_err(|error| self.failed(&error))
    }

    fn close_row(&mut self, next: &[u8]) -> io::Result<()> {
        if !self.open {
            return Ok(());
        }
        let carriage = self.terminator == b'\n' && next.ends_with(b"\r\n");
        self.to.write_all(if carriage { b"\r\n" } else { std::slice::from_ref(&self.terminator) })
    }

    /// Bytes of a file that is no text, all of them.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.to.write_all(bytes).map_err(|error| self.failed(&error))
    }

    /// Everything is written; a file gets its name.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        self.to.flush().map_err(|error| self.failed(&error))?;
        match self.to.into_parts().0 {
            To::File(file, path) => {
                file.persist(&path).map(drop).map_err(|error| of_file(&path, &error.error))
            }
            _ => Ok(()),
        }
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match self.to.get_ref() {
            To::Output(_) => Failure::Output(io::Error::new(error.kind(), reason(error))),
            To::Nowhere => Failure::Work(reason(error)),
            To::Device(_, path) | To::File(_, path) => of_file(path, error),
        }
    }
}

fn to(path: &Path) -> io::Result<To> {
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Ok(To::Device(File::options().write(true).open(path)?, path.to_owned()));
    }
    Ok(To::File(beside(path)?, path.to_owned()))
}

fn of_file(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("{}: {}", printable(path.as_os_str()), reason(error)))
}
