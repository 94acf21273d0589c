//! The command's global allocator: the system's allocator, plus an answer to the failure of a small allocation.
//!
//! Code that needs much memory asks for it with `try_reserve` and reports an error if there is none. Small allocations
//! are not checked like this, and the standard library aborts the process if one fails. This allocator gives such an
//! allocation a reserve first, which is enough to report an error. Once the reserve is used up, the process prints one
//! line and ends with the exit code of a failure.
//!
//! On Linux it also asks for huge pages for large blocks. Rows that are kept in memory are then filled with a hundredth
//! of the page faults, and reading them in random order misses the translation cache (TLB) less often.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The largest size, in bytes, that counts as small. Larger allocations fail as they do with the system's allocator.
const SMALL: usize = 128 << 10;

/// The minimum size, in bytes, of blocks for which huge pages are requested.
const LARGE: usize = 32 << 20;

/// The size of a huge page, in bytes. On systems with larger huge pages, the request is ignored or shortened.
#[cfg(target_os = "linux")]
const HUGE: usize = 2 << 20;

/// The layout of the reserve. glibc maps blocks of this size, so that their addresses are free again after a release.
const LAYOUT: Layout = match Layout::from_size_align(256 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

/// The reserve, or null if it was released or never allocated. Nothing is written to it, so it takes up address space
/// but no memory.
static RESERVE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Allocates the reserve. If that fails, the command works without one.
pub(crate) fn allocate_reserve() {
    // SAFETY: the layout has a size other than zero.
    RESERVE.store(unsafe { System.alloc(LAYOUT) }, Ordering::Relaxed);
}

/// The system's allocator, which ends the process if it has no memory for a small block.
pub(crate) struct Allocator;

/// Returns `block`. If a small allocation has failed, releases the reserve and returns the result of `again`.
fn or_again(block: *mut u8, size: usize, again: impl Fn() -> *mut u8) -> *mut u8 {
    if block.is_null() && size <= SMALL { without_memory(again) } else { block }
}

/// Asks the system to use huge pages for a block, if it is large. The block can be used even if the system refuses.
fn with_huge_pages(block: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !block.is_null() {
        request_huge_pages(block, size);
    }
    block
}

#[cfg(target_os = "linux")]
#[cold]
#[inline(never)]
fn request_huge_pages(block: *mut u8, size: usize) {
    let before = block.align_offset(HUGE);
    // SAFETY: the range is in the block: it begins `before` bytes after its start and ends before its end, since `size`
    // is at least `LARGE`, of which `before` is a small part. The call changes no contents and no access rights.
    unsafe { libc::madvise(block.add(before).cast(), (size - before) / HUGE * HUGE, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn request_huge_pages(_: *mut u8, _: usize) {}

#[cold]
#[inline(never)]
fn without_memory(again: impl Fn() -> *mut u8) -> *mut u8 {
    let reserve = RESERVE.swap(null_mut(), Ordering::Relaxed);
    if !reserve.is_null() {
        // SAFETY: the block came from the system's allocator with this layout, and the swap gave it to this call only.
        unsafe { System.dealloc(reserve, LAYOUT) };
    }
    // Another thread may have released the reserve a moment ago, so this one tries again either way.
    let block = again();
    if block.is_null() {
        let line = b"hashwell: not enough memory\n";
        // SAFETY: both calls are system calls, which need no memory; the pointer and the length are those of `line`.
        unsafe {
            libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len());
            libc::_exit(1);
        }
    }
    block
}

// SAFETY: every call is passed on to the system's allocator with its arguments, once or, after a failure, twice. A
// failed call has allocated nothing and left the block of a `realloc` as it was, so it may be repeated.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the layout is the caller's, for whom the same requirements hold.
        let alloc = || unsafe { System.alloc(layout) };
        with_huge_pages(or_again(alloc(), layout.size(), alloc), layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the layout is the caller's, for whom the same requirements hold.
        let alloc = || unsafe { System.alloc_zeroed(layout) };
        with_huge_pages(or_again(alloc(), layout.size(), alloc), layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the block came from the system's allocator with this layout, since every call is passed on to it.
        let realloc = || unsafe { System.realloc(block, layout, size) };
        with_huge_pages(or_again(realloc(), size, realloc), size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from the system's allocator with this layout, since every call is passed on to it.
        unsafe { System.dealloc(block, layout) }
    }
}
