//! The buffer, which every call can use, and functions for writing text to it.

use core::cell::UnsafeCell;
#[cfg(not(feature = "one"))]
use core::fmt::{self, Write};

/// A value that only one thread uses.
pub(crate) struct Single<T>(pub(crate) T);

// SAFETY: the module has only one thread. `lib.rs` does not compile for shared memory.
unsafe impl<T> Sync for Single<T> {}

/// The number of bytes of the buffer. It is a multiple of the leaf size of every tree hash, and fits into the L2 cache
/// of a CPU.
pub(crate) const ROOM: usize = 64 << 10;

/// The number of bytes after the buffer, for the digest of a message in the buffer. This is the maximum default length
/// of a digest.
#[cfg(not(feature = "one"))]
pub(crate) const DIGEST: usize = 64;
#[cfg(feature = "one")]
const DIGEST: usize = 0;

#[repr(C, align(64))]
struct Buffer(UnsafeCell<[u8; ROOM + DIGEST]>);

static BUFFER: Single<Buffer> = Single(Buffer(UnsafeCell::new([0; ROOM + DIGEST])));

/// Returns the address of the buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn buffer() -> usize {
    BUFFER.0.0.get() as usize
}

/// Returns the number of bytes of the buffer.
#[unsafe(no_mangle)]
extern "C" fn buffer_len() -> usize {
    ROOM
}

/// Writes text to the buffer. Text that is too long is truncated. Returns the length of the written text.
#[cfg(not(feature = "one"))]
pub(crate) fn text(say: &dyn Fn(&mut Text) -> fmt::Result) -> usize {
    // The text may contain data from the buffer, so it is first written to separate memory.
    let mut written = Text { room: [0; 1024], len: 0 };
    // This never fails, because text that is too long is truncated.
    let _ = say(&mut written);
    // SAFETY: the buffer is larger than the text, which is in separate memory. No slice of the buffer is in use
    // anymore, because functions that write a message or a description return immediately afterwards.
    unsafe { core::ptr::copy_nonoverlapping(written.room.as_ptr(), BUFFER.0.0.get().cast(), written.len) };
    written.len
}

/// Text of limited length. The rest is truncated.
#[cfg(not(feature = "one"))]
pub(crate) struct Text {
    room: [u8; 1024],
    len: usize,
}

#[cfg(not(feature = "one"))]
impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut len = text.len().min(self.room.len() - self.len);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        self.room[self.len..self.len + len].copy_from_slice(&text.as_bytes()[..len]);
        self.len += len;
        Ok(())
    }
}
