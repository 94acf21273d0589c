//! Speed, measured so that it can be believed: one engine for `hashwell speed`, `hashwell git`, `make bench` and
//! Python.
//!
//! ```text
//! plan -> engine -> child processes, in turns:
//!           input -> ours, peers (digests compared first) -> clock (interleaved rounds, quiet core) -> samples
//!         samples -> statistics -> report (JSON) -> verdict, tables, HTML, comparison of two reports
//! ```

pub mod chart;
pub mod child;
pub mod clock;
mod counter;
pub mod curve;
pub mod diff;
pub mod engine;
pub mod figures;
pub mod html;
pub mod input;
pub mod leak;
pub mod machine;
pub mod markup;
pub mod ours;
mod pace;
pub mod peers;
pub mod plan;
pub mod published;
pub mod random;
pub mod render;
pub mod report;
mod rows;
pub mod statistics;
pub mod table;
pub mod tables;
pub mod verdict;
pub mod view;
