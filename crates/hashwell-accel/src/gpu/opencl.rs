//! OpenCL devices. The library (`libOpenCL.so.1`, `OpenCL.dll`) is loaded at run time. Without it, there are no
//! devices.
#![allow(unsafe_code)]

use crate::gpu::error::{Error, shortened};
use crate::gpu::host::{Arg, Buffer, Device, Host, Info, Kind, Pinned, Queue, check_args};
use crate::gpu::program::{Dialect, GROUP, Kernel, Program};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU};
use opencl3::error_codes::{
    CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES,
    ClError, DLOPEN_RUNTIME_LOAD_FAILED,
};
use opencl3::memory::{CL_MAP_READ, CL_MAP_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE, ClMem};
use opencl3::types::{CL_FALSE, CL_TRUE};
use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// `CL_PLATFORM_NOT_FOUND_KHR`: there is a loader, but no driver.
const NO_PLATFORM: i32 = -1001;

pub(super) struct OpenCl;

impl Host for OpenCl {
    fn name(&self) -> &'static str {
        "opencl"
    }

    fn list(&self) -> Result<Vec<Info>, Error> {
        let found = all_devices()?;
        Ok(found.iter().map(|(platform, device)| info(platform, *device)).collect())
    }

    fn open(&self, number: usize) -> Result<Box<dyn Device>, Error> {
        let name: Box<str> = format!("opencl:{number}").into();
        let found = all_devices()?;
        let Some((platform, device)) = found.get(number) else {
            return Err(Error::UnknownDevice {
                name,
                known: format!("OpenCL devices: {}", found.len()).into(),
            });
        };
        let context = Context::from_device(device)
            .map_err(|error| making_failed(&name, "clCreateContext", 0, &error))?;
        let info = info(platform, *device);
        Ok(Box::new(Opened(Arc::new(Shared { name, info, context, programs: Mutex::default() }))))
    }
}

type Found = (String, opencl3::device::Device);

fn all_devices() -> Result<Vec<Found>, Error> {
    // Drivers are initialized by the first request for platforms and devices. If a second thread makes a request at the
    // same time, PoCL's driver returns devices that are not ready, and ends the process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _held = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let absent = |reason: &str| Error::NoHost { host: "opencl", reason: reason.into() };
    let platforms = match opencl3::platform::get_platforms() {
        Ok(platforms) => platforms,
        Err(ClError(DLOPEN_RUNTIME_LOAD_FAILED)) => return Err(absent("no OpenCL library is installed")),
        Err(ClError(NO_PLATFORM)) => return Err(absent("the OpenCL library has no driver")),
        Err(error) => return Err(absent(&format!("clGetPlatformIDs: {error}"))),
    };
    let mut found = Vec::new();
    for platform in platforms {
        let name = platform.name().unwrap_or_default();
        // A driver that is broken, or has no device, must not hide the others.
        let Ok(devices) = platform.get_devices(CL_DEVICE_TYPE_ALL) else { continue };
        found.extend(devices.into_iter().map(|id| (name.clone(), opencl3::device::Device::new(id))));
    }
    Ok(found)
}

fn info(platform: &str, device: opencl3::device::Device) -> Info {
    let kind = match device.dev_type().unwrap_or_default() {
        flags if flags & CL_DEVICE_TYPE_GPU != 0 => Kind::Gpu,
        flags if flags & CL_DEVICE_TYPE_CPU != 0 => Kind::Cpu,
        _ => Kind::Other,
    };
    Info {
        name: device.name().unwrap_or_default(),
        platform: platform.to_owned(),
        driver: device.driver_version().unwrap_or_default(),
        kind,
        memory: device.global_mem_size().unwrap_or_default(),
        compute_units: device.max_compute_units().unwrap_or_default(),
    }
}

fn failed(device: &str, call: &str, error: &ClError) -> Error {
    Error::Lost { device: device.into(), reason: format!("{call}: {error}").into() }
}

/// Converts an error of a call that creates an object. Such a call can run out of memory, after which the device still
/// works. Other calls also return `CL_OUT_OF_RESOURCES` if a kernel failed, so for them, this code is treated like any
/// other error.
fn making_failed(device: &str, call: &str, bytes: usize, error: &ClError) -> Error {
    let full = [
        CL_MEM_OBJECT_ALLOCATION_FAILURE,
        CL_OUT_OF_RESOURCES,
        CL_OUT_OF_HOST_MEMORY,
        CL_INVALID_BUFFER_SIZE,
    ];
    if full.contains(&error.0) {
        Error::OutOfMemory { device: device.into(), bytes: bytes as u64 }
    } else {
        failed(device, call, error)
    }
}

/// The data that all queues of an open device share.
struct Shared {
    name: Box<str>,
    info: Info,
    context: Context,
    programs: Mutex<HashMap<&'static str, Arc<opencl3::program::Program>>>,
}

struct Opened(Arc<Shared>);

