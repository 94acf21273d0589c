//! What everything stands on and what knows of nothing above it: kernel tables and the CPU, lanes and the batch
//! scheduler, buffers and storage, errors and parameters, and the contract of the cores.

pub(crate) mod batch;
pub(crate) mod buffer;
pub(crate) mod cores;
pub(crate) mod cpu;
pub(crate) mod error;
pub(crate) mod kernel;
pub(crate) mod keyed;
pub(crate) mod names;
pub(crate) mod params;
pub(crate) mod reach;
pub(crate) mod storage;
#[cfg(feature = "rayon")]
pub mod threads;
pub(crate) mod vector;
pub(crate) mod verdict;
pub(crate) mod wipe;
