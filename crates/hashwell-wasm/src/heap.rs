//! The heap. It has a third of the code size of a general allocator, because there is only one thread and no alignment
//! above sixteen bytes.
//!
//! Memory consists of consecutive blocks. Each has a header with its own length and that of the previous block, so that
//! a freed block is merged with free neighbours immediately. Free blocks are in lists by their length, two lists for
//! each power of two, so that the time to allocate and free does not depend on the number of blocks.

use crate::buffer::Single;
use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::memory_grow;
use core::cell::UnsafeCell;
use core::ptr::null_mut;

/// The alignment in bytes of the contents of all blocks. Lengths of blocks are multiples of it.
const UNIT: usize = 16;
/// The number of bytes of the header of a block.
const HEAD: usize = 8;
/// The number of bytes of a page of WebAssembly memory. Memory grows in whole pages.
const PAGE: usize = 64 << 10;
/// A flag in a length: the block is in use.
const USED: usize = 1;
/// The number of lists: two for each power of two from [`UNIT`] to half of all memory.
const LISTS: usize = 2 * 28;

/// The start of a block, which is `HEAD` bytes before a multiple of `UNIT`.
#[repr(C)]
struct Block {
    /// The length of the previous block, or 0 for the first block.
    before: usize,
    /// The length with the header, and the flag [`USED`]. The last block in memory has the length 0 and is in use.
    len: usize,
    /// For a free block: the next and the previous block in its list.
    next: *mut Block,
    previous: *mut Block,
}

/// The lists of free blocks.
struct Lists {
    first: [*mut Block; LISTS],
    /// A bit for each list, which is set if the list is not empty.
    some: u64,
    /// The end of the last piece of memory.
    end: usize,
}

/// The heap of the module.
pub(crate) struct Heap(Single<UnsafeCell<Lists>>);

impl Heap {
    pub(crate) const fn new() -> Self {
        Self(Single(UnsafeCell::new(Lists { first: [null_mut(); LISTS], some: 0, end: 0 })))
    }
}

/// Returns the list for blocks of this length.
fn list_of(len: usize) -> usize {
    let power = len.ilog2();
    (2 * (power - UNIT.ilog2()) + (len >> (power - 1) & 1) as u32) as usize
}

/// Returns the block `len` bytes after a block.
fn behind(block: *mut Block, len: usize) -> *mut Block {
    block.wrapping_byte_add(len)
}

/// Safety of all methods: a `*mut Block` points to a header that this module has written, or to the one at the end of
/// memory. The lengths determine the positions of headers, and no other code writes to them. Links are read only in
/// free blocks, whose contents belong to the heap.
impl Lists {
    /// Removes a free block from its list.
    unsafe fn unlink(&mut self, block: *mut Block) {
        // SAFETY: see the comment on `Lists`; the neighbours of the block in its list are free.
        unsafe {
            let Block { next, previous, len, .. } = *block;
            if !next.is_null() {
                (*next).previous = previous;
            }
            if !previous.is_null() {
                (*previous).next = next;
                return;
            }
            let list = list_of(len);
            self.first[list] = next;
            if next.is_null() {
                self.some ^= 1 << list;
            }
        }
    }

    /// Creates a free block in memory that belongs to no block, and adds it to its list.
    unsafe fn link(&mut self, block: *mut Block, len: usize) {
        let list = list_of(len);
        let next = core::mem::replace(&mut self.first[list], block);
        self.some |= 1 << list;
        // SAFETY: see the comment on `Lists`; no other code uses the bytes of the block, and a header follows it.
        unsafe {
            (*block).len = len;
            (*block).next = next;
            (*block).previous = null_mut();
            if !next.is_null() {
                (*next).previous = block;
            }
            (*behind(block, len)).before = len;
        }
    }

    /// Frees a block that is in use, and merges it with free neighbours.
    unsafe fn give(&mut self, mut block: *mut Block) {
        // SAFETY: see the comment on `Lists`; there are headers before and after the block.
        unsafe {
            let mut len = (*block).len ^ USED;
            let next = behind(block, len);
            if (*next).len & USED == 0 {
                len += (*next).len;
                self.unlink(next);
            }
            // The first block is its own predecessor, and it is in use.
            let before = block.wrapping_byte_sub((*block).before);
            if (*before).len & USED == 0 {
                len += (*before).len;
                self.unlink(before);
                block = before;
            }
            self.link(block, len);
        }
    }

    /// Grows the memory for a block of this length. Returns false if that fails.
    #[cold]
    unsafe fn grow(&mut self, len: usize) -> bool {
        let pages = (len + 2 * HEAD).div_ceil(PAGE);
        let at = memory_grow(0, pages);
        if at == usize::MAX {
            return false;
        }
        let (at, mut len) = (at * PAGE, pages * PAGE);
        // The new memory follows the previous memory, whose last block is extended, unless other code has allocated
        // memory in between.
        let mut block = at.wrapping_sub(HEAD) as *mut Block;
        let end = behind(block, len);
        // SAFETY: the memory is new and belongs only to the heap; the block is in use until `give` frees it.
        unsafe {
            if at != self.end {
                block = behind(block, UNIT);
                len -= UNIT;
                (*block).before = 0;
            }
            (*block).len = len | USED;
            (*end).len = USED;
            self.end = at.wrapping_add(pages * PAGE);
            self.give(block);
        }
        true
    }

    /// Allocates `len` bytes. Returns null if that fails.
    unsafe fn take(&mut self, len: usize) -> *mut u8 {
        let len = (len + HEAD).next_multiple_of(UNIT);
        let list = list_of(len);
        // SAFETY: see the comment on `Lists`; all blocks in a list are free.
        unsafe {
            // In the list for this length, only the first block is checked, which may be too short. Every block in a
            // later list is long enough.
            let mut block = self.first[list];
            while block.is_null() || (*block).len < len {
                let above = self.some & (!1 << list);
                if above != 0 {
                    block = self.first[above.trailing_zeros() as usize % LISTS];
                } else if !self.grow(len) {
                    return null_mut();
                } else {
                    block = self.first[list];
                }
            }
            let rest = (*block).len - len;
            self.unlink(block);
            if rest > 0 {
                self.link(behind(block, len), rest);
                (*behind(block, len)).before = len;
            }
            (*block).len = len | USED;
            (&raw mut (*block).next).cast()
        }
    }
}

// SAFETY: blocks in use do not overlap, and requests for a larger alignment fail.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > UNIT {
            return null_mut();
        }
        // SAFETY: there is one thread, and calls are never nested. Sizes are below half of all memory.
        unsafe { (*self.0.0.get()).take(layout.size()) }
    }

    unsafe fn dealloc(&self, at: *mut u8, _: Layout) {
        // SAFETY: the same reasons as in `alloc` apply; the caller frees a block of this allocator, and its header
        // precedes it.
        unsafe { (*self.0.0.get()).give(at.wrapping_sub(HEAD).cast()) }
    }
}
