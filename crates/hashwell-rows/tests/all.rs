//! All tests of this crate in one program, because linking a program for each file would take most of the time for
//! building the tests. `cargo nextest` runs each test in a separate process.

mod common;

mod awkward;
mod dialects;
mod hostile;
mod numbers;
mod packed;
mod splitting;
#[cfg(feature = "parquet")]
mod table;
