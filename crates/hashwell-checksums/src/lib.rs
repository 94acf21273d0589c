//! Reads and writes checksum lists, and finds the algorithm of each line. This crate opens no files and prints nothing.
//!
//! ```text
//! legacy, choice -> method: an algorithm with its digest length
//! bytes of a list -> read (lines, documents: the formats of other tools) -> entries
//! entries -> resolve -> lines: algorithms to try and expected digests
//! digest, name -> write, formats -> a line
//! ```
//!
//! `docs/spec/checkfile.md` in hashwell's repository describes the formats.
#![forbid(unsafe_code)]

pub mod choice;
mod documents;
pub mod encodings;
pub mod fetch;
pub mod formats;
mod layout;
pub mod legacy;
mod lines;
pub mod method;
mod parsed;
pub mod read;
pub mod resolve;
pub mod stamp;
mod unsupported;
pub mod write;

pub use choice::Choice;
pub use legacy::Legacy;
pub use method::Method;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
