//! Hashing on graphics cards and whatever else OpenCL drives.

mod batch;
mod crew;
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

pub use batch::Sharing;
pub use crew::Shared;
pub use device::{Described, Gpu, Listed, devices};
pub use error::Error;
pub use host::Kind;
pub use ticket::Ticket;

#[cfg(test)]
mod tests;
