//! What is computed of a file: which algorithms and lengths, under which key, and the digests themselves.

pub(crate) mod digest;
pub(crate) mod engines;
mod large;
pub(crate) mod recipe;
