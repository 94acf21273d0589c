//! Presents measurements as tables, charts and pages. This crate doesn't depend on the kind of measurement. All output
//! is text. If there is not enough memory for it, the process ends, as with Rust's own collections.
//!
//! ```text
//! rows of words and numbers -> Table -> text | Markdown | AsciiDoc | CSV | HTML
//! series                    -> Chart, Bars -> SVG
//!                                             \-> page: one HTML file, style and pictures inside
//! two tables that differ    -> Differences -> page
//! ```
#![forbid(unsafe_code)]

pub mod chart;
pub mod differences;
pub mod format;
pub mod markup;
pub mod page;
pub mod table;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
