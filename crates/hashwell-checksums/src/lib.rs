//! Checksum lists: reading, writing, and the algorithm that each line means. Nothing here opens a file or prints.
//!
//! ```text
//! legacy, choice -> method: an algorithm with its digest length
//! bytes of a list -> read -> entries -> resolve -> lines: algorithms to try and expected digests
//! digest, name -> write -> a line
//! ```
//!
//! The formats are described in `docs/spec/checkfile.md` of hashwell's repository.
#![forbid(unsafe_code)]

pub mod choice;
pub mod legacy;
pub mod method;
pub mod read;
pub mod resolve;
pub mod write;

pub use choice::Choice;
pub use legacy::Legacy;
pub use method::Method;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
