//! What every family's state can do: the contract between the cores and all that stands on them.

use alloc::boxed::Box;
use zeroize::Zeroize;

/// Streams that advance together.
pub(crate) trait Lockstep: Send + Sync {
    /// Writes the next `len` bytes of each stream, one stream after the other.
    fn read(&mut self, out: &mut [u8], len: usize);
}

/// The output stream of one message.
pub(crate) trait CoreReader: Zeroize {
    /// Whether it is made of independent blocks.
    const IS_SEEKABLE: bool;

    /// Bytes read so far. Whoever reads sees to it that they are fewer than 2^64.
    fn position(&self) -> u64;

    /// Goes to a byte position; returns whether it can.
    fn seek(&mut self, position: u64) -> bool;

    /// Fills `out` with the next bytes.
    fn read(&mut self, out: &mut [u8]);
}

/// A tree that is not on the way yet, of which pieces can be hashed apart and joined: all but the last of
/// [`PIECE`] bytes, and at least two.
pub(crate) trait Subtrees: Send + Sync {
    /// Bytes of the value of the piece of this number and length.
    fn value_len(&self, index: u64, len: usize) -> usize;

    /// Writes the value of a piece.
    fn value(&self, index: u64, data: &[u8], out: &mut [u8]);

    /// The same tree, to which values can be given.
    fn joint(&self) -> Box<dyn Joint>;
}

/// A tree that goes on from the values of its pieces.
pub(crate) trait Joint: Send + Sync {
    /// Takes the value of the next piece, which has this number and length.
    fn push(&mut self, index: u64, len: usize, value: &[u8]);

    /// Ends the message and writes the first `out.len()` bytes of output.
    fn finish(self: Box<Self>, out: &mut [u8]);
}

/// Bytes of a piece: whole subtrees of every tree, enough for all lanes, and few enough for a second-level cache.
pub(crate) const PIECE: usize = 256 << 10;

/// What every family's state can do.
pub(crate) trait Core: Zeroize {
    /// Appends to the message.
    fn update(&mut self, data: &[u8]);

    /// As `update`, with help of other cores where the algorithm is a tree.
    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.update(data);
    }

    /// Ends the message and writes the first `out.len()` bytes of output. The state is spent, but holds
    /// nothing that `zeroize` would miss.
    fn finalize_into(&mut self, out: &mut [u8]);

    /// Writes the digest of what was absorbed and `last` together. The state stays as it is; copies of it are
    /// overwritten.
    fn digest_with(&self, last: &[u8], out: &mut [u8])
    where
        Self: Clone + Sized,
    {
        digest_of_copy(self, last, out);
    }

    /// Name of the kernel in use.
    fn kernel(&self) -> &'static str;

    /// One message from beginning to end, of which nothing stays in the state.
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

/// [`Core::digest_with`] on a copy of the state, which is overwritten.
pub(crate) fn digest_of_copy(state: &(impl Core + Clone), last: &[u8], out: &mut [u8]) {
    let mut state = state.clone();
    state.update(last);
    state.finalize_into(out);
    state.zeroize();
}
