//! Hashes pieces of a message independently and joins them, with the crate's `hazmat` module.

use crate::internal::cores::{Joint, PIECE, Subtrees};
use ::blake3::Hasher;
use ::blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root_xof};
use alloc::boxed::Box;
use alloc::vec::Vec;

// The number of chunks in a subtree is a power of two, and the subtree starts at a multiple of this number (BLAKE3
// paper section 2.1).
const _: () = assert!(PIECE.is_power_of_two() && PIECE >= ::blake3::CHUNK_LEN);

/// Plain hashing.
pub(super) struct Tree;

impl Subtrees for Tree {
    fn value_len(&self, _: u64, _: usize) -> usize {
        ::blake3::OUT_LEN
    }

    fn value(&self, index: u64, data: &[u8], out: &mut [u8]) {
        let mut subtree = Hasher::new();
        subtree.set_input_offset(index * PIECE as u64).update(data);
        out.copy_from_slice(&subtree.finalize_non_root());
    }

    fn joint(&self) -> Box<dyn Joint> {
        Box::new(Spine(Vec::new()))
    }
}

/// The roots of subtrees that wait for their right neighbours, the largest first.
struct Spine(Vec<ChainingValue>);

impl Spine {
    /// Merges the last two subtrees.
    fn merge(&mut self) {
        if let (Some(right), Some(left)) = (self.0.pop(), self.0.pop()) {
            self.0.push(merge_subtrees_non_root(&left, &right, Mode::Hash));
        }
    }
}

impl Joint for Spine {
    /// The number of complete subtrees in `index` pieces is the number of set bits in `index`. They are merged only
    /// here, because a further piece shows that none of them is the root.
    fn push(&mut self, index: u64, _: usize, value: &[u8]) {
        while self.0.len() > index.count_ones() as usize {
            self.merge();
        }
        self.0.push(value.try_into().expect("a value of this tree"));
    }

    fn finish(mut self: Box<Self>, out: &mut [u8]) {
        while self.0.len() > 2 {
            self.merge();
        }
        if let [left, right] = &self.0[..] {
            merge_subtrees_root_xof(left, right, Mode::Hash).fill(out);
        }
    }
}
