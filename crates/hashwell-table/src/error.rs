//! Errors of tables and of saved states.

use std::fmt;

/// The reason why a table has no digest, or a state is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The columns themselves are not valid.
    Arrow(hashwell_arrow::Error),
    /// The value is not a table. The error contains the Arrow format of the value.
    NotATable(String),
    /// No column has this name.
    NoColumn(String),
    /// Two columns, two fields of a struct, or two requested names have the same name.
    SameName(String),
    /// A value has no encoding.
    Value {
        /// The row, counted from 0 in all rows passed to the call.
        row: u64,
        /// The name of the column. It is empty if the row as a whole has no encoding.
        column: String,
        /// The reason, in a few words.
        what: &'static str,
    },
    /// Two states cannot be merged or compared.
    Unlike {
        /// The property that differs.
        what: &'static str,
        /// The property of this state.
        here: String,
        /// The property of the other state.
        there: String,
    },
    /// The bytes are not a valid state.
    State(&'static str),
    /// The scheme does not support this operation.
    Scheme(&'static str),
    /// There are more rows than can be counted, or more rows were removed than added.
    Count(&'static str),
    /// This number of bytes could not be allocated.
    NoMemory(usize),
}

impl Error {
    /// Converts an error of hashing, for which this number of bytes had been reserved.
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
                write!(f, "the states differ in their {what}: {here} and {there}")
            }
            Self::State(what) => write!(f, "not a saved table digest: {what}"),
            Self::Scheme(what) | Self::Count(what) => f.write_str(what),
            Self::NoMemory(bytes) => write!(f, "not enough memory for {bytes} bytes"),
        }
    }
}

impl std::error::Error for Error {}
