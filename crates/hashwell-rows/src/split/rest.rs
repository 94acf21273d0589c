//! What is left of a block.

/// A part of a block that is still to be passed over.
#[derive(Clone, Copy)]
pub(crate) struct Rest<'a> {
    /// The whole block.
    pub(crate) bytes: &'a [u8],
    /// Where in it the rest begins.
    pub(crate) from: usize,
    /// Where in the file the block begins.
    pub(crate) base: u64,
}
