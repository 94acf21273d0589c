//! The algorithms of the registry, and their parameters.

pub(crate) mod algorithm;
pub(crate) mod arguments;
