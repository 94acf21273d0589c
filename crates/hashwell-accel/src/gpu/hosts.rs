//! The list of libraries that drive devices. To add a host, implement [`Host`] in a new file and add a line here.

use crate::gpu::host::Host;

pub(super) fn all() -> Vec<&'static dyn Host> {
    vec![
        #[cfg(feature = "opencl")]
        &crate::gpu::opencl::OpenCl,
        #[cfg(feature = "cuda")]
        &crate::gpu::cuda::Cuda,
    ]
}
