//! What may be wrong with a member of the family, or with the wish for a backend.

use crate::family::backend::Backend;
use std::fmt;

/// Why there is no such member, or why it cannot run as wished.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A number of rounds that is not 1 to 256.
    Rounds {
        /// The number given.
        given: usize,
    },
    /// Not one constant for each round.
    Constants {
        /// Constants given.
        given: usize,
        /// Rounds of the member.
        rounds: usize,
    },
    /// A rotation or shift of 32 bits or more.
    Rotation {
        /// The function that it stands in.
        function: &'static str,
        /// The number given.
        given: u32,
    },
    /// No backend has this name.
    UnknownBackend {
        /// The name given.
        name: Box<str>,
    },
    /// The backend exists, but not here or not for this member.
    Unavailable {
        /// The backend.
        backend: Backend,
        /// Why not.
        reason: Box<str>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounds { given } => write!(f, "the rounds must be 1 to 256, not {given}"),
            Self::Constants { given, rounds } => {
                write!(f, "{rounds} rounds need {rounds} constants, not {given}")
            }
            Self::Rotation { function, given } => {
                write!(f, "a rotation or shift of {function} must be by 0 to 31 bits, not {given}")
            }
            Self::UnknownBackend { name } => {
                let known: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
                write!(f, "no backend '{name}' (there are {})", known.join(", "))
            }
            Self::Unavailable { backend, reason } => {
                write!(f, "the backend {} cannot run this: {reason}", backend.name())
            }
        }
    }
}

impl std::error::Error for Error {}

impl std::str::FromStr for Backend {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownBackend { name: name.into() };
        Self::ALL.into_iter().find(|backend| backend.name() == name).ok_or_else(unknown)
    }
}
