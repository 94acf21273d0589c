//! Buffers for what is read, where memory may be refused.

use hashwell_work::room;
use std::io;

/// The smallest buffer for reading, where memory is scarce.
const LEAST: usize = 4 << 10;

/// Bytes of memory that what is read leaves free, for allocations that would end the process.
pub(crate) const MARGIN: usize = 256 << 10;

/// Room for that many bytes, beside the margin.
pub(crate) fn large_buffer(len: usize) -> io::Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(len)?;
    room(MARGIN)?;
    Ok(buffer)
}

/// Room for that many bytes, or for fewer where memory is scarce.
pub(crate) fn buffer(len: usize) -> io::Result<Vec<u8>> {
    if len > LEAST {
        return large_buffer(len).or_else(|_| buffer(len / 2));
    }
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(len)?;
    Ok(buffer)
}
