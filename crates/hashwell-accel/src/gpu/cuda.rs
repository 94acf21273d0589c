//! CUDA devices. The driver and its compiler NVRTC are loaded at run time. Without them, there are no devices. The
//! functions are those of the CUDA Driver API. [`Queue`] describes how they are used.
#![allow(unsafe_code)]

mod compiler;

use crate::gpu::error::Error;
use crate::gpu::host::{Arg, Buffer, Device, Host, Info, Kind, Pinned, Queue, check_args};
use crate::gpu::program::{Dialect, GROUP, Kernel, Program};
use cudarc::driver::sys::{self, CUdevice_attribute, CUresult};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream, DriverError, result};
use cudarc::nvrtc::Ptx;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) struct Cuda;

impl Host for Cuda {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn list(&self) -> Result<Vec<Info>, Error> {
        let driver = driver()?;
        Ok((0..count()?).map(|number| info(number, &driver)).collect())
    }

    fn open(&self, number: usize) -> Result<Box<dyn Device>, Error> {
        let name: Box<str> = format!("cuda:{number}").into();
        driver()?;
        let devices = count()?;
        if number >= devices {
            return Err(Error::UnknownDevice { name, known: format!("CUDA devices: {devices}").into() });
        }
        if !compiler::present() {
            return Err(no_host("the CUDA driver is installed, but its compiler NVRTC (libnvrtc) is not"));
        }
        let opened = || -> Result<_, DriverError> {
            let context = CudaContext::new(number)?;
            let (major, minor) = context.compute_capability()?;
            Ok((context, 10 * major + minor))
        };
        let (context, capability) =
            opened().map_err(|error| failed(&name, "cuDevicePrimaryCtxRetain", error))?;
        Ok(Box::new(Opened(Arc::new(Shared { name, capability, context, programs: Mutex::default() }))))
    }
}

fn no_host(reason: &str) -> Error {
    Error::NoHost { host: "cuda", reason: reason.into() }
}

fn absent(error: &DriverError) -> Error {
    no_host(&format!("the driver reports {}", told(*error)))
}

/// Returns the version of the driver, which also shows that there is a driver.
fn driver() -> Result<String, Error> {
    // SAFETY: the function opens a library by its name, as the system does when it starts any program, and calls
    // nothing in it.
    if !unsafe { sys::is_culib_present() } {
        return Err(no_host("no CUDA driver is installed"));
    }
    let mut version = 0;
    // SAFETY: the function writes one number through a valid pointer.
    let done = unsafe { sys::cuDriverGetVersion(&raw mut version) }.result();
    done.map_err(|error| absent(&error))?;
    Ok(format!("CUDA {}.{}", version / 1000, version % 1000 / 10))
}

fn count() -> Result<usize, Error> {
    match CudaContext::device_count() {
        Ok(count) => Ok(usize::try_from(count).unwrap_or(0)),
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => Ok(0),
        Err(error) => Err(absent(&error)),
    }
}

fn info(number: usize, driver: &str) -> Info {
    let device = result::device::get(i32::try_from(number).unwrap_or(i32::MAX));
    let units = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    // SAFETY: the function takes a device that the driver returned, and writes only to its own variable.
    let memory = device.and_then(|device| unsafe { result::device::total_mem(device) });
    // SAFETY: the same as for the call above.
    let units = device.and_then(|device| unsafe { result::device::get_attribute(device, units) });
    // If a query fails, the device is still listed: the numbers of the devices are their positions in the list.
    Info {
        name: device.and_then(result::device::get_name).unwrap_or_default(),
        platform: "CUDA".to_owned(),
        driver: driver.to_owned(),
        kind: Kind::Gpu,
        memory: memory.unwrap_or_default() as u64,
        compute_units: units.map_or(0, |units| u32::try_from(units).unwrap_or(0)),
    }
}

/// Returns the name of an error, such as `CUDA_ERROR_ILLEGAL_ADDRESS`.
fn told(error: DriverError) -> String {
    error
        .error_name()
        .map_or_else(|_| format!("error {}", error.0 as u32), |name| name.to_string_lossy().into())
}

/// Converts an error. Many calls can fail because memory is full. After such an error, the device still works; after
/// any other error, it is lost.
fn failed(device: &str, call: &str, error: DriverError) -> Error {
    if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
        return Error::OutOfMemory { device: device.into(), bytes: 0 };
    }
    Error::Lost { device: device.into(), reason: format!("{call}: {}", told(error)).into() }
}

