//! Speed, measured so that it can be believed: one engine for `hashwell speed`, `hashwell git` and `make bench`. And
//! [`leak`]: whether time depends on secrets.
//!
//! ```text
//! plan -> engine -> child processes, in turns:
//!           input -> ours, peers (digests compared first) -> clock (interleaved rounds, quiet core) -> samples
//!         samples -> statistics -> report (JSON) -> view: verdict, tables, charts, page, comparison of two reports
//! ```
//!
//! From the ground up: [`timing`] (clocks, samples, processes), [`leak`] on it alone; [`report`] (what a run leaves
//! behind), [`peers`] (who hashes), [`engine`] (what is measured, and how), [`view`] (what people see). How tables, charts
//! and pages are written is the crate `hashwell-document`'s.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod engine;
pub mod leak;
pub mod peers;
pub mod report;
pub mod research;
pub mod timing;
pub mod view;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
