//! From digests to lines, and where they go.

pub(crate) mod format;
pub(crate) mod output;
pub(crate) mod pending;
pub(crate) mod tags;
