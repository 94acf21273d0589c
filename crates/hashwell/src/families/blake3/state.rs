//! BLAKE3 in progress. The official crate hashes subtrees, but the values of the subtrees are
//! stored here. The crate's own hasher does not return them, and a state can be saved only if its
//! values can be read.

use super::Reader;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::saved::{Fields, Saved};
use ::blake3::Hasher;
use ::blake3::hazmat::{
    ChainingValue, HasherExt, Mode, hash_derive_key_context, merge_subtrees_non_root, merge_subtrees_root_xof,
};
use alloc::vec::Vec;
use zeroize::Zeroize;

/// The length of a chunk in bytes.
const CHUNK: usize = ::blake3::CHUNK_LEN;
/// The maximum number of stored values: 2^64 - 1 bytes have 54 levels of subtrees, and one more
/// value may wait to be merged.
const VALUES: usize = 55;

/// The key of the compression function: none, a key, or the key of a context.
#[derive(Clone, Copy)]
enum Keying {
    Plain,
    Key,
    Context,
}

/// A hash in progress.
///
/// The values belong to subtrees, from left to right. The last value is merged only when more of the message follows,
/// because the last merge of a message differs from the others. So no chunk is buffered after a message that ends with
/// a whole chunk, unless it is the only chunk.
#[derive(Clone)]
pub(crate) struct State {
    keying: Keying,
    /// The key is not part of `keying`, so that all bytes of a state are written, and a state without a key erases the
    /// previous contents.
    key: [u8; 32],
    /// The number of values in use.
    count: usize,
    values: [ChainingValue; VALUES],
    /// The number of chunks in the subtrees of the values.
    chunks: u64,
    /// The number of buffered bytes, which belong to an incomplete chunk or to the only chunk.
    held: usize,
    chunk: [u8; CHUNK],
}

impl State {
    fn new(keying: Keying, key: [u8; 32]) -> Self {
        Self { keying, key, count: 0, values: [[0; 32]; VALUES], chunks: 0, held: 0, chunk: [0; CHUNK] }
    }

    pub(super) fn plain() -> Self {
        Self::new(Keying::Plain, [0; 32])
    }

    pub(super) fn keyed(key: &[u8; 32]) -> Self {
        Self::new(Keying::Key, *key)
    }

    pub(super) fn derive_key(context: &str) -> Self {
        Self::new(Keying::Context, hash_derive_key_context(context))
    }

    fn hasher(&self) -> Hasher {
        match self.keying {
            Keying::Plain => Hasher::new(),
            Keying::Key => Hasher::new_keyed(&self.key),
            Keying::Context => Hasher::new_from_context_key(&self.key),
        }
    }

    fn mode(&self) -> Mode<'_> {
        match self.keying {
            Keying::Plain => Mode::Hash,
            Keying::Key => Mode::KeyedHash(&self.key),
            Keying::Context => Mode::DeriveKeyMaterial(&self.key),
        }
    }

    /// Merges the last values until the number of values is the number of set bits in the number of chunks.
    fn merge(&mut self) {
        while self.count > self.chunks.count_ones() as usize {
            self.count -= 1;
            let [left, right] = [self.count - 1, self.count].map(|i| &self.values[i]);
            self.values[self.count - 1] = merge_subtrees_non_root(left, right, self.mode());
        }
    }

    /// Appends the value of the next subtree. It has at most as many chunks as the lowest set bit in the number of
    /// chunks before it.
    fn push(&mut self, value: &ChainingValue, chunks: u64) {
        self.merge();
        self.values[self.count] = *value;
        self.count += 1;
        self.chunks += chunks;
    }

    /// Returns the value of the chunks after the chunks of the stored values.
    fn value(&self, data: &[u8], update: fn(&mut Hasher, &[u8])) -> ChainingValue {
        let mut subtree = self.hasher();
        subtree.set_input_offset(self.chunks * CHUNK as u64);
        update(&mut subtree, data);
        subtree.finalize_non_root()
    }

    fn update_with(&mut self, mut data: &[u8], update: fn(&mut Hasher, &[u8])) {
        if self.held > 0 {
            let (head, rest) = data.split_at(data.len().min(CHUNK - self.held));
            self.chunk[self.held..][..head.len()].copy_from_slice(head);
            self.held += head.len();
            data = rest;
            if self.held < CHUNK || (self.chunks == 0 && data.is_empty()) {
                return;
            }
            let value = self.value(&self.chunk, one_core);
            self.push(&value, 1);
            self.held = 0;
        }
        loop {
            let whole = data.len() / CHUNK;
            if whole == 0 || (self.chunks == 0 && data.len() == CHUNK) {
                break;
            }
            let mut chunks = 1 << whole.ilog2();
            if self.chunks > 0 {
                chunks = chunks.min(1 << self.chunks.trailing_zeros().min(usize::BITS - 1));
            } else if chunks * CHUNK == data.len() {
                // The subtree may be the whole message, whose last merge needs both halves.
                chunks /= 2;
            }
            let (subtree, rest) = data.split_at(chunks * CHUNK);
            let value = self.value(subtree, update);
            self.push(&value, chunks as u64);
            data = rest;
        }
        if !data.is_empty() {
            self.merge();
            self.chunk[..data.len()].copy_from_slice(data);
            self.held = data.len();
        }
    }

    /// Returns the output of the message so far.
    pub(super) fn output(&self) -> Reader {
        let waiting = &self.chunk[..self.held];
        if self.chunks == 0 {
            let mut only = self.hasher();
            only.update(waiting);
            return only.finalize_xof();
        }
        let (first, more) = self.values[..self.count].split_first().expect("a value for the chunks");
        let (mut right, between) = match more.split_last() {
            Some((last, between)) if waiting.is_empty() => (*last, between),
            _ => (self.value(waiting, one_core), more),
        };
        for left in between.iter().rev() {
            right = merge_subtrees_non_root(left, &right, self.mode());
        }
        merge_subtrees_root_xof(first, &right, self.mode())
    }
}

