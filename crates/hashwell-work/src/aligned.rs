//! Memory for reads from files, aligned to a cache line.

use std::collections::TryReserveError;
use std::ops::{Deref, DerefMut};

/// The number of bytes to add to the capacity of memory that is aligned with [`Aligned::over`].
pub const LINE: usize = 64;

/// Memory for reads from files that begins at a cache line.
///
/// Large blocks of the C library's allocator begin 16 bytes after the beginning of a page. On AMD Zen 3, Linux takes four
/// times as long to copy a file's bytes to such an address as to the beginning of a cache line.
///
/// ```
/// use std::io::Read;
///
/// let mut buffer = hashwell_work::Aligned::new(1 << 16)?;
/// let read = (&b"abc"[..]).read(&mut buffer)?;
/// assert_eq!((read, buffer.len()), (3, 1 << 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Aligned {
    memory: Vec<u8>,
    start: usize,
}

impl Aligned {
    /// Allocates `len` bytes, which are zero.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub fn new(len: usize) -> Result<Self, TryReserveError> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(len.saturating_add(LINE))?;
        Ok(Self::over(memory, len))
    }

    /// Uses `len` bytes of this memory from the first cache line on. Uses fewer bytes if the capacity is less than
    /// `len` + [`LINE`].
    #[must_use]
    pub fn over(mut memory: Vec<u8>, len: usize) -> Self {
        memory.resize(memory.capacity(), 0);
        // If the alignment can't be computed, any start will do.
        let start = memory.as_ptr().align_offset(LINE).min(LINE).min(memory.len());
        memory.truncate(start.saturating_add(len));
        Self { memory, start }
    }
}

impl Deref for Aligned {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.memory[self.start..]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::{Aligned, LINE};

    #[test]
    fn memory_begins_at_a_line_and_has_its_length() {
        for len in [0, 1, 63, 64, 4096, 1 << 18] {
            let mut buffer = Aligned::new(len).unwrap();
            assert_eq!((buffer.len(), buffer.as_ptr() as usize % LINE), (len, 0), "{len}");
            assert!(buffer.iter().all(|byte| *byte == 0));
            buffer.fill(1);
            assert_eq!(Aligned::over(Vec::with_capacity(len + 2 * LINE), len).len(), len);
            let scarce = Aligned::over(Vec::with_capacity(len), len);
            assert!(scarce.len() <= len && scarce.len() + LINE >= len);
            assert!(scarce.is_empty() || (scarce.as_ptr() as usize).is_multiple_of(LINE));
        }
        assert!(Aligned::default().is_empty());
        assert!(Aligned::new(usize::MAX).is_err());
    }
}
