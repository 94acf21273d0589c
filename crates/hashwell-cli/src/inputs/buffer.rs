//! Buffers for reading, in a process that may run out of memory.

use hashwell_work::room;
use std::io;

/// The smallest buffer for reading if memory is scarce.
const LEAST: usize = 4 << 10;

/// The number of bytes that buffers leave free, for allocations whose failure would end the process.
pub(crate) const MARGIN: usize = 256 << 10;

/// Allocates a buffer for this number of bytes, if [`MARGIN`] stays free.
pub(crate) fn large_buffer(len: usize) -> io::Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(len)?;
    room(MARGIN)?;
    Ok(buffer)
}

/// Allocates a buffer for this number of bytes, or for fewer if memory is scarce.
pub(crate) fn buffer(len: usize) -> io::Result<Vec<u8>> {
    if len > LEAST {
        return large_buffer(len).or_else(|_| buffer(len / 2));
    }
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(len)?;
    Ok(buffer)
}
