//! The boundary to JavaScript: converts results to numbers, and failures to a code and a message.

use crate::buffer::{self, Single, Text};
use core::cell::Cell;
use core::fmt;
use hashwell::{Decimal, Error, fill};

/// The error codes, in the order of the list in `memory.ts`.
#[derive(Clone, Copy)]
#[repr(i32)]
pub(crate) enum Code {
    UnknownName = -1,
    Type = -2,
    Range = -3,
    Unsupported = -4,
    Exhausted = -5,
    State = -6,
    Memory = -7,
    Mismatch = -8,
    Internal = -9,
}

/// A failure whose message is in the buffer.
pub(crate) struct Failure(Code);

pub(crate) type Result<T> = core::result::Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::UnknownAlgorithm { .. } | Error::UnknownKernel { .. } => Code::UnknownName,
            Error::OutOfRange { .. } => Code::Range,
            Error::Unsupported { .. } | Error::UnavailableKernel { .. } => Code::Unsupported,
            Error::Exhausted { .. } | Error::ReseedRequired { .. } => Code::Exhausted,
            Error::TagMismatch | Error::BadState { .. } => Code::Mismatch,
            Error::OutOfMemory => Code::Memory,
            _ => Code::Internal,
        };
        write(code, &|out| error.say(out))
    }
}

/// The number of bytes of the last message.
static MESSAGE_LEN: Single<Cell<usize>> = Single(Cell::new(0));

/// Writes the message to the buffer, with each `#` replaced by a value. A message that is too long is truncated.
#[cold]
pub(crate) fn fail(code: Code, message: &str, values: &[&str]) -> Failure {
    write(code, &|out| fill(out, message, values))
}

fn write(code: Code, say: &dyn Fn(&mut Text) -> fmt::Result) -> Failure {
    MESSAGE_LEN.0.set(buffer::text(say));
    Failure(code)
}

/// Formats a number for a message.
pub(crate) fn number(number: usize) -> Decimal {
    Decimal::of(number as u128)
}

/// Returns the number of bytes of the last error message.
#[unsafe(no_mangle)]
extern "C" fn message_len() -> usize {
    MESSAGE_LEN.0.get()
}

/// Converts a result to the return value of an exported function. Lengths and object numbers are below 2^31.
pub(crate) fn answer(result: Result<usize>) -> i32 {
    match result {
        Ok(number) => number as i32,
        Err(Failure(code)) => code as i32,
    }
}
