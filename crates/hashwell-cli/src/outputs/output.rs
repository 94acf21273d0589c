//! Writes reports to standard output, and to files that exist either in full or not at all.

use crate::options::args::OutputOptions;
use crate::outputs::pending::{Pending, beside};
use crate::system::report::{Failure, printable, reason, write_bytes, write_line};
use crate::system::{os, standard};
use hashwell_document::format::Format;
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::Path;

/// Standard output without Rust's buffer, because secrets would remain in the buffer.
pub(crate) fn unbuffered() -> Result<File, Failure> {
    standard::output().map_err(Failure::Output)
}

/// Prints a report, and writes it as a page to its file.
pub(crate) fn show(options: &OutputOptions, render: impl Fn(Format) -> String) -> Result<(), Failure> {
    // Print to standard output first, because writing the file may fail, for example if its folder is missing, and the
    // work may have taken minutes.
    write_line(render(options.format()).as_bytes())?;
    options.html.as_ref().map_or(Ok(()), |path| write_file(path, render(Format::Html).as_bytes()))
}

/// Returns an error if [`write_file`] could not write to this path, so that the user learns this before the work
/// starts.
pub(crate) fn check_place(path: &Path) -> Result<(), Failure> {
    let possible = match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() || standard_stream(path).is_some() => Ok(()),
        // Create a temporary file and remove it: if it cannot be removed, it could not be renamed either.
        _ => beside(path).and_then(Pending::give_up),
    };
    possible.map_err(|error| of_file(path, &error))
}

fn of_file(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("{}: {}", printable(path.as_os_str()), reason(error)))
}

/// Fails if a file that an option writes is also an input, because the input would be lost.
pub(crate) fn check_not_input<'n>(
    option: &str,
    path: &Path,
    inputs: impl IntoIterator<Item = &'n OsString>,
) -> Result<(), Failure> {
    let Ok(written) = path.canonicalize() else { return Ok(()) };
    match inputs.into_iter().find(|name| Path::new(name).canonicalize().is_ok_and(|input| input == written)) {
        Some(name) if written.is_file() => {
            Err(Failure::Usage(format!("{option}: {} is also an input", printable(name))))
        }
        _ => Ok(()),
    }
}

/// Writes a temporary file in the same folder, and renames it. A [`device`] is written to directly.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = device(path).and_then(|device| match device {
        Some(mut device) => device.write_all(bytes),
        None => replace(path, bytes),
    });
    written.map_err(|error| of_file(path, &error))
}

/// Opens what is written to directly: a path that is not a regular file, such as a pipe or a terminal, and a link such as
/// `/dev/stdout` to a standard stream of this process. `None` if a file is to be made or replaced.
///
/// # Errors
/// Returns an error if the path is a folder or cannot be opened.
pub(crate) fn device(path: &Path) -> io::Result<Option<File>> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => File::options().write(true).open(path).map(Some),
        _ => Ok(standard_stream(path)),
    }
}

/// The standard stream that goes to the same regular file as this symbolic link. The file must not be replaced: the
/// stream would go on writing to the old one.
pub(crate) fn standard_stream(path: &Path) -> Option<File> {
    if !path.is_symlink() {
        return None;
    }
    let own = os::identity(path, &std::fs::metadata(path).ok()?).ok()?;
    let streams = [standard::output(), standard::error()];
    streams.into_iter().flatten().find(|stream| os::identity_of_file(stream) == Some(own))
}

/// Output that is written in pieces: standard output, or a file that exists only if it is complete.
pub(crate) enum Stream<'p> {
    Standard,
    /// A [`device`].
    Device(File, &'p Path),
    File(Pending, &'p Path),
}

impl<'p> Stream<'p> {
    /// Opens the file, or standard output if there is no path.
    pub(crate) fn to(path: Option<&'p Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::Standard) };
        let opened = device(path).and_then(|device| match device {
            Some(device) => Ok(Self::Device(device, path)),
            None => beside(path).map(|file| Self::File(file, path)),
        });
        opened.map_err(|error| of_file(path, &error))
    }

    /// Returns true if there is an incomplete file with a name, which would be left if the process ended.
    pub(crate) fn is_visible(&self) -> bool {
        matches!(self, Self::File(file, _) if file.is_visible())
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Standard => write_bytes(bytes),
            Self::Device(file, path) => file.write_all(bytes).map_err(|error| of_file(path, &error)),
            Self::File(file, path) => file.write_all(bytes).map_err(|error| of_file(path, &error)),
        }
    }

    /// Gives the file its name.
    pub(crate) fn end(self) -> Result<(), Failure> {
        match self {
            Self::File(file, path) => file.persist().map_err(|error| of_file(path, &error)),
            Self::Standard | Self::Device(..) => Ok(()),
        }
    }
}

/// Same as [`write_file`], for a path that is a regular file or does not exist. Gives the file the permissions of a
/// file with this metadata.
pub(crate) fn write_file_like(path: &Path, bytes: &[u8], like: &Metadata) -> Result<(), Failure> {
    let write = || {
        let mut file = beside(path)?;
        file.keep_access(like)?;
        file.write_all(bytes)?;
        file.persist()
    };
    write().map_err(|error| of_file(path, &error))
}

/// Same as [`write_file`], for a path that is a regular file or does not exist. Writes nothing and returns false if
/// `is_current` returns false right before the file gets its name, or if `is_new` and there is such a file.
pub(crate) fn write_file_if(
    path: &Path,
    bytes: &[u8],
    is_new: bool,
    is_current: impl Fn() -> bool,
) -> Result<bool, Failure> {
    let write = || {
        let mut file = beside(path)?;
        file.write_all(bytes)?;
        file.persist_if(is_new, is_current)
    };
    write().map_err(|error| of_file(path, &error))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(bytes)?;
    file.persist()
}
