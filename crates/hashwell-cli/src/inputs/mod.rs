//! Turns names and options into bytes: files with data, secrets and seeds.

pub(crate) mod base;
pub(crate) mod buffer;
pub(crate) mod containers;
pub(crate) mod holes;
pub(crate) mod names_from;
pub(crate) mod reading;
pub(crate) mod respelled;
pub(crate) mod secret;
pub(crate) mod seed;
pub(crate) mod stamps;
pub(crate) mod trees;
pub(crate) mod walk;
pub(crate) mod workers;
