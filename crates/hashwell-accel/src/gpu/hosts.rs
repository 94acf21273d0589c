//! The one list of libraries that drive devices. A new host is a file that implements [`Host`], and a line here.

use crate::gpu::host::Host;

pub(super) fn all() -> Vec<&'static dyn Host> {
    vec![
        #[cfg(feature = "opencl")]
        &crate::gpu::opencl::OpenCl,
        #[cfg(feature = "cuda")]
        &crate::gpu::cuda::Cuda,
    ]
}
