//! What may be wrong with a member of the family, or with the wish for an implementation.

use crate::family::implementation::Implementation;
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
    /// No implementation has this name.
    UnknownKernel {
        /// The name given.
        name: Box<str>,
    },
    /// The implementation exists, but not here or not for this member.
    Unavailable {
        /// The implementation.
        implementation: Implementation,
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
            Self::UnknownKernel { name } => {
                let known: Vec<&str> =
                    Implementation::ALL.iter().map(|implementation| implementation.name()).collect();
                write!(f, "unknown implementation '{name}' (known: {})", known.join(", "))
            }
            Self::Unavailable { implementation, reason } => {
                write!(f, "the implementation {} cannot run this: {reason}", implementation.name())
            }
        }
    }
}

impl std::error::Error for Error {}

impl std::str::FromStr for Implementation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownKernel { name: name.into() };
        Self::ALL.into_iter().find(|implementation| implementation.name() == name).ok_or_else(unknown)
    }
}
