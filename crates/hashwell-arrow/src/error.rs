//! Errors in columns from other code.

use std::fmt;

/// A short description of the error.
pub type Malformed = &'static str;

/// The reason why columns cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The structs or buffers violate the interface.
    Malformed(Malformed),
    /// An unknown type, or a union. Contains its format string.
    Format(String),
    /// The producer's stream failed: its code (an `errno`) and its text.
    Stream {
        /// The code that the callback returned.
        code: i32,
        /// The text of `get_last_error`, or a note that there is none.
        text: String,
    },
    /// Allocating this number of bytes failed.
    NoMemory(usize),
}

impl From<Malformed> for Error {
    fn from(what: Malformed) -> Self {
        Self::Malformed(what)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => write!(f, "malformed Arrow data: {what}"),
            Self::Format(format) => write!(f, "Arrow format '{format}' is not supported"),
            Self::Stream { code, text } => write!(f, "{text} (code {code})"),
            Self::NoMemory(bytes) => write!(f, "not enough memory for {bytes} bytes"),
        }
    }
}

impl std::error::Error for Error {}
