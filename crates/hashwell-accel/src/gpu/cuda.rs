//! CUDA devices. The driver and NVRTC, the compiler, are looked for at run time: without them there are no devices, and
//! nothing else happens. Functions are the driver's own (CUDA Driver API); what they are used for is in [`Queue`].
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
            return Err(Error::UnknownDevice { name, known: format!("there are {devices}").into() });
        }
        if !compiler::present() {
            return Err(no_host("the driver is there, and NVRTC, which compiles for it, is not (libnvrtc)"));
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
    no_host(&format!("the driver says {}", told(*error)))
}

/// The driver's version, by which it is known to be there.
fn driver() -> Result<String, Error> {
    // SAFETY: it opens a library by its name, as any program's start does, and calls nothing in it.
    if !unsafe { sys::is_culib_present() } {
        return Err(no_host("no CUDA driver is installed"));
    }
    let mut version = 0;
    // SAFETY: the function writes one number to where the pointer shows.
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
    // SAFETY: it takes a device that the driver gave, and writes a number of its own.
    let memory = device.and_then(|device| unsafe { result::device::total_mem(device) });
    // SAFETY: the same.
    let units = device.and_then(|device| unsafe { result::device::get_attribute(device, units) });
    // What a card does not say hides neither it nor those behind it, whose numbers are their places.
    Info {
        name: device.and_then(result::device::get_name).unwrap_or_default(),
        platform: "CUDA".to_owned(),
        driver: driver.to_owned(),
        kind: Kind::Gpu,
        memory: memory.unwrap_or_default() as u64,
        compute_units: units.map_or(0, |units| u32::try_from(units).unwrap_or(0)),
    }
}

/// The name of a result: `CUDA_ERROR_ILLEGAL_ADDRESS`.
fn told(error: DriverError) -> String {
    error
        .error_name()
        .map_or_else(|_| format!("error {}", error.0 as u32), |name| name.to_string_lossy().into())
}

/// Many calls may find no memory, after which the device works on; all other errors are its end.
fn failed(device: &str, call: &str, error: DriverError) -> Error {
    if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
        return Error::OutOfMemory { device: device.into(), bytes: 0 };
    }
    Error::Lost { device: device.into(), reason: format!("{call}: {}", told(error)).into() }
}

/// What an open device's queues share.
struct Shared {
    name: Box<str>,
    /// Ten times the major number of its compute capability, and the minor one.
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

/// Pages that stay where they are, so that the device copies from and to them by itself.
struct PinnedMemory {
    at: *mut u8,
    bytes: usize,
}

// SAFETY: the pointer is to memory that this value alone names, and that no thread owns.
unsafe impl Send for PinnedMemory {}

struct Stream {
    kernels: HashMap<(&'static str, &'static str), CudaFunction>,
    buffers: Vec<DeviceMemory>,
    pinned: Vec<PinnedMemory>,
    /// Whether anything was queued that nobody has waited for.
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

    /// The driver's functions work on the context of the thread that calls.
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
        // SAFETY: the size is any; what is made is freed once, when the queue goes.
        let made = unsafe { result::malloc_sync(bytes) };
        let at = made.map_err(|error| self.memory_failed("cuMemAlloc", bytes, error))?;
        self.buffers.push(DeviceMemory { at, bytes });
        Ok(Buffer(self.buffers.len() - 1))
    }

    fn pinned_memory(&mut self, bytes: usize) -> Result<Pinned, Error> {
        self.bind()?;
        // SAFETY: the size is any; what is made is freed once, when the queue goes.
        let made = unsafe { result::malloc_host(bytes, 0) };
        let at = made.map_err(|error| self.memory_failed("cuMemHostAlloc", bytes, error))?.cast::<u8>();
        // SAFETY: the driver gave so many bytes for writing, and nobody else knows of them yet. Zeros make them values.
        unsafe { at.write_bytes(0, bytes) };
        self.pinned.push(PinnedMemory { at, bytes });
        Ok(Pinned(self.pinned.len() - 1))
    }

    fn bytes(&mut self, of: Pinned) -> Result<&mut [u8], Error> {
        self.wait()?;
        let memory = &mut self.pinned[of.0];
        // SAFETY: the memory has so many bytes, was written when it was made, and lives as long as the queue. All
        // copies are done, none begins while the queue is borrowed, and no other reference to it exists.
        Ok(unsafe { std::slice::from_raw_parts_mut(memory.at, memory.bytes) })
    }

    fn upload(&mut self, from: Pinned, to: Buffer, bytes: usize) -> Result<(), Error> {
        self.bind()?;
        let (from, to) = (&self.pinned[from.0], &self.buffers[to.0]);
        assert!(bytes <= from.bytes && bytes <= to.bytes, "an upload past the end of memory");
        self.waiting = true;
        // SAFETY: both have so many bytes and live as long as the queue, which waits before it frees them. Nobody
        // writes to the pinned bytes meanwhile, since the way to them waits first. The slice ends with the call.
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
        // SAFETY: as for an upload; the slice made here ends with the call, and no other reference exists.
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
        // Each argument in eight bytes of its own: a pointer fills them, of a number the driver reads the first four.
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
        // SAFETY: the function is of a module that the device keeps loaded, and takes arguments of these kinds
        // (`check_args`; the number of items is the last of every kernel's), which the driver copies before it returns.
        // What the kernel reads and writes by them is inside the buffers: whoever launches checks their sizes against
        // the number of items, and the programs are this crate's own.
        let queued =
            unsafe { result::launch_kernel(function, groups, (GROUP, 1, 1), 0, stream, &mut params) };
        queued.map_err(|error| self.failed("cuLaunchKernel", error))
    }

    fn submit(&mut self) -> Result<(), Error> {
        // What is queued on a stream begins by itself.
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
        // Whatever these calls say, nothing better can be done: a device that is lost has nothing left to free.
        if self.bind().is_err() {
            return;
        }
        let _ = self.stream.synchronize();
        for memory in &self.buffers {
            // SAFETY: it was made by `malloc_sync` in this context, is freed nowhere else, and nothing runs any more.
            let _ = unsafe { result::free_sync(memory.at) };
        }
        for memory in &self.pinned {
            // SAFETY: it was made by `malloc_host` in this context, is freed nowhere else, and no copy runs any more.
            let _ = unsafe { result::free_host(memory.at.cast()) };
        }
    }
}
