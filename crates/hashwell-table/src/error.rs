//! What can be wrong with tables and with states.

use std::fmt;

/// Why a table has no digest, or a state is none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The columns themselves.
    Arrow(hashwell_arrow::Error),
    /// Not a table: the format that was given.
    NotATable(String),
    /// No column has this name.
    NoColumn(String),
    /// Two columns, two fields of a struct, or two of the names asked for are the same.
    SameName(String),
    /// A value without encoding: its row from 0, its column, and what is wrong.
    Value {
        /// From 0, in all that the call was given.
        row: u64,
        /// Its name; none if it is the row as a whole.
        column: String,
        /// In a few words.
        what: &'static str,
    },
    /// Two states of tables that cannot be one: what differs, of the one and of the other.
    Unlike {
        /// What differs.
        what: &'static str,
        /// Of the state that is there.
        here: String,
        /// Of the other one.
        there: String,
    },
    /// Bytes that are no state.
    State(&'static str),
    /// What this scheme cannot do.
    Scheme(&'static str),
    /// More rows than can be counted, or fewer than none.
    Count(&'static str),
    /// So many bytes were not to be had.
    NoMemory(usize),
}

impl Error {
    /// Why there are no digests of so many bytes, for which there was room.
    pub(crate) fn of_digests(error: hashwell::Error, bytes: usize) -> Self {
        match error {
            hashwell::Error::OutOfMemory => Self::NoMemory(bytes),
            other => unreachable!("{other}"),
        }
    }
}

impl From<hashwell_arrow::Error> for Error {
    fn from(error: hashwell_arrow::Error) -> Self {
        Self::Arrow(error)
    }
}

impl From<&'static str> for Error {
    fn from(malformed: &'static str) -> Self {
        Self::Arrow(malformed.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arrow(error) => error.fmt(f),
            Self::NotATable(format) => write!(f, "expected a table, not Arrow data of format '{format}'"),
            Self::NoColumn(name) => write!(f, "there is no column '{name}'"),
            Self::SameName(name) => write!(f, "two columns or fields have the name '{name}'"),
            Self::Value { row, column, what } if column.is_empty() => write!(f, "row {row}: {what}"),
            Self::Value { row, column, what } => write!(f, "column '{column}', row {row}: {what}"),
            Self::Unlike { what, here, there } => {
                write!(f, "the states differ in {what}: {here} and {there}")
            }
            Self::State(what) => write!(f, "not a saved table digest: {what}"),
            Self::Scheme(what) | Self::Count(what) => f.write_str(what),
            Self::NoMemory(bytes) => write!(f, "not enough memory for {bytes} bytes"),
        }
    }
}

impl std::error::Error for Error {}
