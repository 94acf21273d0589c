//! The traits that the state of every family implements, and that all higher layers use.

use alloc::boxed::Box;
use zeroize::Zeroize;

/// Streams that are read in lockstep.
pub(crate) trait Lockstep: Send + Sync {
    /// Writes the next `len` bytes of each stream, one stream after the other.
    fn read(&mut self, out: &mut [u8], len: usize);
}

/// The output stream of one message.
pub(crate) trait CoreReader: Zeroize {
    /// True if the stream consists of independent blocks.
    const IS_SEEKABLE: bool;

    /// Returns the number of bytes read so far. The caller ensures that fewer than 2^64 bytes are read.
    fn position(&self) -> u64;

    /// Moves to a byte position. Returns false if the stream cannot seek.
    fn seek(&mut self, position: u64) -> bool;

    /// Fills `out` with the next bytes.
    fn read(&mut self, out: &mut [u8]);
}

/// A tree without input, whose pieces can be hashed independently and joined. All pieces except the
/// last have [`PIECE`] bytes, and there are at least two.
pub(crate) trait Subtrees: Send + Sync {
    /// Returns the length of the value of the piece with this index and length, in bytes.
    fn value_len(&self, index: u64, len: usize) -> usize;

    /// Writes the value of a piece.
    fn value(&self, index: u64, data: &[u8], out: &mut [u8]);

    /// Returns the same tree, to which values can be appended.
    fn joint(&self) -> Box<dyn Joint>;
}

/// A tree that is continued with the values of its pieces.
pub(crate) trait Joint: Send + Sync {
    /// Appends the value of the next piece, which has this index and length.
    fn push(&mut self, index: u64, len: usize, value: &[u8]);

    /// Ends the message and writes the first `out.len()` bytes of output.
    fn finish(self: Box<Self>, out: &mut [u8]);
}

/// The length of a piece in bytes. In every tree, a piece consists of whole subtrees. It is large enough to fill all
/// lanes, and small enough for a second-level cache.
pub(crate) const PIECE: usize = 256 << 10;

/// The operations of every family's state.
pub(crate) trait Core: Zeroize {
    /// Appends bytes to the message.
    fn update(&mut self, data: &[u8]);

    /// Appends bytes like `update`, on several cores if the algorithm is a tree.
    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.update(data);
    }

    /// Ends the message and writes the first `out.len()` bytes of output. The state cannot be used
    /// afterwards, and `zeroize` still overwrites everything in it.
    fn finalize_into(&mut self, out: &mut [u8]);

    /// Writes the digest of the message so far followed by `last`. The state does not change, and
    /// copies of it are overwritten.
    fn digest_with(&self, last: &[u8], out: &mut [u8])
    where
        Self: Clone + Sized,
    {
        digest_of_copy(self, last, out);
    }

    /// Returns the name of the kernel in use.
    fn kernel(&self) -> &'static str;

    /// Hashes a whole message. Nothing of it remains in the state.
    #[inline]
    fn digest(mut self, data: &[u8], out: &mut [u8])
    where
        Self: Sized,
    {
        self.update(data);
        self.finalize_into(out);
        self.zeroize();
    }
}

/// Computes [`Core::digest_with`] on a copy of the state, which is overwritten.
pub(crate) fn digest_of_copy(state: &(impl Core + Clone), last: &[u8], out: &mut [u8]) {
    let mut state = state.clone();
    state.update(last);
    state.finalize_into(out);
    state.zeroize();
}
