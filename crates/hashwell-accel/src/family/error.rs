//! Errors from making a member of the family or choosing its implementation.

use crate::family::implementation::Implementation;
use std::fmt;

/// The reason why a member does not exist or cannot run on an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The number of rounds is not 1 to 256.
    Rounds {
        /// The given number.
        given: usize,
    },
    /// The number of constants differs from the number of rounds.
    Constants {
        /// The number of constants.
        given: usize,
        /// The number of rounds.
        rounds: usize,
    },
    /// A rotation or shift has a distance of more than 31 bits.
    Rotation {
        /// The function that contains the rotation or shift.
        function: &'static str,
        /// The given distance.
        given: u32,
    },
    /// No implementation has this name.
    UnknownKernel {
        /// The given name.
        name: Box<str>,
    },
    /// The implementation exists, but is not available on this system or for this member.
    Unavailable {
        /// The implementation.
        implementation: Implementation,
        /// The reason.
        reason: Box<str>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounds { given } => write!(f, "the number of rounds must be 1 to 256, not {given}"),
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
                write!(f, "the implementation {} cannot run this function: {reason}", implementation.name())
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
