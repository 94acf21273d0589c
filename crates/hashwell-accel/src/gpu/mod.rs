//! Hashing on GPUs, and on all other devices with OpenCL or CUDA drivers (features `opencl` and `cuda`). The libraries
//! are loaded at run time, so a binary with these features also starts without them.
//!
//! ```text
//! devices()                 the available devices opencl:0, opencl:1, ..., or the reason why there are none
//! Gpu::open("opencl:0")     a device whose digests have been compared with known answers
//!   |  hash_batch(..)       many messages, shared between the device and the CPU cores
//!   |  tickets(..)          the k of 10^9 rows with the smallest tickets of hwdraw/1: no input, little output
//!   |  keyed_scores(..)     all rows whose tickets are below a threshold
//!   |  tree_root(..)        BLAKE3 of one long input
//!   |  Many::on(&gpu)       as an engine: all messages on the device, or an error
//! ```
//!
//! ```no_run
//! use hashwell_accel::gpu::Gpu;
//!
//! let gpu = Gpu::open("opencl:0")?;
//! let mut digests = [0; 64];
//! let shared = gpu.hash_batch("sha256", b"firstsecond", &[0, 5, 11], &mut digests)?;
//! assert_eq!(shared.on_device + shared.on_cpu, 2);
//! assert_eq!(digests[..32], hashwell::find("sha256").unwrap().digest(b"first"));
//! # Ok::<(), hashwell_accel::gpu::Error>(())
//! ```
//!
//! Digests are the same on every device, and do not depend on how a batch is shared. **Messages remain in the device's
//! memory afterwards**, so do not hash secrets. `dev/devices.md` describes when a device is faster, and what happens
//! when one fails.

mod batch;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
mod engine;
mod error;
mod host;
mod hosts;
mod measure;
#[cfg(feature = "opencl")]
mod opencl;
mod program;
mod rows;
mod slot;
mod ticket;
mod tree;
mod work;
mod workers;

pub use batch::Sharing;
pub use device::{Described, Gpu, Listed, devices, devices_of};
pub use error::Error;
pub use host::Kind;
pub use ticket::Ticket;
pub use workers::Shared;

#[cfg(test)]
mod tests;
