//! The boundary to JavaScript: the functions for passing bytes through the module's memory, which
//! `web/package/src/memory.ts` expects from every module, and the function that does the work.
#![allow(unsafe_code)]

use crate::inputs::Inputs;
use crate::operation::{Operation, run};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell, UnsafeCell};

/// The number of bytes of the buffer for small inputs and for all messages.
const ROOM: usize = 1 << 16;

/// The buffer. JavaScript writes and reads it between calls.
struct Buffer(UnsafeCell<[u8; ROOM]>);

// SAFETY: a module without support for threads runs on a single thread, so nothing is shared.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer(UnsafeCell::new([0; ROOM]));

thread_local! {
    /// The output of the last operation.
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The number of bytes of the last error message, which is in the buffer.
    static MESSAGE: Cell<usize> = const { Cell::new(0) };
    /// True if an allocation has failed.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Returns the address of the buffer.
#[unsafe(no_mangle)]
extern "C" fn buffer() -> *mut u8 {
    BUFFER.0.get().cast()
}

/// Returns the number of bytes of the buffer.
#[unsafe(no_mangle)]
extern "C" fn buffer_len() -> usize {
    ROOM
}

/// Allocates `len` zeroed bytes. Returns null if the allocation fails.
#[unsafe(no_mangle)]
extern "C" fn allocate(len: usize) -> *mut u8 {
    let mut bytes = Vec::<u8>::new();
    if bytes.try_reserve_exact(len).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(len, 0);
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Frees memory of this length.
#[unsafe(no_mangle)]
extern "C" fn release(at: *mut u8, len: usize) {
    if !at.is_null() {
        // SAFETY: JavaScript passes each address that `allocate` returned exactly once, with the same length; only
        // `lend` in memory.ts does so. The memory is a boxed slice with this number of bytes, to which Rust has no
        // other reference.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, len)) });
    }
}

/// Runs the operation with this number on three consecutive inputs, which start at `at`. Returns the length of the
/// output, or the negative code of a failure.
#[unsafe(no_mangle)]
extern "C" fn operate(operation: u32, at: *const u8, first: usize, second: usize, third: usize) -> i32 {
    REFUSED.set(false);
    let len = first.saturating_add(second).saturating_add(third);
    // SAFETY: JavaScript has just written all of these bytes, to the buffer or to memory from `allocate` (`lend`).
    // JavaScript does not run while this function runs, and this function does not write to these bytes before it has
    // read the slice for the last time.
    let bytes = unsafe { std::slice::from_raw_parts(at, len) };
    let (one, others) = bytes.split_at(first);
    let (two, three) = others.split_at(second);
    let done = run(Operation::of(operation), &Inputs([one, two, three]));
    match done {
        Ok(output) => {
            let len = output.len();
            OUTPUT.set(output.into_bytes());
            i32::try_from(len).unwrap_or(i32::MAX)
        }
        Err(failure) => {
            let message = failure.message.as_bytes();
            let message = &message[..message.len().min(ROOM)];
            // SAFETY: the buffer has ROOM bytes. The message is in separate memory, and the inputs, which may be in the
            // buffer, are no longer read.
            unsafe { std::ptr::copy_nonoverlapping(message.as_ptr(), buffer(), message.len()) };
            MESSAGE.set(message.len());
            failure.code as i32
        }
    }
}

/// Returns the address of the output of the last operation, which is UTF-8.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// The number of bytes of the last error message, which is in the buffer.
#[unsafe(no_mangle)]
extern "C" fn message_len() -> usize {
    MESSAGE.get()
}

/// Returns 1 if an allocation has failed since the last operation began. JavaScript calls this after a trap, to
/// distinguish a failed allocation from a bug.
#[unsafe(no_mangle)]
extern "C" fn refused() -> u32 {
    REFUSED.get().into()
}

/// The system allocator, which also records if an allocation failed.
struct Noting;

// SAFETY: every call is forwarded to `System`, which fulfills the contract, and nothing else accesses the memory. The
// record is a cell without a destructor, which neither allocates nor unwinds.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees the requirement of this trait on the layout, which is also that of `System`:
        // the size is not zero.
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the memory was allocated by `System` with this layout, like all memory of this allocator.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the same reasons as in `dealloc` apply, and the caller guarantees that the new size is neither zero
        // nor too large.
        noted(unsafe { System.realloc(place, layout, size) })
    }
}

fn noted(place: *mut u8) -> *mut u8 {
    if place.is_null() {
        REFUSED.set(true);
    }
    place
}

#[global_allocator]
static MEMORY: Noting = Noting;
