//! The heap: a third of the code of a general allocator, since everything is of one thread and nothing is aligned to more
//! than sixteen bytes.
//!
//! Memory is blocks, one behind the other, each with its own length and that of the block before it in front of its bytes,
//! so that what is given back is joined with free neighbours at once. Free blocks are in lists by their length, two for each
//! power of two, so that neither taking nor giving back depends on how many there are.

use crate::buffer::Single;
use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::memory_grow;
use core::cell::UnsafeCell;
use core::ptr::null_mut;

/// Bytes to which all blocks' bytes are aligned, and of which their lengths are multiples.
const UNIT: usize = 16;
/// Bytes in front of a block's own.
const HEAD: usize = 8;
/// Bytes by which memory grows.
const PAGE: usize = 64 << 10;
/// In a length: the block is in use.
const USED: usize = 1;
/// Lists: two for each power of two from [`UNIT`] to half of all memory.
const LISTS: usize = 2 * 28;

/// A block, `HEAD` bytes before a multiple of `UNIT`.
#[repr(C)]
struct Block {
    /// Length of the block before it; 0 of the first one.
    before: usize,
    /// Its length, with the head; and [`USED`]. At the end of memory is a block of length 0 that is in use.
    len: usize,
    /// Of a free block, its neighbours in its list.
    next: *mut Block,
    previous: *mut Block,
}

/// The lists of free blocks.
struct Lists {
    first: [*mut Block; LISTS],
    /// Which lists have blocks.
    some: u64,
    /// Where the last piece of memory ends.
    end: usize,
}

/// The heap of the module.
pub(crate) struct Heap(Single<UnsafeCell<Lists>>);

impl Heap {
    pub(crate) const fn new() -> Self {
        Self(Single(UnsafeCell::new(Lists { first: [null_mut(); LISTS], some: 0, end: 0 })))
    }
}

/// The list of blocks of this length.
fn list_of(len: usize) -> usize {
    let power = len.ilog2();
    (2 * (power - UNIT.ilog2()) + (len >> (power - 1) & 1) as u32) as usize
}

/// The block that is so many bytes further on.
fn behind(block: *mut Block, len: usize) -> *mut Block {
    block.wrapping_byte_add(len)
}

/// Safety of all of them: a `*mut Block` is a head that was written here, or the one at the end of memory. Heads lie where
/// lengths say, and nobody else writes there; links are read of free blocks only, whose bytes are the heap's.
impl Lists {
    /// Takes a free block out of its list.
    unsafe fn unlink(&mut self, block: *mut Block) {
        // SAFETY: as above; its neighbours in the list are free.
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

    /// Makes a free block of what no block is.
    unsafe fn link(&mut self, block: *mut Block, len: usize) {
        let list = list_of(len);
        let next = core::mem::replace(&mut self.first[list], block);
        self.some |= 1 << list;
        // SAFETY: as above; its bytes are nobody's, and behind it is a head.
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

    /// Makes a block free that is in use, together with those beside it that are.
    unsafe fn give(&mut self, mut block: *mut Block) {
        // SAFETY: as above; behind it and before it are heads.
        unsafe {
            let mut len = (*block).len ^ USED;
            let next = behind(block, len);
            if (*next).len & USED == 0 {
                len += (*next).len;
                self.unlink(next);
            }
            // The first block's is itself, which is in use.
            let before = block.wrapping_byte_sub((*block).before);
            if (*before).len & USED == 0 {
                len += (*before).len;
                self.unlink(before);
                block = before;
            }
            self.link(block, len);
        }
    }

    /// Gets memory for a block of this length; `false` if it is refused.
    #[cold]
    unsafe fn grow(&mut self, len: usize) -> bool {
        let pages = (len + 2 * HEAD).div_ceil(PAGE);
        let at = memory_grow(0, pages);
        if at == usize::MAX {
            return false;
        }
        let (at, mut len) = (at * PAGE, pages * PAGE);
        // At the end of memory that came before, whose last block goes on; or somebody else had some in between.
        let mut block = at.wrapping_sub(HEAD) as *mut Block;
        let end = behind(block, len);
        // SAFETY: the memory is new, and the heap's alone; the block is in use until it is given.
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

    /// Bytes for so many, or none.
    unsafe fn take(&mut self, len: usize) -> *mut u8 {
        let len = (len + HEAD).next_multiple_of(UNIT);
        let list = list_of(len);
        // SAFETY: as above; what is in a list is free.
        unsafe {
            // In its own list the first block may be long enough; in those above each one is.
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

// SAFETY: blocks in use do not overlap; what is aligned to more than they are is refused.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > UNIT {
            return null_mut();
        }
        // SAFETY: there is one thread, and no call comes while another is on its way. Sizes are below half of all memory.
        unsafe { (*self.0.0.get()).take(layout.size()) }
    }

    unsafe fn dealloc(&self, at: *mut u8, _: Layout) {
        // SAFETY: as above; the caller gives back what it got, whose head is before it.
        unsafe { (*self.0.0.get()).give(at.wrapping_sub(HEAD).cast()) }
    }
}
