//! Reliable measurements of speed, with one engine for `hashwell speed`, `hashwell git` and `make bench`. In addition,
//! [`leak`] tests whether time depends on secrets.
//!
//! ```text
//! plan -> engine -> child processes, in turns:
//!           input -> ours, peers (digests compared first) -> clock (interleaved rounds, quiet core) -> samples
//!         samples -> statistics -> report (JSON) -> view: verdict, tables, charts, page, comparison of two reports
//! ```
//!
//! From the bottom layer to the top: [`timing`] (clocks, samples, processes), and [`leak`], which uses only [`timing`];
//! [`report`] (the results of a run), [`peers`] (the providers of hashes), [`engine`] (what is measured, and how),
//! [`view`] (what people see). Tables, charts and pages are written by the crate `hashwell-document`.
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
