//! `make bench`: compares hashwell with the fastest peer of the same run, job by job.
//!
//! [`jobs`] lists the jobs and their targets, the engine of `hashwell-measure` measures them, and [`report`]
//! prints the results. [`kernels`] prints the speed of every kernel by message size; [`files`] times complete
//! programs on a file.

pub mod files;
pub mod jobs;
pub mod kernels;
pub mod report;
