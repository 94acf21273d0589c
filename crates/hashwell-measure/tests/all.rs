//! All tests of this crate in one program, because linking a program for each file would take most of the time for
//! building the tests. `cargo nextest` runs each test in a separate process.

mod common;

mod diff;
mod hostile;
mod render;
mod verdict;
