//! The files of a table, which can be read several times, and a check that they haven't changed.

use crate::inputs::containers::{chosen, format_of};
use crate::inputs::reading::{Stamp, is_stdin, of_copy, temporary_file};
use crate::options::form_args::guess;
use crate::options::table_args::ReadingOptions;
use crate::system::report::{Failure, printable, reason};
use crate::system::standard;
use hashwell_rows::{Format, Input, Options};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek};

/// A file that can be read several times.
pub(super) struct Place {
    /// The name for messages.
    pub(super) name: String,
    pub(super) input: Input,
    pub(super) options: Options,
    pub(super) format: Format,
    disk: Disk,
    stamp: Option<Stamp>,
}

/// The location of the bytes.
enum Disk {
    Path(OsString),
    /// A temporary file without a name.
    Copy(File),
}

impl Disk {
    fn open(&self) -> io::Result<File> {
        match self {
            Self::Path(path) => File::open(path),
            Self::Copy(file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Ok(file)
            }
        }
    }
}

/// The options for reading, and how they apply to the operands of a command.
pub(super) struct Reading<'o> {
    given: &'o ReadingOptions,
    /// True if a format option is meant only for operands without a known ending, such as standard input.
    names_others: bool,
    /// True if an option that describes text fits none of the operands.
    fits_none: bool,
}

impl<'o> Reading<'o> {
    /// `operands`: all operands of the command.
    pub(super) fn of(operands: &[OsString], given: &'o ReadingOptions) -> Self {
        let names_others = operands.iter().any(|operand| format_of(operand).is_none());
        let reading = Self { given, names_others, fits_none: false };
        let formats: Vec<Format> = operands.iter().filter_map(|operand| reading.named(operand)).collect();
        Self { fits_none: given.form.refused_for_all(&formats).is_some(), ..reading }
    }

    /// The format that an option sets. Without such an option, it is the format of the name's ending.
    fn named(&self, operand: &OsString) -> Option<Format> {
        let (own, form) = (format_of(operand), &self.given.form);
        form.asked().filter(|_| own.is_none() || !self.names_others).or(own).or(form.implied())
    }

    fn format(&self, operand: &OsString) -> Result<Format, Failure> {
        let name = || if is_stdin(operand) { "standard input".to_owned() } else { printable(operand) };
        let Some(format) = self.named(operand) else {
            return Err(Failure::Usage(format!(
                "{}: can't tell the format from the file name (give --csv, --tsv, --jsonl or --parquet)",
                name()
            )));
        };
        match self.given.form.refused(format).filter(|_| self.fits_none) {
            Some(why) => Err(Failure::Usage(format!("{}: {why}", name()))),
            None => Ok(format),
        }
    }
}

impl Place {
    /// Opens a file. Input that can be read only once is copied into a temporary file that has no name.
    pub(super) fn open(operand: &OsString, reading: &Reading<'_>) -> Result<Self, Failure> {
        let input = Input::operand(operand);
        let name = input.name();
        let (format, given) = (reading.format(operand)?, reading.given);
        let fail = |error: &io::Error| Failure::Work(format!("{name}: {}", reason(error)));
        let (disk, input) = if let Some(container) = chosen(operand, &given.form, false)? {
            let file = container.copy(operand, given.form.table(), &|| false)?;
            let file = file.ok_or(Failure::Interrupted)?;
            let twin = file.try_clone().map_err(|error| fail(&error))?;
            (Disk::Copy(file), Input::file(name.clone(), twin))
        } else if input.opens_again() {
            (Disk::Path(operand.clone()), input)
        } else {
            let file = copy(operand).map_err(|error| fail(&error))?;
            let twin = file.try_clone().map_err(|error| fail(&error))?;
            (Disk::Copy(file), Input::file(name.clone(), twin))
        };
        let stamp = disk.open().and_then(|file| Stamp::of(&file)).map_err(|error| fail(&error))?;
        let mut options = given.form.fitting(format);
        if given.form.guesses_in(format) {
            guess(std::slice::from_ref(&input), &mut options).map_err(Failure::of_rows)?;
        }
        options.header = given.no_header.then_some(false).filter(|_| format.has_header());
        Ok(Self { name, input, options, format, disk, stamp })
    }

    /// The file itself, for the Parquet reader.
    pub(super) fn file(&self) -> Result<File, Failure> {
        self.disk.open().map_err(|error| self.fail(&reason(&error)))
    }

    /// The size in bytes on disk.
    pub(super) fn len(&self) -> u64 {
        self.disk.open().and_then(|file| file.metadata()).map_or(0, |data| data.len())
    }

    /// Returns an error if the file has changed since it was opened.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self.disk.open().and_then(|file| Stamp::of(&file)) {
            Ok(stamp) if stamp == self.stamp => Ok(()),
            Ok(_) => Err(self.fail("changed while it was being read")),
            Err(error) => Err(self.fail(&reason(&error))),
        }
    }

    /// A failure that names the file.
    pub(super) fn fail(&self, what: &str) -> Failure {
        Failure::Work(format!("{}: {what}", self.name))
    }
}

/// Copies input that can be read only once.
fn copy(operand: &OsString) -> io::Result<File> {
    let mut copy = temporary_file()?;
    if is_stdin(operand) {
        standard::read(|from| io::copy(from, &mut copy).map_err(of_copy))?;
    } else {
        io::copy(&mut File::open(operand)?, &mut copy).map_err(of_copy)?;
    }
    copy.rewind()?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::args::{Command, Options};
    use crate::options::later::Later;
    use clap::Parser;

    #[test]
    fn a_file_that_changes_is_told() {
        let Command::Table(Later(options)) = Options::try_parse_from(["hashwell", "table"]).unwrap().command
        else {
            panic!("another command");
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "id\n1\n").unwrap();
        let name = path.clone().into_os_string();
        let place = Place::open(&name, &Reading::of(std::slice::from_ref(&name), &options.reading)).unwrap();
        place.check().unwrap();
        std::fs::write(&path, "id\n1\n2\n").unwrap();
        let told = place.check();
        assert!(
            matches!(told, Err(Failure::Work(text)) if text.ends_with("t.csv: changed while it was being read"))
        );
    }
}
