//! The rows of the registry that are members of the SHA-256 family, with their numbers of rounds.

use hashwell::{Algorithm, Params};

/// Returns the number of rounds of `sha256` and `sha256-90r`. No other row is a member.
pub(crate) fn rounds(algorithm: &Algorithm) -> Option<usize> {
    match algorithm.name {
        "sha256" => Some(64),
        "sha256-90r" => Some(90),
        _ => None,
    }
}

/// Returns true if the algorithm is a member, without parameters and with the full digest length.
pub(crate) fn is_plain_member(algorithm: &Algorithm, params: &Params<'_>) -> bool {
    rounds(algorithm).is_some() && *params == Params { output_len: Some(32), ..Params::default() }
}
