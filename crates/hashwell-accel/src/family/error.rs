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
            Self::Unavailable { backend, reason } => {
                write!(f, "the backend {} cannot run this: {reason}", backend.name())
            }
        }
    }
}

impl std::error::Error for Error {}
