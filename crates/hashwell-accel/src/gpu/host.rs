//! The seam between what is hashed on a device and the library that drives it.
//!
//! ```text
//! Host     a library: OpenCL, CUDA          lists its devices, opens one
//! Device   an open device                   compiles programs, makes queues; threads may share it
//! Queue    one order of work on a device    its own memory, device and pinned; one thread at a time
//! ```
//!
//! A queue is an in-order command queue of OpenCL and a stream of CUDA. Its memory belongs to it and is named by
//! numbers, and every way to pinned memory first waits for what was queued, so that no safe code can touch bytes that a
//! device is copying. What runs beside each other goes on two queues, each with memory of its own; no events are
//! needed.

use crate::gpu::error::Error;
use crate::gpu::program::{Kernel, Program, Takes};

/// What a device says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) name: String,
    pub(super) platform: String,
    pub(super) driver: String,
    pub(super) kind: Kind,
    /// Bytes of its memory.
    pub(super) memory: u64,
    pub(super) compute_units: u32,
}

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A graphics card, or what is built like one.
    Gpu,
    /// The processor itself, through a library for devices.
    Cpu,
    /// Anything else.
    Other,
}

/// A library that drives devices.
pub(super) trait Host: Send + Sync {
    /// What its devices' names begin with: `opencl`.
    fn name(&self) -> &'static str;

    /// Its devices. The place in the list is the device's number.
    ///
    /// # Errors
    /// [`Error::NoHost`] if the library is missing. No device is an empty list.
    fn list(&self) -> Result<Vec<Info>, Error>;

    /// Opens a device by its number, which is in the list.
    fn open(&self, number: usize) -> Result<Box<dyn Device>, Error>;
}

/// An open device.
pub(super) trait Device: Send + Sync {
    /// Compiles a program, so that its kernels can be launched. A second time does nothing.
    ///
    /// # Errors
    /// [`Error::Build`] with the compiler's log.
    fn compile(&self, program: &'static Program) -> Result<(), Error>;

    /// A new order of work, beside those that exist.
    fn queue(&self) -> Result<Box<dyn Queue>, Error>;
}

/// A queue's memory on the device, by its number in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buffer(pub(super) usize);

/// A queue's memory of the host that the device can copy from and to by itself, by its number in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pinned(pub(super) usize);

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arg {
    Buffer(Buffer),
    U32(u32),
}

/// An order of work on a device. `upload`, `download` and `launch` only queue; work begins by `submit` at the latest.
pub(super) trait Queue: Send {
    /// New memory on the device, whose content is anything. It lives as long as the queue.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    fn device_memory(&mut self, bytes: usize) -> Result<Buffer, Error>;

    /// New pinned memory, whose content is zeros. It lives as long as the queue.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    fn pinned_memory(&mut self, bytes: usize) -> Result<Pinned, Error>;

    /// Waits for all that was queued and gives the bytes.
    fn bytes(&mut self, of: Pinned) -> Result<&mut [u8], Error>;

    /// Copies the first `bytes`, which may be none, to the beginning of the buffer.
    fn upload(&mut self, from: Pinned, to: Buffer, bytes: usize) -> Result<(), Error>;

    /// Copies the first `bytes`, which may be none, to the beginning of the pinned memory.
    fn download(&mut self, from: Buffer, to: Pinned, bytes: usize) -> Result<(), Error>;

    /// Runs a kernel for at least `items` work items, in groups of [`GROUP`](crate::gpu::program::GROUP). Those from
    /// `items` on do nothing: the number is the last argument of every kernel, and is added here.
    ///
    /// # Panics
    /// If the arguments are not of the kinds that the kernel takes.
    fn launch(
        &mut self,
        program: &'static Program,
        kernel: &'static Kernel,
        args: &[Arg],
        items: u32,
    ) -> Result<(), Error>;

    /// Begins with what was queued, and does not wait.
    fn submit(&mut self) -> Result<(), Error>;

    /// Waits until all is done.
    ///
    /// # Errors
    /// [`Error::Lost`].
    fn wait(&mut self) -> Result<(), Error>;
}

/// Looks whether arguments are what a kernel takes; each host does before it hands them over.
pub(super) fn check_args(kernel: &Kernel, args: &[Arg]) {
    let fits = |(takes, arg): (&Takes, &Arg)| {
        matches!((takes, arg), (Takes::Buffer, Arg::Buffer(_)) | (Takes::U32, Arg::U32(_)))
    };
    let all = kernel.args.len() == args.len() && kernel.args.iter().zip(args).all(fits);
    assert!(all, "{} takes {:?}, not {args:?}", kernel.name, kernel.args);
}
