//! The registry's rows, and the parameters that each takes.

pub(crate) mod algorithm;
pub(crate) mod arguments;
