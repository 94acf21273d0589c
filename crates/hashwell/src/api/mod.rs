//! What callers hold: any algorithm at run time, one type per algorithm, plain data, many messages, many streams.
//! It knows rows and what [`families`](crate::families) gives for them, and no core; [`single`] knows what its
//! algorithms are made of.

pub(crate) mod engine;
pub(crate) mod engine_check;
pub(crate) mod hash;
pub(crate) mod many;
mod ml_sampling;
#[cfg(feature = "states")]
pub(crate) mod outboard;
pub(crate) mod pieces;
pub(crate) mod plain;
#[cfg(any(feature = "digest", feature = "digest-0-10"))]
mod rustcrypto;
#[cfg(feature = "states")]
pub(crate) mod saved;
pub mod single;
pub(crate) mod streams;
pub(crate) mod typed;
