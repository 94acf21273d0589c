//! The lowest layer, which uses no layer above it: kernel tables and CPU detection, SIMD lanes and
//! the batch scheduler, buffers and storage, errors and parameters, and the traits of the hash
//! states.

pub(crate) mod batch;
pub(crate) mod buffer;
// Calibration needs a clock, which only `std` has.
#[cfg_attr(not(feature = "std"), allow(dead_code))]
pub(crate) mod calibrate;
pub(crate) mod cores;
pub(crate) mod cpu;
pub(crate) mod entry_points;
pub(crate) mod error;
pub(crate) mod kernel;
pub(crate) mod keyed;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
#[path = "../../proofs/machine/mod.rs"]
pub(crate) mod machine;
pub(crate) mod names;
pub(crate) mod params;
#[cfg_attr(not(feature = "std"), allow(dead_code))]
pub(crate) mod plan;
#[cfg_attr(not(feature = "states"), allow(dead_code))] // only saved states use it
pub(crate) mod saved;
#[cfg(test)]
#[path = "../../tests/common/skipped.rs"]
#[allow(unreachable_pub)] // the tests' own crates use it too
pub(crate) mod skipped;
pub(crate) mod small;
pub(crate) mod storage;
#[cfg(feature = "rayon")]
pub mod threads;
#[cfg_attr(not(feature = "std"), allow(dead_code))]
pub(crate) mod ticks;
pub(crate) mod try_alloc;
pub(crate) mod vector;
pub(crate) mod verdict;
pub(crate) mod wipe;