/// The data that all queues of an open device share.
struct Shared {
    name: Box<str>,
    /// The compute capability: ten times the major number plus the minor number.
    capability: i32,
    context: Arc<CudaContext>,
    programs: Mutex<HashMap<&'static str, Arc<CudaModule>>>,
}

struct Opened(Arc<Shared>);

impl Device for Opened {
    fn compile(&self, program: &'static Program) -> Result<(), Error> {
        let shared = &self.0;
        let mut programs = shared.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if programs.contains_key(program.name) {
            return Ok(());
        }
        let compiled = compiler::compile(&program.source(Dialect::Cuda), shared.capability)
            .map_err(|log| Error::Build { device: shared.name.clone(), log })?;
        let loaded = shared.context.load_module(Ptx::from_binary(compiled.code));
        let loaded = loaded.map_err(|error| failed(&shared.name, "cuModuleLoadData", error))?;
        programs.insert(program.name, loaded);
        Ok(())
    }

    fn queue(&self) -> Result<Box<dyn Queue>, Error> {
        let shared = &self.0;
        let stream =
            shared.context.new_stream().map_err(|error| failed(&shared.name, "cuStreamCreate", error))?;
        Ok(Box::new(Stream {
            kernels: HashMap::new(),
            buffers: Vec::new(),
            pinned: Vec::new(),
            waiting: false,
            stream,
            shared: Arc::clone(shared),
        }))
    }
}

struct DeviceMemory {
    at: sys::CUdeviceptr,
    bytes: usize,
}

/// Pages with fixed addresses, so that the device can copy from and to them by itself.
struct PinnedMemory {
    at: *mut u8,
    bytes: usize,
}

// SAFETY: only this value has a pointer to the memory, and the memory does not belong to a thread.
unsafe impl Send for PinnedMemory {}

struct Stream {
    kernels: HashMap<(&'static str, &'static str), CudaFunction>,
    buffers: Vec<DeviceMemory>,
    pinned: Vec<PinnedMemory>,
    /// True if work was queued for which the host has not waited.
    waiting: bool,
    stream: Arc<CudaStream>,
    shared: Arc<Shared>,
}

impl Stream {
    fn failed(&self, call: &str, error: DriverError) -> Error {
        failed(&self.shared.name, call, error)
    }

    fn memory_failed(&self, call: &str, bytes: usize, error: DriverError) -> Error {
        match self.failed(call, error) {
            Error::OutOfMemory { device, .. } => Error::OutOfMemory { device, bytes: bytes as u64 },
            other => other,
        }
    }

    /// Makes the context current for the calling thread, as the driver's functions require.
    fn bind(&self) -> Result<(), Error> {
        self.shared.context.bind_to_thread().map_err(|error| self.failed("cuCtxSetCurrent", error))
    }

    fn kernel(
        &mut self,
        program: &'static Program,
        kernel: &'static Kernel,
    ) -> Result<sys::CUfunction, Error> {
        let key = (program.name, kernel.name);
        if let Some(function) = self.kernels.get(&key) {
            return Ok(function.cu_function());
        }
        let programs = self.shared.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let module = programs.get(program.name).cloned();
        drop(programs);
        let module = module.unwrap_or_else(|| panic!("{} is launched before it is compiled", program.name));
        let function =
            module.load_function(kernel.name).map_err(|error| self.failed("cuModuleGetFunction", error))?;
        Ok(self.kernels.entry(key).or_insert(function).cu_function())
    }
}

impl Queue for Stream {
    fn device_memory(&mut self, bytes: usize) -> Result<Buffer, Error> {
        self.bind()?;
        // SAFETY: every size is allowed. The memory is freed once, when the queue is dropped.
        let made = unsafe { result::malloc_sync(bytes) };
        let at = made.map_err(|error| self.memory_failed("cuMemAlloc", bytes, error))?;
        self.buffers.push(DeviceMemory { at, bytes });
        Ok(Buffer(self.buffers.len() - 1))
    }

    fn pinned_memory(&mut self, bytes: usize) -> Result<Pinned, Error> {
        self.bind()?;
        // SAFETY: every size is allowed. The memory is freed once, when the queue is dropped.
        let made = unsafe { result::malloc_host(bytes, 0) };
        let at = made.map_err(|error| self.memory_failed("cuMemHostAlloc", bytes, error))?.cast::<u8>();
        // SAFETY: the driver returned `bytes` writable bytes, to which there are no other pointers yet. Zeros
        // initialize them.
        unsafe { at.write_bytes(0, bytes) };
        self.pinned.push(PinnedMemory { at, bytes });
        Ok(Pinned(self.pinned.len() - 1))
    }

