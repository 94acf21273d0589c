//! Why an operation gives nothing.

use hashwell_draw::Error;

/// Which kind of failure it is: what JavaScript's errors have as their `code`, in the order of `web/package/src/memory.ts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// There is nothing of this name.
    UnknownName = -1,
    /// The request is none, or asks for what does not go together.
    Type = -2,
    /// A number is out of its range.
    Range = -3,
    /// There is not enough memory.
    Memory = -7,
    /// A list, a transcript, a seed or a commitment that is not what it should be.
    Mismatch = -8,
}

/// A failure.
#[derive(Debug)]
pub struct Failure {
    /// Its kind.
    pub code: Code,
    /// One line.
    pub message: String,
}

impl Failure {
    /// What was asked for cannot be asked.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: Code::Type, message: message.into() }
    }

    /// What was given is not what it should be.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self { code: Code::Mismatch, message: message.into() }
    }

    /// There is nothing of this name.
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
