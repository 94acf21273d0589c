//! Digests of rows and of tables. Equal values have equal digests. `docs/spec/rows.md` specifies the digests.
//!
//! If there is no memory for data that grows with the number of rows, calls return an error, and tables are unchanged.
//! The process aborts, as with Rust's own collections, if there is no memory for columns or threads, or for an
//! allocation of at most 64 KiB whose size doesn't depend on the table.
//!
//! ```text
//! Field -> Columns: selection and order -> header
//! Columns, Node -> Rows: columns prepared, rows written (hwrow/1) -> row digests, a kernel's lanes full
//! rows -> Table: sorted-sha256 | lthash64-blake3 -> update, merge, bytes -> digest (hwtable/1), difference
//! ```
#![forbid(unsafe_code)]

mod error;
mod spread;
pub mod value;
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

mod tolerance;

pub use columns::{Columns, Order};
pub use error::Error;
pub use rows::{ROW_LIMIT, Rows};
pub use sorted::{Bucket, Digest};
pub use table::{Difference, Scheme, Table};
pub use tolerance::Tolerance;
pub use write::Writer;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
