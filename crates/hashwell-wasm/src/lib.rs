//! The module of the npm package `hashwell`: the library for wasm32, behind an interface of numbers.
//!
//! ```text
//! JavaScript (web/package)
//!     |  numbers; bytes through the buffer, or through memory that it asks for (memory)
//!     v
//! registry   hash   keyed   many   source        one file for each kind of work
//!     |        \      |      |       /
//!     |         objects: states by number
//!     v
//! memory: slices          border: results become numbers, failures their message          buffer
//! ```
//! With the feature of one algorithm, that algorithm, `one`, and the buffer are all there is.
//!
//! The module imports nothing: it knows no clock, no file and no random bytes. A function that can fail returns its code,
//! below zero, and leaves the message in the buffer; `web/package/src/memory.ts` has the other half of each rule. One
//! thread calls it, from begin to end of each call, since nothing here calls out.
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
#[cfg(feature = "source")]
mod source;

#[cfg(target_feature = "atomics")]
compile_error!("the module is for one thread: its memory is not shared");

#[global_allocator]
static HEAP: heap::Heap = heap::Heap::new();

/// A panic is a bug. It stops the module, which JavaScript sees and never calls again; the message would cost the
/// module a tenth of its size.
#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
