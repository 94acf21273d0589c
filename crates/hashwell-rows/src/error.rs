//! The error type of this crate.

use std::borrow::Cow;
use std::fmt;
use std::io;

/// An error while reading rows. A message about a file begins with the name of the file, and with the line if it is
/// known.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be opened or read.
    Io {
        /// The file.
        name: String,
        /// The error from the operating system.
        error: io::Error,
    },
    /// The content of a file does not match its format.
    Invalid {
        /// The place: the file, or "file:line".
        place: String,
        /// The reason.
        reason: Cow<'static, str>,
    },
    /// A row is longer than [`Options::max_record`](crate::Options::max_record).
    TooLong {
        /// The beginning of the row, or of the quoted field that has no end within the limit.
        place: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// Two files of one stream have different header rows.
    Headers {
        /// The file that the header comes from.
        first: String,
        /// The file that has a different header.
        other: String,
    },
    /// There is no such column.
    Column {
        /// The column that was requested.
        name: String,
        /// The reason.
        reason: Cow<'static, str>,
    },
    /// Options contradict each other or the inputs.
    Options(Cow<'static, str>),
    /// There is not enough memory for a row.
    Memory {
        /// The beginning of the row.
        place: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { name, error } => write!(f, "{name}: {error}"),
            Error::Invalid { place, reason } => write!(f, "{place}: {reason}"),
            Error::TooLong { place, limit } => {
                write!(
                    f,
                    "{place}: the row or quoted field is longer than the limit of {limit} bytes (is a quote not closed?)"
                )
            }
            Error::Headers { first, other } => {
                write!(f, "{other}: the header row differs from the header of {first}")
            }
            Error::Column { name, reason } => write!(f, "column {name:?} cannot be used: {reason}"),
            Error::Options(reason) => f.write_str(reason),
            Error::Memory { place } => write!(f, "{place}: not enough memory for this row"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl Error {
    /// Creates an [`Error::Invalid`].
    pub(crate) fn invalid(place: impl Into<String>, reason: impl Into<Cow<'static, str>>) -> Self {
        Error::Invalid { place: place.into(), reason: reason.into() }
    }

    /// Creates an [`Error::Column`].
    pub(crate) fn column(name: &str, reason: impl Into<Cow<'static, str>>) -> Self {
        Error::Column { name: name.into(), reason: reason.into() }
    }
}
