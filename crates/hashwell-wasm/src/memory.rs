//! Memory that JavaScript reads and writes: blocks that it allocates, and slices of these blocks and of the buffer.

use crate::ffi::{Code, Failure, Result, fail, number};
use alloc::alloc::{alloc, dealloc};
use core::alloc::Layout;

const ALIGN: usize = 16;

/// Allocates `len` bytes with undefined contents. Returns 0 if that fails.
#[unsafe(no_mangle)]
extern "C" fn allocate(len: usize) -> usize {
    match Layout::from_size_align(len, ALIGN) {
        // SAFETY: the layout is not empty.
        Ok(layout) if len > 0 => unsafe { alloc(layout) as usize },
        _ => 0,
    }
}

/// Frees memory from `allocate`, with the same length.
#[unsafe(no_mangle)]
extern "C" fn release(at: usize, len: usize) {
    if let Ok(layout) = Layout::from_size_align(len, ALIGN)
        && at != 0
        && len > 0
    {
        // SAFETY: JavaScript frees each allocation once, with its length (`Memory.lend`). The layout is that of
        // `allocate`.
        unsafe { dealloc(at as *mut u8, layout) };
    }
}

/// Fails if there is no space for the largest state, so that the creation of a state never aborts the module.
pub(crate) fn room_for_a_state() -> Result<()> {
    const MOST: usize = 32 << 10;
    let at = allocate(MOST);
    release(at, MOST);
    if at == 0 { Err(no_memory()) } else { Ok(()) }
}

#[cold]
pub(crate) fn no_memory() -> Failure {
    fail(Code::Memory, "not enough WebAssembly memory for a state", &[])
}

/// Fails if the bytes are not in the module's memory.
fn check(at: usize, len: usize) -> Result<()> {
    let end = at.checked_add(len);
    let all = core::arch::wasm32::memory_size(0) as u64 * 65_536;
    if end.is_some_and(|end| end as u64 <= all) && (at != 0 || len == 0) {
        return Ok(());
    }
    Err(fail(Code::Internal, "# bytes at # are outside the memory", &[&number(len), &number(at)]))
}

/// Returns bytes that JavaScript has written.
pub(crate) fn input<'a>(at: usize, len: usize) -> Result<&'a [u8]> {
    check(at, len)?;
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: the bytes are inside the memory, and initialized, like all memory of WebAssembly. They belong to the
    // buffer or to memory from `allocate`, which no other code uses. If a function of this crate also writes to such
    // memory, it creates the output slice after the last use of this slice, or from different bytes (`Memory.lend`
    // keeps them apart).
    Ok(unsafe { core::slice::from_raw_parts(at as *const u8, len) })
}

/// Returns bytes to write, which JavaScript will read.
pub(crate) fn output<'a>(at: usize, len: usize) -> Result<&'a mut [u8]> {
    check(at, len)?;
    if len == 0 {
        return Ok(&mut []);
    }
    // SAFETY: the same reasons as in `input` apply, and each call of the module creates only one slice to write to.
    Ok(unsafe { core::slice::from_raw_parts_mut(at as *mut u8, len) })
}
