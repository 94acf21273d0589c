//! The command line, as clap reads it.

pub(crate) mod args;
pub(crate) mod bytes;
pub(crate) mod names;
