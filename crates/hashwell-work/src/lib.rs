//! Support for long-running work in the crates of hashwell: cancellation, progress and limits, threads that the system
//! may refuse to start, and parallel maps.
//!
//! ```text
//! front end: signals, progress bar -> Watch -> long loops ask it
//! items -> Workers: threads, at worst the caller's -> results, in order -> caller
//! buffers -> ReadAhead: one thread fills them -> caller
//! ```
//!
//! On targets without threads, such as `wasm32-unknown-unknown`, all work runs on the caller's thread.
#![forbid(unsafe_code)]

mod aligned;
mod start;
mod watch;

mod read_ahead;
mod workers;

pub use aligned::{Aligned, LINE};
pub use read_ahead::ReadAhead;
pub use start::{Scope, Worker, both, each, refuse_threads, room, scope, spawn, threads, together};
pub use watch::{Stopped, Watch};
pub use workers::Workers;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