impl Device for Opened {
    fn compile(&self, program: &'static Program) -> Result<(), Error> {
        let shared = &self.0;
        let mut programs = shared.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if programs.contains_key(program.name) {
            return Ok(());
        }
        let source = program.source(Dialect::OpenCl);
        let made = opencl3::program::Program::create_from_source(&shared.context, &source);
        let mut made =
            made.map_err(|error| making_failed(&shared.name, "clCreateProgramWithSource", 0, &error))?;
        let on_cpu = if shared.info.kind == Kind::Cpu { " -DON_CPU" } else { "" };
        let device = shared.context.default_device();
        made.build(&[device], &format!("-cl-std=CL1.2{on_cpu}")).map_err(|error| {
            let log = made.get_build_log(device).unwrap_or_default();
            let log = if log.trim().is_empty() { error.to_string() } else { log };
            Error::Build { device: shared.name.clone(), log: shortened(&log) }
        })?;
        programs.insert(program.name, Arc::new(made));
        Ok(())
    }

    fn queue(&self) -> Result<Box<dyn Queue>, Error> {
        let shared = &self.0;
        let commands = CommandQueue::create_default(&shared.context, 0)
            .map_err(|error| making_failed(&shared.name, "clCreateCommandQueue", 0, &error))?;
        Ok(Box::new(Ordered {
            kernels: HashMap::new(),
            buffers: Vec::new(),
            pinned: Vec::new(),
            waiting: false,
            commands,
            shared: Arc::clone(shared),
        }))
    }
}

struct DeviceMemory {
    buffer: opencl3::memory::Buffer<u8>,
    bytes: usize,
}

/// Memory that the driver allocates where its device can access it. It is mapped as long as it lives.
struct PinnedMemory {
    buffer: opencl3::memory::Buffer<u8>,
    bytes: usize,
    mapped: *mut u8,
}

// SAFETY: only this value has a pointer to the memory, and the memory does not belong to a thread.
unsafe impl Send for PinnedMemory {}

struct Ordered {
    /// The kernels of this queue. A kernel object of OpenCL stores its arguments, so each queue has its own.
    kernels: HashMap<(&'static str, &'static str), opencl3::kernel::Kernel>,
    buffers: Vec<DeviceMemory>,
    pinned: Vec<PinnedMemory>,
    /// True if work was queued for which the host has not waited.
    waiting: bool,
    commands: CommandQueue,
    shared: Arc<Shared>,
}

impl Ordered {
    fn failed(&self, call: &str, error: &ClError) -> Error {
        failed(&self.shared.name, call, error)
    }

    fn kernel(
        &mut self,
        program: &'static Program,
        kernel: &'static Kernel,
    ) -> Result<&opencl3::kernel::Kernel, Error> {
        let key = (program.name, kernel.name);
        if !self.kernels.contains_key(&key) {
            let programs = self.shared.programs.lock().unwrap_or_else(PoisonError::into_inner);
            let compiled = programs.get(program.name).cloned();
            drop(programs);
            let compiled =
                compiled.unwrap_or_else(|| panic!("{} is launched before it is compiled", program.name));
            let made = opencl3::kernel::Kernel::create(&compiled, kernel.name);
            let failed = |error| making_failed(&self.shared.name, "clCreateKernel", 0, &error);
            self.kernels.insert(key, made.map_err(failed)?);
        }
        Ok(&self.kernels[&key])
    }
}

impl Queue for Ordered {
    fn device_memory(&mut self, bytes: usize) -> Result<Buffer, Error> {
        let failed = |error: ClError| making_failed(&self.shared.name, "clCreateBuffer", bytes, &error);
        // SAFETY: no host pointer is passed, and every size is allowed.
        let made = unsafe {
            opencl3::memory::Buffer::<u8>::create(
                &self.shared.context,
                CL_MEM_READ_WRITE,
                bytes,
                ptr::null_mut(),
            )
        };
        let mut buffer = made.map_err(failed)?;
        let none: [u8; 1] = [0];
        // Drivers allocate memory when it is first used. It is used here so that a failure is reported here.
        // SAFETY: the buffer has `bytes` bytes, and the call copies the pattern.
        let filled = unsafe { self.commands.enqueue_fill_buffer(&mut buffer, &none, 0, bytes, &[]) };
        filled.map_err(failed)?;
        self.commands.finish().map_err(failed)?;
        self.buffers.push(DeviceMemory { buffer, bytes });
        Ok(Buffer(self.buffers.len() - 1))
    }

    fn pinned_memory(&mut self, bytes: usize) -> Result<Pinned, Error> {
        let failed = |error: ClError| making_failed(&self.shared.name, "clCreateBuffer", bytes, &error);
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
        // SAFETY: no host pointer is passed, and every size is allowed.
        let made = unsafe {
            opencl3::memory::Buffer::<u8>::create(&self.shared.context, flags, bytes, ptr::null_mut())
        };
        let buffer = made.map_err(failed)?;
        let mut mapped = ptr::null_mut();
        // SAFETY: the whole buffer is mapped, and the call returns after it was mapped.
        let done = unsafe {
            let flags = CL_MAP_READ | CL_MAP_WRITE;
            self.commands.enqueue_map_buffer(&buffer, CL_TRUE, flags, 0, bytes, &mut mapped, &[])
        };
        done.map_err(failed)?;
        let mapped = mapped.cast::<u8>();
        // SAFETY: `bytes` bytes are mapped there for reading and writing, and there are no other pointers to them yet.
        unsafe { ptr::write_bytes(mapped, 0, bytes) };
        self.pinned.push(PinnedMemory { buffer, bytes, mapped });
        Ok(Pinned(self.pinned.len() - 1))
    }

