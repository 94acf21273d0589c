//! The error type of this crate.

use std::borrow::Cow;
use std::fmt;

/// An error of a draw. Messages name the limit and the value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The random source has ended or failed.
    RandomSource(hashwell::Error),
    /// A number is out of its range.
    OutOfRange {
        /// The name of the number, such as "k" or "a weight".
        what: &'static str,
        /// The allowed values, such as "1 to 2^64 - 1".
        must: Cow<'static, str>,
        /// The actual value.
        got: String,
    },
    /// The list of a draw is not valid.
    InvalidList {
        /// The rule that the list breaks, with the number of the row.
        reason: Cow<'static, str>,
    },
    /// A saved state, a transcript or a plan is not valid.
    Invalid {
        /// The name of the object that was read, such as "a saved sample".
        what: &'static str,
        /// The reason.
        reason: Cow<'static, str>,
    },
    /// An error occurred at a term of a process.
    AtStep {
        /// The number of the term, counted from 0.
        step: u64,
        /// The cause.
        reason: Box<Error>,
    },
    /// An error occurred in a replicate of a process.
    InReplicate {
        /// The number of the replicate.
        replicate: u64,
        /// The cause.
        reason: Box<Error>,
    },
    /// A process has not ended within the limit on the number of its terms.
    Endless {
        /// The number of terms drawn.
        terms: u64,
    },
    /// The caller's `go_on` function returned false.
    Stopped,
    /// The request cannot be fulfilled.
    Refused {
        /// The reason, as a complete sentence.
        reason: String,
    },
    /// There is not enough memory.
    Memory {
        /// The purpose of the allocation.
        what: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::RandomSource(error) => error.fmt(f),
            Error::OutOfRange { what, must, got } => write!(f, "{what} must be {must}, not {got}"),
            Error::InvalidList { reason } => write!(f, "invalid list: {reason}"),
            Error::Invalid { what, reason } => write!(f, "not {what}: {reason}"),
            Error::AtStep { step, reason } => write!(f, "at step {step}: {reason}"),
            Error::InReplicate { replicate, reason } => write!(f, "in replicate {replicate}: {reason}"),
            Error::Endless { terms } => {
                write!(f, "the process has not ended within the limit of {terms} terms")
            }
            Error::Stopped => f.write_str("stopped on request"),
            Error::Refused { reason } => f.write_str(reason),
            Error::Memory { what } => write!(f, "not enough memory for {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::RandomSource(error) => Some(error),
            Error::AtStep { reason, .. } | Error::InReplicate { reason, .. } => Some(reason),
            _ => None,
        }
    }
}

impl From<hashwell::Error> for Error {
    fn from(error: hashwell::Error) -> Self {
        Error::RandomSource(error)
    }
}

/// If a `Watch` stops work because of its limit, this is reported like any other stop, because processes have separate
/// limits on steps.
impl From<hashwell_work::Stopped> for Error {
    fn from(_: hashwell_work::Stopped) -> Self {
        Error::Stopped
    }
}

/// Formats a number for messages: with an exponent if its digits would fill a line.
pub(crate) fn shown(x: f64) -> String {
    let short = x == 0.0 || !x.is_finite() || (1e-9..1e18).contains(&x.abs());
    if short { x.to_string() } else { format!("{x:e}") }
}

impl Error {
    /// Creates an [`Error::OutOfRange`].
    pub(crate) fn range(what: &'static str, must: impl Into<Cow<'static, str>>, got: impl ToString) -> Self {
        Error::OutOfRange { what, must: must.into(), got: got.to_string() }
    }

    /// Adds the term of a process at which this error occurred.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub(crate) fn at_step(self, step: u64) -> Self {
        Error::AtStep { step, reason: Box::new(self) }
    }

    /// Adds the number of the replicate in which this error occurred ([`Error::InReplicate`]).
    #[must_use]
    pub fn in_replicate(self, replicate: u64) -> Self {
        Error::InReplicate { replicate, reason: Box::new(self) }
    }

    /// The error itself, without the terms and replicates in which it occurred.
    #[must_use]
    pub fn innermost(&self) -> &Self {
        match self {
            Error::AtStep { reason, .. } | Error::InReplicate { reason, .. } => reason.innermost(),
            error => error,
        }
    }

    /// Creates an [`Error::OutOfRange`] for an invalid weight.
    pub(crate) fn weight(got: impl ToString) -> Self {
        Self::range("a weight", "a finite number of at least 0", got)
    }

    /// Creates an [`Error::Refused`].
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Error::Refused { reason: reason.into() }
    }

    /// Creates an [`Error::InvalidList`].
    pub(crate) fn list(reason: impl Into<Cow<'static, str>>) -> Self {
        Error::InvalidList { reason: reason.into() }
    }

    /// Creates an [`Error::Invalid`].
    pub(crate) fn invalid(what: &'static str, reason: impl Into<Cow<'static, str>>) -> Self {
        Error::Invalid { what, reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::RandomSource as _;
    use std::error::Error as _;

    /// The chain of sources leads from the place of an error to its cause.
    #[test]
    fn sources_lead_to_the_cause() {
        let end = hashwell::random::Tape::new(&[]).next_u64().unwrap_err();
        let error = Error::from(end.clone()).at_step(7).in_replicate(3);
        assert_eq!(error.to_string(), format!("in replicate 3: at step 7: {end}"));
        let shown = |error: &(dyn std::error::Error + 'static)| error.to_string();
        let mut causes = vec![];
        let mut next = error.source();
        while let Some(cause) = next {
            causes.push(shown(cause));
            next = cause.source();
        }
        assert_eq!(causes, [format!("at step 7: {end}"), end.to_string(), end.to_string()]);
        assert!(Error::Stopped.source().is_none());
        assert_eq!(*error.innermost(), Error::from(end));
    }
}
