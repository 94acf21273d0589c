//! The interface between hashing on a device and the library that drives the device.
//!
//! ```text
//! Host     a library: OpenCL, CUDA          lists its devices, opens one
//! Device   an open device                   compiles programs, makes queues; threads can share it
//! Queue    a sequence of work on a device   owns its memory, device and pinned; one thread at a time
//! ```
//!
//! A queue is an in-order command queue in OpenCL and a stream in CUDA. It owns its memory, which is identified by
//! numbers. Every access to pinned memory first waits for the queued work, so that safe code can never access bytes
//! that a device is copying. Work that runs in parallel uses two queues, each with its own memory, so no events are
//! needed.

use crate::gpu::error::Error;
use crate::gpu::program::{Kernel, Program, Takes};

/// The properties that a device reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) name: String,
    pub(super) platform: String,
    pub(super) driver: String,
    pub(super) kind: Kind,
    /// The size of its memory in bytes.
    pub(super) memory: u64,
    pub(super) compute_units: u32,
}

/// The kind of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A GPU or a similar device.
    Gpu,
    /// The CPU itself, used through a library for devices.
    Cpu,
    /// Any other device.
    Other,
}

/// A library that drives devices.
pub(super) trait Host: Send + Sync {
    /// Returns the prefix of its device names, such as `opencl`.
    fn name(&self) -> &'static str;

    /// Returns its devices. The index in the list is the number of the device.
    ///
    /// # Errors
    /// Returns [`Error::NoHost`] if the library is missing. If there are no devices, the list is empty.
    fn list(&self) -> Result<Vec<Info>, Error>;

    /// Opens the device with this number, which must be in the list.
    fn open(&self, number: usize) -> Result<Box<dyn Device>, Error>;
}

/// An open device.
pub(super) trait Device: Send + Sync {
    /// Compiles a program, so that its kernels can be launched. Further calls have no effect.
    ///
    /// # Errors
    /// Returns [`Error::Build`] with the compiler's log if the compiler rejects the program.
    fn compile(&self, program: &'static Program) -> Result<(), Error>;

    /// Makes a queue, which is independent of the existing ones.
    fn queue(&self) -> Result<Box<dyn Queue>, Error>;
}

/// Memory of a queue on the device, identified by its number in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buffer(pub(super) usize);

/// Memory of a queue on the host that the device can copy from and to by itself, identified by its number in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pinned(pub(super) usize);

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arg {
    Buffer(Buffer),
    U32(u32),
}

/// A sequence of work on a device. `upload`, `download` and `launch` only enqueue work, which starts when `submit` is
/// called or earlier.
pub(super) trait Queue: Send {
    /// Allocates memory on the device, with undefined contents. It lives as long as the queue.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if the allocation fails.
    fn device_memory(&mut self, bytes: usize) -> Result<Buffer, Error>;

    /// Allocates pinned memory, filled with zeros. It lives as long as the queue.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if the allocation fails.
    fn pinned_memory(&mut self, bytes: usize) -> Result<Pinned, Error>;

    /// Waits for all queued work and returns the bytes.
    fn bytes(&mut self, of: Pinned) -> Result<&mut [u8], Error>;

    /// Copies the first `bytes` bytes, possibly none, to the start of the buffer.
    fn upload(&mut self, from: Pinned, to: Buffer, bytes: usize) -> Result<(), Error>;

    /// Copies the first `bytes` bytes, possibly none, to the start of the pinned memory.
    fn download(&mut self, from: Buffer, to: Pinned, bytes: usize) -> Result<(), Error>;

    /// Runs a kernel for at least `items` work items, in groups of [`GROUP`](crate::gpu::program::GROUP). Work items
    /// from `items` on do nothing. This method adds `items` as the last argument, which every kernel has.
    ///
    /// # Panics
    /// Panics if the arguments do not have the kinds that the kernel takes.
    fn launch(
        &mut self,
        program: &'static Program,
        kernel: &'static Kernel,
        args: &[Arg],
        items: u32,
    ) -> Result<(), Error>;

    /// Starts the queued work without waiting for it.
    fn submit(&mut self) -> Result<(), Error>;

    /// Waits until all work is done.
    ///
    /// # Errors
    /// Returns [`Error::Lost`] if the device fails.
    fn wait(&mut self) -> Result<(), Error>;
}

/// Checks that the arguments have the kinds that a kernel takes. Each host calls this function before it passes them
/// on.
pub(super) fn check_args(kernel: &Kernel, args: &[Arg]) {
    let fits = |(takes, arg): (&Takes, &Arg)| {
        matches!((takes, arg), (Takes::Buffer, Arg::Buffer(_)) | (Takes::U32, Arg::U32(_)))
    };
    let all = kernel.args.len() == args.len() && kernel.args.iter().zip(args).all(fits);
    assert!(all, "{} takes {:?}, not {args:?}", kernel.name, kernel.args);
}
