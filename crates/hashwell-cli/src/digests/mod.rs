//! Digests of files, and the values that define them: algorithms, lengths, keys and other parameters.

pub(crate) mod digest;
pub(crate) mod engines;
mod large;
pub(crate) mod recipe;
