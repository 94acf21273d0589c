//! `make bench`: hashwell beside the best peer of the same run, job by job.
//!
//! [`jobs`] says what is measured and which bar it must reach, the engine of `hashwell-measure` measures it, [`report`]
//! prints. [`kernels`] prints every kernel by message size; [`files`] times whole programs on a file.

pub mod files;
pub mod jobs;
pub mod kernels;
pub mod report;
