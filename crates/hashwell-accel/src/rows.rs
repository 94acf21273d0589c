//! Which rows of the registry are members of SHA-256's family, and with which number of rounds.

use hashwell::{Algorithm, Params};

/// The rounds of `sha256` and `sha256-90r`; no other row is a member.
pub(crate) fn rounds(algorithm: &Algorithm) -> Option<usize> {
    match algorithm.name {
        "sha256" => Some(64),
        "sha256-90r" => Some(90),
        _ => None,
    }
}

/// Whether it is one of them, plain and at its full length.
pub(crate) fn is_plain_member(algorithm: &Algorithm, params: &Params<'_>) -> bool {
    rounds(algorithm).is_some() && *params == Params { output_len: Some(32), ..Params::default() }
}
