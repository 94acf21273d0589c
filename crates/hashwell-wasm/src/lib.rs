//! The module of the npm package `hashwell`: the library for wasm32, with functions that take and return only numbers.
//!
//! ```text
//! JavaScript (web/package)
//!     |  numbers; bytes through the buffer, or through memory that it allocates (memory)
//!     v
//! registry   hash   keyed   many   saved   source    a file for each kind of operation
//!     |        \      |      |      |       /
//!     |         objects: numbered states
//!     v
//! memory: slices          ffi: converts results to numbers, and failures to messages      buffer
//! ```
//! With the feature of a single algorithm, the module consists only of that algorithm, `one` and the buffer.
//!
//! The module has no imports, so it has no access to clocks, files or random bytes. A function that can fail returns a
//! negative error code and writes the message to the buffer; `web/package/src/memory.ts` implements the other side of
//! these rules. Only one thread calls the module, and calls are never nested, because the module does not call
//! JavaScript.
#![cfg(target_arch = "wasm32")]
#![no_std]

extern crate alloc;

mod buffer;
#[cfg(not(feature = "one"))]
mod ffi;
#[cfg(not(feature = "one"))]
mod hash;
mod heap;
#[cfg(feature = "keyed")]
mod keyed;
#[cfg(not(feature = "one"))]
mod many;
#[cfg(not(feature = "one"))]
mod memory;
#[cfg(not(feature = "one"))]
mod objects;
#[cfg(feature = "one")]
mod one;
#[cfg(not(feature = "one"))]
mod registry;
#[cfg(feature = "states")]
mod saved;
#[cfg(feature = "source")]
mod source;

#[cfg(target_feature = "atomics")]
compile_error!("the module is for one thread: its memory is not shared");

#[global_allocator]
static HEAP: heap::Heap = heap::Heap::new();

/// A panic is a bug. It stops the module; JavaScript detects this and never calls the module again. A message would
/// make the module a tenth larger.
#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
