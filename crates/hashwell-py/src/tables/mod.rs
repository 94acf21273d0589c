//! Digests of rows and of tables.

pub(crate) mod functions;
pub(crate) mod page;
pub(crate) mod read;
pub(crate) mod state;
