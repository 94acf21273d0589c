//! Machine code in its own memory. It is made, called and freed only in this file.
#![allow(unsafe_code)]

use crate::family::jit::emit;
use crate::family::member::Sha256Family;
use cranelift_codegen::ir::AbiParam;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::fmt::Display;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The signature of the code. It reads and writes eight words, reads `count` blocks, and accesses no other memory.
/// `count` must not be zero.
type Compress = unsafe extern "C" fn(state: *mut u32, blocks: *const u8, count: usize);

/// The number of programs in memory.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

/// The code of one member. It owns its memory, so every caller keeps the memory alive.
pub(crate) struct Code {
    function: Compress,
    /// Kept only because it owns the pages of the code.
    _memory: Memory,
    time: Duration,
    bytes: usize,
}

impl Code {
    /// Makes the code. The memory is first written, then made executable and no longer writable. It is never both at
    /// once.
    pub(super) fn make(member: &Sha256Family) -> Result<Self, String> {
        let start = Instant::now();
        let mut memory = Memory::new(isa_builder()?);
        let (function, bytes) = memory.define(member)?;
        // SAFETY: the pointer is that of the function which `define` made with this signature and the platform's C
        // calling convention, as `emit` describes. The memory does not change until `memory` is dropped.
        let function = unsafe { std::mem::transmute::<*const u8, Compress>(function) };
        ALIVE.fetch_add(1, Ordering::Relaxed);
        Ok(Self { function, _memory: memory, time: start.elapsed(), bytes })
    }

    pub(crate) fn compress(&self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        if !blocks.is_empty() {
            // SAFETY: the code reads and writes eight words at the first pointer, and reads `count` blocks at the
            // second. The references guarantee both, and `count` is not zero. `self` owns the memory of the code.
            unsafe { (self.function)(state.as_mut_ptr(), blocks.as_ptr().cast(), blocks.len()) }
        }
    }

    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of programs in memory.
    pub(super) fn alive() -> usize {
        ALIVE.load(Ordering::Relaxed)
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns a builder for this CPU. Cranelift's verifier of intermediate code is off, because the tests compare digests.
fn isa_builder() -> Result<JITBuilder, String> {
    let mut flags = settings::builder();
    for (flag, value) in [("opt_level", "speed"), ("is_pic", "false"), ("enable_verifier", "false")] {
        flags.set(flag, value).map_err(line)?;
    }
    let isa = cranelift_native::builder().map_err(line)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(line)?;
    Ok(JITBuilder::with_isa(isa, default_libcall_names()))
}

/// The owner of the pages. It is in a mutex only because threads cannot share a module. The mutex is never locked.
struct Memory(Mutex<Option<JITModule>>);

impl Memory {
    fn new(builder: JITBuilder) -> Self {
        Self(Mutex::new(Some(JITModule::new(builder))))
    }

    /// Returns the address and the length of the member's function.
    fn define(&mut self, member: &Sha256Family) -> Result<(*const u8, usize), String> {
        let module =
            self.0.get_mut().expect("no panic holds it").as_mut().expect("there until it is dropped");
        let pointer = module.target_config().pointer_type();
        let mut context = module.make_context();
        context.func.signature.params = vec![AbiParam::new(pointer); 3];
        let id = module.declare_anonymous_function(&context.func.signature).map_err(line)?;
        let mut building = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut building);
        emit::compress(&mut builder, member, pointer);
        builder.finalize(module.target_config());
        module.define_function(id, &mut context).map_err(line)?;
        let bytes = context.compiled_code().map_or(0, |code| code.code_buffer().len());
        // This call fails on a system that does not allow memory to be first written and then executed.
        module.finalize_definitions().map_err(line)?;
        Ok((module.get_finalized_function(id), bytes))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let module = self.0.get_mut().ok().and_then(Option::take);
        if let Some(module) = module {
            // SAFETY: the only pointer into this memory is in the `Code` that owns it, if a `Code` was made. The code
            // is not running, because every call of `Code::compress` borrows the `Code`.
            unsafe { module.free_memory() };
        }
    }
}

/// Returns an error as one line.
fn line(error: impl Display) -> String {
    format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[allow(dead_code)] // the compiler checks that threads can share it
const SHARED: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Code>();
};
