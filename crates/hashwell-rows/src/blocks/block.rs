//! Bytes of a file that were read together.

use crate::fields::Blank;
use std::io::{self, Read};

use hashwell_work::Aligned;

/// Bytes of a file, with the number of row ends if they were counted.
pub(crate) struct Block {
    buffer: Aligned,
    len: usize,
    /// The number of bytes of the block that end a row.
    pub(crate) ends: Option<u64>,
    /// True if lines of the block may be blank; `None` if this was not checked.
    pub(crate) may_have_blanks: Option<bool>,
}

impl Block {
    /// The caller chooses the size, so the allocation may fail.
    pub(crate) fn new(size: usize) -> io::Result<Block> {
        let buffer = Aligned::new(size.max(1))?;
        Ok(Block { buffer, len: 0, ends: None, may_have_blanks: None })
    }

    /// A block without bytes, like the one at the end.
    pub(super) fn empty() -> Block {
        Block { buffer: Aligned::default(), len: 0, ends: None, may_have_blanks: None }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// Reads once. The block is empty only at the end of the file.
    pub(super) fn read(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.forget();
        self.len = 0;
        self.len = retried(|| from.read(&mut self.buffer))?;
        Ok(())
    }

    /// Reads until the block is full. Only the last block of a file may not be full.
    pub(super) fn fill(
        &mut self,
        mut read: impl FnMut(&mut [u8], usize) -> io::Result<usize>,
    ) -> io::Result<()> {
        self.forget();
        self.len = 0;
        while self.len < self.buffer.len() {
            let got = retried(|| read(&mut self.buffer[self.len..], self.len))?;
            if got == 0 {
                break;
            }
            self.len += got;
        }
        Ok(())
    }

    fn forget(&mut self) {
        (self.ends, self.may_have_blanks) = (None, None);
    }

    pub(super) fn is_full(&self) -> bool {
        self.len == self.buffer.len()
    }
}

fn retried(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Settings for reading blocks.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    /// The number of bytes in a block.
    pub(crate) size: usize,
    /// The total number of threads.
    pub(crate) threads: usize,
    /// The byte to count, if rows end at every such byte.
    pub(crate) count: Option<u8>,
    /// The blank lines to search for.
    pub(crate) blank: Blank,
}
