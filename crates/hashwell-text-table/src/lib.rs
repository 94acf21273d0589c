//! Converts text to typed columns, and back: fields and JSON values to rows of `hwrow/1`, and rows of Parquet files to
//! text.
//!
//! ```text
//! Arrow field | name of a type -> kind
//! field of CSV, kind -> read::cell -> number, time -> bytes of a row
//! JSON value, kind   -> read::json ->      \"      -> bytes of a row
//! rows of Parquet    -> write -> JSON lines, CSV
//! ```
#![forbid(unsafe_code)]

mod kind;
pub mod names;
pub mod read;
pub mod write;

pub use kind::Type;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
