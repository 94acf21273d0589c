//! The rest of a block.

/// A part of a block that still has to be read.
#[derive(Clone, Copy)]
pub(crate) struct Rest<'a> {
    /// The whole block.
    pub(crate) bytes: &'a [u8],
    /// The beginning of the rest in the block.
    pub(crate) from: usize,
    /// The offset of the block in the file.
    pub(crate) base: u64,
}