    fn bytes(&mut self, of: Pinned) -> Result<&mut [u8], Error> {
        self.wait()?;
        let memory = &mut self.pinned[of.0];
        // SAFETY: this number of bytes is mapped there as long as the queue lives, and was initialized when it was
        // allocated. No queued work is running, no work can be queued while the slice borrows the queue, and no second
        // slice can be made in the meantime.
        Ok(unsafe { std::slice::from_raw_parts_mut(memory.mapped, memory.bytes) })
    }

    fn upload(&mut self, from: Pinned, to: Buffer, bytes: usize) -> Result<(), Error> {
        let (from, to) = (&self.pinned[from.0], &mut self.buffers[to.0]);
        assert!(bytes <= from.bytes && bytes <= to.bytes, "an upload past the end of memory");
        if bytes == 0 {
            return Ok(());
        }
        self.waiting = true;
        // SAFETY: both memories have at least `bytes` bytes. Host buffers stay mapped until the queue is dropped, which
        // first waits for its work to finish. No code has a reference to them before it has waited (see `bytes`).
        let queued = unsafe {
            let source = std::slice::from_raw_parts(from.mapped, bytes);
            self.commands.enqueue_write_buffer(&mut to.buffer, CL_FALSE, 0, source, &[])
        };
        queued.map(drop).map_err(|error| self.failed("clEnqueueWriteBuffer", &error))
    }

    fn download(&mut self, from: Buffer, to: Pinned, bytes: usize) -> Result<(), Error> {
        let (from, to) = (&self.buffers[from.0], &self.pinned[to.0]);
        assert!(bytes <= from.bytes && bytes <= to.bytes, "a download past the end of memory");
        if bytes == 0 {
            return Ok(());
        }
        self.waiting = true;
        // SAFETY: the same as for an upload. The slice ends with the call, and there is no other reference.
        let queued = unsafe {
            let target = std::slice::from_raw_parts_mut(to.mapped, bytes);
            self.commands.enqueue_read_buffer(&from.buffer, CL_FALSE, 0, target, &[])
        };
        queued.map(drop).map_err(|error| self.failed("clEnqueueReadBuffer", &error))
    }

    fn launch(
        &mut self,
        program: &'static Program,
        kernel: &'static Kernel,
        args: &[Arg],
        items: u32,
    ) -> Result<(), Error> {
        check_args(kernel, args);
        self.kernel(program, kernel)?;
        let made = &self.kernels[&(program.name, kernel.name)];
        let all = args.iter().copied().chain([Arg::U32(items)]);
        for (index, arg) in (0..).zip(all) {
            // SAFETY: `check_args` has checked that the kernel takes an argument of this kind at this index, and the
            // number of items is the last argument of every kernel. OpenCL copies the argument. The buffer lives as
            // long as the queue.
            let set = unsafe {
                match arg {
                    Arg::Buffer(Buffer(number)) => made.set_arg(index, &self.buffers[number].buffer.get()),
                    Arg::U32(value) => made.set_arg(index, &value),
                }
            };
            set.map_err(|error| self.failed("clSetKernelArg", &error))?;
        }
        self.waiting = true;
        let (global, local) = ((items as usize).next_multiple_of(GROUP as usize), GROUP as usize);
        // SAFETY: there is one dimension, and both sizes live during the call. The kernel accesses memory only inside
        // the buffers: callers check the sizes of the buffers against the number of items, and the programs are part of
        // this crate.
        let queued = unsafe {
            self.commands.enqueue_nd_range_kernel(made.get(), 1, ptr::null(), &global, &local, &[])
        };
        queued.map(drop).map_err(|error| self.failed("clEnqueueNDRangeKernel", &error))
    }

    fn submit(&mut self) -> Result<(), Error> {
        self.commands.flush().map_err(|error| self.failed("clFlush", &error))
    }

    fn wait(&mut self) -> Result<(), Error> {
        if self.waiting {
            self.commands.finish().map_err(|error| self.failed("clFinish", &error))?;
            self.waiting = false;
        }
        Ok(())
    }
}

impl Drop for Ordered {
    fn drop(&mut self) {
        // Errors of these calls are ignored, because nothing can be done about them. The objects are released next.
        // OpenCL counts the references to them, and frees an object only when it is no longer used.
        let _ = self.commands.finish();
        for memory in &self.pinned {
            // SAFETY: the memory was mapped once, and all work queued on it is done.
            let _ = unsafe {
                self.commands.enqueue_unmap_mem_object(memory.buffer.get(), memory.mapped.cast(), &[])
            };
        }
        let _ = self.commands.finish();
    }
}
