//! The errors of operations.

use hashwell_draw::Error;

/// The kind of a failure, which is the `code` of JavaScript errors. The order is that in `web/package/src/memory.ts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The name is unknown.
    UnknownName = -1,
    /// The request is malformed, or combines options that exclude each other.
    Type = -2,
    /// A number is out of its range.
    Range = -3,
    /// There is not enough memory.
    Memory = -7,
    /// A list, transcript, seed or commitment is malformed, or does not match the others.
    Mismatch = -8,
}

/// A failure.
#[derive(Debug)]
pub struct Failure {
    /// The kind of the failure.
    pub code: Code,
    /// The error message, which is one line.
    pub message: String,
}

impl Failure {
    /// The request is invalid.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: Code::Type, message: message.into() }
    }

    /// An input is invalid.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self { code: Code::Mismatch, message: message.into() }
    }

    /// The name is unknown.
    pub(crate) fn unknown(error: &Error) -> Self {
        Self { code: Code::UnknownName, message: error.to_string() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.innermost() {
            Error::OutOfRange { .. } | Error::Endless { .. } => Code::Range,
            Error::Memory { .. } => Code::Memory,
            _ => Code::Mismatch,
        };
        Self { code, message: error.to_string() }
    }
}