    fn bytes(&mut self, of: Pinned) -> Result<&mut [u8], Error> {
        self.wait()?;
        let memory = &mut self.pinned[of.0];
        // SAFETY: the memory has this number of bytes, was initialized when it was allocated, and lives as long as the
        // queue. All copies are done, no copy can start while the slice borrows the queue, and there is no other
        // reference to the memory.
        Ok(unsafe { std::slice::from_raw_parts_mut(memory.at, memory.bytes) })
    }

    fn upload(&mut self, from: Pinned, to: Buffer, bytes: usize) -> Result<(), Error> {
        self.bind()?;
        let (from, to) = (&self.pinned[from.0], &self.buffers[to.0]);
        assert!(bytes <= from.bytes && bytes <= to.bytes, "an upload past the end of memory");
        self.waiting = true;
        // SAFETY: both memories have at least `bytes` bytes and live as long as the queue, which waits before it frees
        // them. No code can write to the pinned bytes in the meantime, since every access to them waits first. The
        // slice ends with the call.
        let queued = unsafe {
            let source = std::slice::from_raw_parts(from.at, bytes);
            result::memcpy_htod_async(to.at, source, self.stream.cu_stream())
        };
        queued.map_err(|error| self.failed("cuMemcpyHtoDAsync", error))
    }

    fn download(&mut self, from: Buffer, to: Pinned, bytes: usize) -> Result<(), Error> {
        self.bind()?;
        let (from, to) = (&self.buffers[from.0], &self.pinned[to.0]);
        assert!(bytes <= from.bytes && bytes <= to.bytes, "a download past the end of memory");
        self.waiting = true;
        // SAFETY: the same as for an upload. The slice ends with the call, and there is no other reference.
        let queued = unsafe {
            let target = std::slice::from_raw_parts_mut(to.at, bytes);
            result::memcpy_dtoh_async(target, from.at, self.stream.cu_stream())
        };
        queued.map_err(|error| self.failed("cuMemcpyDtoHAsync", error))
    }

    fn launch(
        &mut self,
        program: &'static Program,
        kernel: &'static Kernel,
        args: &[Arg],
        items: u32,
    ) -> Result<(), Error> {
        check_args(kernel, args);
        self.bind()?;
        let function = self.kernel(program, kernel)?;
        // Each argument has eight bytes. A pointer fills them. For a number, the driver reads the first four.
        let mut values: Vec<[u8; 8]> = Vec::with_capacity(args.len() + 1);
        for arg in args.iter().copied().chain([Arg::U32(items)]) {
            values.push(match arg {
                Arg::Buffer(Buffer(number)) => self.buffers[number].at.to_ne_bytes(),
                Arg::U32(value) => {
                    let mut wide = [0; 8];
                    wide[..4].copy_from_slice(&value.to_ne_bytes());
                    wide
                }
            });
        }
        let mut params: Vec<*mut c_void> = values.iter_mut().map(|value| value.as_mut_ptr().cast()).collect();
        self.waiting = true;
        let (groups, stream) = ((items.div_ceil(GROUP), 1, 1), self.stream.cu_stream());
        // SAFETY: the function belongs to a module that the device keeps loaded. `check_args` has checked the kinds of
        // its arguments, and the number of items is the last argument of every kernel. The driver copies the arguments
        // before it returns. The kernel accesses memory only inside the buffers: callers check the sizes of the buffers
        // against the number of items, and the programs are part of this crate.
        let queued =
            unsafe { result::launch_kernel(function, groups, (GROUP, 1, 1), 0, stream, &mut params) };
        queued.map_err(|error| self.failed("cuLaunchKernel", error))
    }

    fn submit(&mut self) -> Result<(), Error> {
        // Work on a stream starts by itself.
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Error> {
        if self.waiting {
            self.bind()?;
            self.stream.synchronize().map_err(|error| self.failed("cuStreamSynchronize", error))?;
            self.waiting = false;
        }
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Errors of these calls are ignored: a device that is lost has nothing left to free.
        if self.bind().is_err() {
            return;
        }
        let _ = self.stream.synchronize();
        for memory in &self.buffers {
            // SAFETY: `malloc_sync` allocated the memory in this context, it is freed only here, and no work is
            // running.
            let _ = unsafe { result::free_sync(memory.at) };
        }
        for memory in &self.pinned {
            // SAFETY: `malloc_host` allocated the memory in this context, it is freed only here, and no copy is
            // running.
            let _ = unsafe { result::free_host(memory.at.cast()) };
        }
    }
}
