//! Values of groups of chunks and their parents, for trees that are kept outside (`api/outboard.rs`).

use ::blake3::Hasher;
use ::blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};

/// The value of a subtree.
pub(crate) type Value = [u8; 32];

/// Bytes of a chunk: the smallest group.
pub(crate) const CHUNK: usize = ::blake3::CHUNK_LEN;

/// The value of the group that begins at byte `offset`, a multiple of the group's size, and is not the whole message.
pub(crate) fn group(offset: u64, data: &[u8]) -> Value {
    let mut hasher = Hasher::new();
    hasher.set_input_offset(offset).update(data);
    hasher.finalize_non_root()
}

/// The digest of a message that is one group.
pub(crate) fn only(data: &[u8]) -> Value {
    ::blake3::hash(data).into()
}

/// The value of two subtrees, or the digest if they are all of the message.
pub(crate) fn parent(left: &Value, right: &Value, is_root: bool) -> Value {
    if is_root {
        merge_subtrees_root(left, right, Mode::Hash).into()
    } else {
        merge_subtrees_non_root(left, right, Mode::Hash)
    }
}
