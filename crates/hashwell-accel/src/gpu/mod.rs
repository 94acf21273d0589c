//! Hashing on graphics cards, and on whatever else OpenCL or CUDA drives (features `opencl` and `cuda`). Their
//! libraries are looked for at run time: a binary with these features starts without them.
//!
//! ```text
//! devices()                 what there is: opencl:0, opencl:1, ..., or why nothing
//! Gpu::open("opencl:0")     a device whose digests were compared with known answers
//!   |  hash_batch(..)       many messages, shared between the device and the processor's cores
//!   |  tickets(..)          the k rows of 10^9 with the smallest tickets of hwdraw/1: nothing in, little out
//!   |  keyed_scores(..)     all rows whose tickets are under a threshold
//!   |  tree_root(..)        BLAKE3 of one long input
//!   |  Many::on(&gpu)       as an engine of hashwell's: all on the device, or an error
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
//! Digests are the same on every device and however a batch is shared. **Messages lie in the device's memory
//! afterwards**: give it no secrets. `dev/devices.md` says what it is worth, and what happens when a device fails.

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
