//! How measurements are shown: tables, charts and pages. Nothing here knows what was measured. All is text, for which the
//! process ends where there is no memory, as Rust's own collections end it.
//!
//! ```text
//! rows of words and numbers -> Table -> text | Markdown | AsciiDoc | CSV | HTML
//! series                    -> Chart, Bars -> SVG
//!                                             \-> page: one HTML file, style and pictures inside
//! ```
#![forbid(unsafe_code)]

pub mod chart;
pub mod format;
pub mod markup;
pub mod page;
pub mod table;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
