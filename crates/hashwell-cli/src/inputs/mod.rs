//! From names and options to bytes: files of the data, and secrets.

pub(crate) mod reading;
pub(crate) mod secret;
pub(crate) mod walk;
