//! The buffer, which every call can use, and text into it.

use core::cell::UnsafeCell;
#[cfg(not(feature = "one"))]
use core::fmt::{self, Write};

/// What one thread has for itself.
pub(crate) struct Single<T>(pub(crate) T);

// SAFETY: the module has one thread: `lib.rs` refuses to compile for memory that is shared.
unsafe impl<T> Sync for Single<T> {}

/// Bytes of the buffer: whole leaves of every tree, and no more than a processor's second cache keeps at hand.
pub(crate) const ROOM: usize = 64 << 10;

/// Bytes behind the buffer, for the digest of a message that is in it: the longest that has no other length unless asked for.
#[cfg(not(feature = "one"))]
pub(crate) const DIGEST: usize = 64;
#[cfg(feature = "one")]
const DIGEST: usize = 0;

#[repr(C, align(64))]
struct Buffer(UnsafeCell<[u8; ROOM + DIGEST]>);

static BUFFER: Single<Buffer> = Single(Buffer(UnsafeCell::new([0; ROOM + DIGEST])));

/// Where the buffer is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn buffer() -> usize {
    BUFFER.0.0.get() as usize
}

/// Bytes of the buffer.
#[unsafe(no_mangle)]
extern "C" fn buffer_len() -> usize {
    ROOM
}

/// Writes text into the buffer, as much of it as there is room for; returns its length.
#[cfg(not(feature = "one"))]
pub(crate) fn text(say: &dyn Fn(&mut Text) -> fmt::Result) -> usize {
    // The text may name what lies in the buffer, so that it is written apart.
    let mut written = Text { room: [0; 1024], len: 0 };
    // It never fails: what has no room is cut.
    let _ = say(&mut written);
    // SAFETY: the buffer is larger than the text, which lies elsewhere; no slice of it is in use by now, since whoever
    // writes a message or a row returns it next.
    unsafe { core::ptr::copy_nonoverlapping(written.room.as_ptr(), BUFFER.0.0.get().cast(), written.len) };
    written.len
}

/// Text, cut where its room ends.
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
