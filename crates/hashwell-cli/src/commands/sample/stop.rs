//! Why a sample stops before its end, and the look at Ctrl-C.

use crate::system::report::Failure;

/// Why nothing comes of it.
#[derive(Debug)]
pub(super) enum Stop {
    Failure(Failure),
    /// Ctrl-C, while files were being written that are removed now.
    Interrupted,
}

impl Stop {
    /// The work cannot be done.
    pub(super) fn work(message: impl Into<String>) -> Self {
        Self::Failure(Failure::Work(message.into()))
    }

    /// The command line makes no sense.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::Failure(Failure::Usage(message.into()))
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<hashwell_draw::Error> for Stop {
    fn from(error: hashwell_draw::Error) -> Self {
        Self::work(error.to_string())
    }
}

impl From<hashwell_rows::Error> for Stop {
    fn from(error: hashwell_rows::Error) -> Self {
        use hashwell_rows::Error;
        match error {
            Error::Io { name, error } => {
                Self::work(format!("{name}: {}", crate::system::report::reason(&error)))
            }
            Error::Options(_) => Self::usage(error.to_string()),
            other => Self::work(other.to_string()),
        }
    }
}
