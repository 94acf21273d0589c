//! The values of groups of chunks and of their parents, for trees that are stored outside
//! (`api/outboard.rs`).

use ::blake3::Hasher;
use ::blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};

/// The value of a subtree.
pub(crate) type Value = [u8; 32];

/// The length of a chunk in bytes, which is the smallest group size.
pub(crate) const CHUNK: usize = ::blake3::CHUNK_LEN;

/// Returns the value of the group that starts at byte `offset`, a multiple of the group size. The
/// group must not be the whole message.
pub(crate) fn group(offset: u64, data: &[u8]) -> Value {
    let mut hasher = Hasher::new();
    hasher.set_input_offset(offset).update(data);
    hasher.finalize_non_root()
}

/// Returns the digest of a message that is a single group.
pub(crate) fn only(data: &[u8]) -> Value {
    ::blake3::hash(data).into()
}

/// Returns the value of two subtrees, or the digest if they are the whole message.
pub(crate) fn parent(left: &Value, right: &Value, is_root: bool) -> Value {
    if is_root {
        merge_subtrees_root(left, right, Mode::Hash).into()
    } else {
        merge_subtrees_non_root(left, right, Mode::Hash)
    }
}