fn one_core(subtree: &mut Hasher, data: &[u8]) {
    subtree.update(data);
}

#[cfg(feature = "rayon")]
fn all_cores(subtree: &mut Hasher, data: &[u8]) {
    subtree.update_rayon(data);
}

impl Core for State {
    fn update(&mut self, data: &[u8]) {
        self.update_with(data, one_core);
    }

    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.update_with(data, all_cores);
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        let mut reader = self.output();
        reader.fill(out);
        reader.zeroize();
    }

    /// Copies the state only if `last` is not empty.
    fn digest_with(&self, last: &[u8], out: &mut [u8]) {
        super::digest_with(self, last, out);
    }

    fn kernel(&self) -> &'static str {
        super::KERNELS.best().name()
    }
}

/// Saves as few values as the length allows, and the buffered bytes.
impl Saved for State {
    fn message_len(&self) -> u64 {
        self.chunks.wrapping_mul(CHUNK as u64).wrapping_add(self.held as u64)
    }

    fn save(&self, out: &mut Vec<u8>) {
        let kept = values_of(self.chunks, self.held);
        let [before, merged] = [&self.values[..kept - usize::from(kept > 0)], &self.values[..self.count]];
        out.extend_from_slice(before.as_flattened());
        if let Some((last, left)) = merged[before.len()..].split_last() {
            let merge = |right, left| merge_subtrees_non_root(left, &right, self.mode());
            out.extend_from_slice(&left.iter().rev().fold(*last, merge));
        }
        out.extend_from_slice(&self.chunk[..self.held]);
    }

    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error> {
        let chunk = CHUNK as u64;
        // The only chunk is buffered, even if it is complete.
        let chunks = if length <= chunk { 0 } else { length / chunk };
        let held = (length - chunks * chunk) as usize;
        let count = values_of(chunks, held);
        for value in &mut self.values[..count] {
            *value = *fields.array()?;
        }
        self.chunk[..held].copy_from_slice(fields.take(held)?);
        (self.chunks, self.held, self.count) = (chunks, held, count);
        Ok(())
    }
}

/// Returns the number of values in a saved state, which is the number of set bits in the number of chunks. A message
/// that is a single whole subtree has the values of both halves instead, since their merge is different if more of the
/// message follows.
fn values_of(chunks: u64, held: usize) -> usize {
    let ones = chunks.count_ones() as usize;
    if held == 0 && ones == 1 { 2 } else { ones }
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.key = [0; 32];
        self.values = [[0; 32]; VALUES];
        self.chunk = [0; CHUNK];
        (self.count, self.chunks, self.held) = (0, 0, 0);
        zeroize::optimization_barrier(self);
    }
}
