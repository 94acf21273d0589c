//! Speed of hashwell and of its peers, measured side by side.
//!
//! [`jobs`] says what is measured and which bar it must reach, [`ours`] and [`peers`] do the work,
//! [`measure`] times them in several processes ([`passes`]), [`report`] prints. [`kernels`] is the table of
//! all algorithms and kernels, [`files`] times whole programs on a file.

pub mod child;
pub mod files;
pub mod jobs;
pub mod kernels;
pub mod measure;
pub mod ours;
pub mod passes;
pub mod peers;
pub mod report;
