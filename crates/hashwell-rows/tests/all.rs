//! All tests of this crate as one program: linking a program for each file takes most of the
//! time of building the tests. `cargo nextest` runs each test in a separate process.

mod common;

mod awkward;
mod dialects;
mod hostile;
mod numbers;
mod packed;
mod splitting;
#[cfg(feature = "parquet")]
mod table;
