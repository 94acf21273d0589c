//! What can be wrong with columns that others hand over.

use std::fmt;

/// What is malformed, in a few words.
pub type Malformed = &'static str;

/// Why columns cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The structs or buffers contradict the interface.
    Malformed(Malformed),
    /// A type that is unknown, or a union: its format.
    Format(String),
    /// The producer's stream failed: its code (an `errno`) and its text.
    Stream {
        /// What the callback returned.
        code: i32,
        /// What `get_last_error` says, or that there is nothing.
        text: String,
    },
    /// So many bytes were not to be had.
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
