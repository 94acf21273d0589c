//! Digests of rows and of tables, equal for whoever holds the same values: `docs/spec/rows.md`.
//!
//! Without memory for what grows with rows, calls return an error, and tables are as they were. For what is at most 64 KiB
//! whatever the table is, for columns and for threads the process ends, as Rust's own collections end it.
//!
//! ```text
//! Field -> Columns: which, in what order -> header
//! Columns, Node -> Rows: columns prepared, rows written (hwrow/1) -> row digests, a kernel's lanes full
//! rows -> Table: sorted-sha256 | lthash64-blake3 -> update, merge, bytes -> digest (hwtable/1), difference
//! ```
#![forbid(unsafe_code)]

mod error;
mod spread;
mod window;
mod write;

mod number;

mod cell;

mod column;

mod columns;

mod rows;

mod lthash;
mod sorted;

mod table;

mod state;

pub use columns::{Columns, Order};
pub use error::Error;
pub use rows::{ROW_LIMIT, Rows};
pub use sorted::{Bucket, Digest};
pub use table::{Difference, Scheme, Table};
pub use write::Writer;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
