//! The border to JavaScript: bytes in and out of the module's own memory, by the functions that `web/package/src/memory.ts`
//! knows of every module, and one that does the work.
#![allow(unsafe_code)]

use crate::inputs::Inputs;
use crate::operation::{Operation, run};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell, UnsafeCell};

/// Bytes of the buffer through which small inputs and all messages go.
const ROOM: usize = 1 << 16;

/// The buffer, which JavaScript writes and reads between calls.
struct Buffer(UnsafeCell<[u8; ROOM]>);

// SAFETY: a module without threads has one, so that nothing is shared.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer(UnsafeCell::new([0; ROOM]));

thread_local! {
    /// What the last operation gave.
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Bytes of the last failure's message, which is in the buffer.
    static MESSAGE: Cell<usize> = const { Cell::new(0) };
    /// Whether memory was refused.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Where the buffer is.
#[unsafe(no_mangle)]
extern "C" fn buffer() -> *mut u8 {
    BUFFER.0.get().cast()
}

/// How many bytes it has.
#[unsafe(no_mangle)]
extern "C" fn buffer_len() -> usize {
    ROOM
}

/// Memory of so many bytes, all zeros; null if it is refused.
#[unsafe(no_mangle)]
extern "C" fn allocate(len: usize) -> *mut u8 {
    let mut bytes = Vec::<u8>::new();
    if bytes.try_reserve_exact(len).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(len, 0);
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Gives memory of that length back.
#[unsafe(no_mangle)]
extern "C" fn release(at: *mut u8, len: usize) {
    if !at.is_null() {
        // SAFETY: JavaScript gives what `allocate` gave, once, with the same length (`lend` in memory.ts is all that does):
        // a boxed slice of that many bytes, which nobody here holds.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, len)) });
    }
}

/// Runs an operation by its number on three inputs that lie one behind the other from `at` on: the length of the output,
/// or, below zero, the kind of the failure.
#[unsafe(no_mangle)]
extern "C" fn operate(operation: u32, at: *const u8, first: usize, second: usize, third: usize) -> i32 {
    REFUSED.set(false);
    let len = first.saturating_add(second).saturating_add(third);
    // SAFETY: JavaScript has just written all of these bytes, to the buffer or to memory of `allocate` (`lend`); it does not
    // run while this function does, and nothing here writes to them before the slice is read for the last time.
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
            // SAFETY: the buffer has ROOM bytes; the message is memory of its own, and the inputs, which may be the buffer,
            // are not read any more.
            unsafe { std::ptr::copy_nonoverlapping(message.as_ptr(), buffer(), message.len()) };
            MESSAGE.set(message.len());
            failure.code as i32
        }
    }
}

/// Where the output of the last operation is: UTF-8.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Bytes of the last failure's message, which is in the buffer.
#[unsafe(no_mangle)]
extern "C" fn message_len() -> usize {
    MESSAGE.get()
}

/// Whether memory was refused since the last operation began: to be asked after a trap, so that it can be told from a mistake
/// of ours.
#[unsafe(no_mangle)]
extern "C" fn refused() -> u32 {
    REFUSED.get().into()
}

/// The system's memory, and a note of whether it was refused.
struct Noting;

// SAFETY: every call goes to `System`, which keeps the contract, and nothing else touches memory; the note is a cell
// without a destructor, which neither allocates nor unwinds.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the layout is the caller's, who promises to this trait what `System` asks: a size that is not zero.
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the place came from `System` with this layout, for all places do that this allocator hands out.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for `dealloc`; the new size is one that this trait promises to be neither zero nor too large.
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
