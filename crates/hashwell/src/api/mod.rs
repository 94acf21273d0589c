//! The types of the public API: algorithms chosen at run time, one type per algorithm, states as
//! plain data, batches of messages and batches of streams.
//!
//! These modules use the registry and [`families`](crate::families), but not the state type of any
//! algorithm. [`single`] is the exception: it names the state types of its algorithms.

#[cfg(feature = "states")]
pub(crate) mod chunk_list;
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
#[cfg(feature = "states")]
pub(crate) mod slice;
pub(crate) mod streams;
pub(crate) mod typed;
