//! Speed, measured so that it can be believed: one engine for `hashwell speed`, `hashwell git`, `make bench` and
//! Python.
//!
//! ```text
//! input -> ours, peers (digests compared first) -> clock (interleaved rounds, quiet core) -> samples
//!       samples -> statistics -> report (JSON) -> tables, HTML, comparison of two reports
//! ```

pub mod chart;
pub mod child;
pub mod clock;
pub mod input;
pub mod kernels;
pub mod leak;
pub mod machine;
pub mod markup;
pub mod ours;
pub mod peers;
pub mod report;
pub mod statistics;
