//! Turns digests into lines, and writes the outputs.

pub(crate) mod format;
pub(crate) mod output;
pub(crate) mod pending;
pub(crate) mod tags;
