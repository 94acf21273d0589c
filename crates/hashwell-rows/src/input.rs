//! The inputs that rows are read from.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// One input: a file, standard input, or any reader.
#[derive(Clone)]
pub struct Input {
    source: Source,
}

#[derive(Clone)]
enum Source {
    Path(PathBuf),
    Stdin,
    File { name: String, file: Arc<File> },
    Reader { name: String, reader: Arc<Mutex<Option<Box<dyn Read + Send>>>> },
}

/// An input that was opened.
pub(crate) enum Opened {
    /// A regular file, which can be read at any offset, and the offset at which reading starts.
    File(File, u64),
    /// Bytes that can only be read in order.
    Stream(Box<dyn Read + Send>),
}

impl Input {
    /// Creates an input from the path of a file, a pipe or a device.
    pub fn path(path: impl Into<PathBuf>) -> Input {
        Input { source: Source::Path(path.into()) }
    }

    /// Creates an input that reads standard input.
    #[must_use]
    pub fn stdin() -> Input {
        Input { source: Source::Stdin }
    }

    /// Creates an input from an operand of a command. `-` is standard input; anything else is a path.
    #[must_use]
    pub fn operand(operand: &OsStr) -> Input {
        if operand == "-" { Input::stdin() } else { Input::path(operand) }
    }

    /// Creates an input from an open regular file, which is read from its first byte. `name` is the name for messages.
    /// The input can be opened several times, but not while the file is being read elsewhere, because all readers share
    /// the file's offset.
    #[must_use]
    pub fn file(name: impl Into<String>, file: File) -> Input {
        Input { source: Source::File { name: name.into(), file: Arc::new(file) } }
    }

    /// Creates an input from any reader. `name` is the name for messages. The input can be opened only once.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Input {
        let reader = Arc::new(Mutex::new(Some(Box::new(reader) as Box<dyn Read + Send>)));
        Input { source: Source::Reader { name: name.into(), reader } }
    }

    /// The name in messages: the path (with invalid UTF-8 replaced), `standard input`, or the name given to the
    /// constructor.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.source {
            Source::Path(path) => path.display().to_string(),
            Source::Stdin => "standard input".into(),
            Source::File { name, .. } | Source::Reader { name, .. } => name.clone(),
        }
    }

    /// The path, if the input has one.
    #[must_use]
    pub fn as_path(&self) -> Option<&Path> {
        match &self.source {
            Source::Path(path) => Some(path),
            _ => None,
        }
    }

    /// Returns true if a second call of [`Rows::open`](crate::Rows::open) starts at the same byte as the first call.
    /// This is true for open files, and for paths of regular files.
    #[must_use]
    pub fn opens_again(&self) -> bool {
        if matches!(self.source, Source::File { .. }) {
            return true;
        }
        self.as_path().is_some_and(|path| path.metadata().is_ok_and(|data| data.is_file()))
    }

    /// Reports a missing file without opening anything, so that this does not block on a FIFO.
    pub(crate) fn look(&self) -> io::Result<()> {
        match self.as_path() {
            Some(path) if path.metadata()?.is_dir() => {
                Err(io::Error::new(io::ErrorKind::IsADirectory, "a directory"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn open(&self) -> io::Result<Opened> {
        match &self.source {
            Source::Path(path) => opened(File::open(path)?, false),
            Source::Stdin => stdin(),
            Source::File { file, .. } => {
                let mut file = file.try_clone()?;
                io::Seek::rewind(&mut file)?;
                opened(file, false)
            }
            Source::Reader { reader, .. } => {
                let taken = reader
                    .lock()
                    .map_or_else(|poisoned| poisoned.into_inner().take(), |mut held| held.take());
                taken.map(Opened::Stream).ok_or_else(|| io::Error::other("the input was already read"))
            }
        }
    }
}

/// If standard input is a regular file, reading starts at its current offset.
fn opened(mut file: File, has_offset: bool) -> io::Result<Opened> {
    let data = file.metadata()?;
    if data.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a directory"));
    }
    if !data.is_file() {
        return Ok(Opened::Stream(Box::new(file)));
    }
    let offset = if has_offset { io::Seek::stream_position(&mut file)? } else { 0 };
    Ok(Opened::File(file, offset))
}

#[cfg(unix)]
fn stdin() -> io::Result<Opened> {
    use std::os::fd::AsFd;
    opened(File::from(io::stdin().as_fd().try_clone_to_owned()?), true)
}

#[cfg(not(unix))]
fn stdin() -> io::Result<Opened> {
    Ok(Opened::Stream(Box::new(io::stdin())))
}
