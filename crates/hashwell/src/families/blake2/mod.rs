//! BLAKE2b and BLAKE2s (RFC 7693, with the salt, personalization and tree parameters of the BLAKE2
//! paper), and the trees BLAKE2bp and BLAKE2sp.

mod kernels;
mod many;
mod parallel;
#[cfg(test)]
#[path = "../../../proofs/families/blake2.rs"]
pub(in crate::families) mod proof;
mod rows;
mod soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32_simd128;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_avx2;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_avx512;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_rows;

use crate::internal::buffer::{BlockBuffer, Hold};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::kernel::{Chosen, Table};
use crate::internal::keyed::HmacCore;
use crate::internal::params::Node;
use crate::internal::saved::{Fields, NOT_INITIAL, Saved};
use crate::internal::small;
use crate::internal::vector::{Input, MAX};
use alloc::vec::Vec;
pub(crate) use many::{BatchTable, Blake2Lanes, KernelPair};
pub(crate) use parallel::Parallel;
pub(crate) use rows::{BLAKE2B, BLAKE2BP, BLAKE2S, BLAKE2SP, Sequential, Tree};
use zeroize::Zeroize;

/// BLAKE2b in progress.
pub(crate) type Blake2b = Blake2<u64, 128>;
/// BLAKE2s in progress.
pub(crate) type Blake2s = Blake2<u32, 64>;

/// The finalization flags f0 and f1: the block is the last of its node, and the node is the last of
/// its tree level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    No,
    Block,
    BlockOfLastNode,
}

/// Kernel contract (*chain*): absorbs whole blocks into one chaining value. The counter is the
/// number of message bytes before the first block, and each block adds its length. (For a padded
/// last block, the caller subtracts the padding first, modulo 2^128.)
pub(crate) type Compress<W, const B: usize> = unsafe fn(&mut [W; 8], &[[u8; B]], u128, Last);

/// Kernel contract (*batch*): absorbs blocks of each message. Row `i` of the states contains word `i` of each chaining
/// value. Each counter is one word: the number of message bytes before the first block. Each block adds its length, and
/// the counter wraps around. (So a caller can subtract the padding of a last block first.) The flags apply to all
/// blocks of the call.
pub(crate) type CompressMany<W> = unsafe fn(&mut [[W; MAX]; 8], &[Input<'_>; MAX], Run, &[W; MAX], &Flags<W>);

/// The finalization flags of each message, as masks.
pub(crate) type Flags<W> = [[W; MAX]; 2];

/// The blocks of an input: their number, and the distance in bytes from one to the next.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) blocks: usize,
    pub(crate) stride: usize,
}

impl<W, const B: usize> Chosen<Compress<W, B>> {
    #[inline]
    #[allow(unsafe_code)] // the one unsafe call of BLAKE2
    fn compress(self, h: &mut [W; 8], blocks: &[[u8; B]], counter: u128, last: Last) {
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features, which is all that it requires.
        unsafe { (self.function())(h, blocks, counter, last) }
    }
}

/// The differences between BLAKE2b and BLAKE2s outside their kernels.
pub(crate) trait Blake2Word:
    Copy + Zeroize + Send + Sync + PartialEq + core::ops::BitXorAssign + 'static
{
    const BYTES: usize;
    const ZERO: Self;
    /// True if there are batch kernels for hashes with this word.
    const SIDE_BY_SIDE: bool;
    const ONES: Self;
    const INITIAL: [Self; 8];
    /// The position of the node depth in the parameter block. The node offset is between byte 8 and
    /// this position.
    const NODE_DEPTH_AT: usize;
    /// Returns the low word.
    fn truncated(from: u64) -> Self;
    /// Reads a little-endian word.
    fn read(bytes: &[u8]) -> Self;
    /// Writes a little-endian word.
    fn write(self, out: &mut [u8]);
}

impl Blake2Word for u64 {
    const BYTES: usize = 8;
    const ZERO: u64 = 0;
    const SIDE_BY_SIDE: bool = !small::FEW_BATCH_KERNELS;
    const ONES: u64 = u64::MAX;
    const INITIAL: [u64; 8] = crate::families::sha2::BLAKE2B_INITIAL;
    const NODE_DEPTH_AT: usize = 16;
    fn truncated(from: u64) -> u64 {
        from
    }
    fn read(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(*bytes.first_chunk().expect("eight bytes"))
    }
    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_le_bytes());
    }
}

impl Blake2Word for u32 {
    const BYTES: usize = 4;
    const ZERO: u32 = 0;
    const SIDE_BY_SIDE: bool = true;
    const ONES: u32 = u32::MAX;
    const INITIAL: [u32; 8] = crate::families::sha2::BLAKE2S_INITIAL;
    const NODE_DEPTH_AT: usize = 14;
    fn truncated(from: u64) -> u32 {
        from as u32
    }
    fn read(bytes: &[u8]) -> u32 {
        u32::from_le_bytes(*bytes.first_chunk().expect("four bytes"))
    }
    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_le_bytes());
    }
}

/// The parameter block. The caller checks lengths and limits.
#[derive(Clone, Copy)]
pub(crate) struct Parameters<'a> {
    pub(crate) output_len: usize,
    pub(crate) key: &'a [u8],
    pub(crate) salt: &'a [u8],
    pub(crate) personal: &'a [u8],
    pub(crate) node: Node,
}

impl Parameters<'_> {
    /// Returns h(0): the initial value xored with the parameter block (RFC 7693 section 2.5,
    /// extended).
    fn chaining_value<W: Blake2Word>(&self) -> [W; 8] {
        let node = &self.node;
        let mut block = [0; 64];
        block[0] = self.output_len as u8;
        block[1] = self.key.len() as u8;
        block[2] = node.fanout;
        block[3] = node.max_depth;
        block[4..8].copy_from_slice(&node.leaf_length.to_le_bytes());
        block[8..W::NODE_DEPTH_AT].copy_from_slice(&node.offset.to_le_bytes()[..W::NODE_DEPTH_AT - 8]);
        block[W::NODE_DEPTH_AT] = node.depth;
        block[W::NODE_DEPTH_AT + 1] = node.inner_length;
        block[4 * W::BYTES..][..self.salt.len()].copy_from_slice(self.salt);
        block[6 * W::BYTES..][..self.personal.len()].copy_from_slice(self.personal);
        let mut h = W::INITIAL;
        for (h, bytes) in h.iter_mut().zip(block.chunks_exact(W::BYTES)) {
            *h ^= W::read(bytes);
        }
        h
    }
}

/// One node in progress. `B` is the block length in bytes, which is sixteen words.
#[derive(Clone)]
pub(crate) struct Blake2<W: 'static, const B: usize> {
    kernel: Chosen<Compress<W, B>>,
    h: [W; 8],
    buffer: BlockBuffer<B>,
    /// The number of bytes compressed.
    counter: u128,
    /// The flags of its last block.
    last: Last,
}

impl<W: Blake2Word, const B: usize> Blake2<W, B> {
    pub(crate) fn new(
        kernels: &'static Table<Compress<W, B>>,
        kernel: Option<&str>,
        parameters: &Parameters<'_>,
    ) -> Result<Self, Error> {
        let mut node = Self::node(kernels.choose(kernel)?, parameters);
        node.absorb_key(parameters.key);
        Ok(node)
    }

    fn node(kernel: Chosen<Compress<W, B>>, parameters: &Parameters<'_>) -> Self {
        let last = if parameters.node.last { Last::BlockOfLastNode } else { Last::Block };
        Self { kernel, h: parameters.chaining_value(), buffer: BlockBuffer::new(), counter: 0, last }
    }

    /// Absorbs a key as a separate first block, padded with zeros.
    fn absorb_key(&mut self, key: &[u8]) {
        if !key.is_empty() {
            let mut block = [0; B];
            block[..key.len()].copy_from_slice(key);
            self.update(&block);
            block.zeroize();
        }
    }
}

impl<W: Blake2Word, const B: usize> Core for Blake2<W, B> {
    fn update(&mut self, data: &[u8]) {
        let Self { kernel, h, buffer, counter, .. } = self;
        buffer.absorb(data, Hold::LastBlock, |blocks| {
            kernel.compress(h, blocks, *counter, Last::No);
            *counter += (blocks.len() * B) as u128;
        });
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        let (block, len) = self.buffer.zero_padded();
        let before = (self.counter + len as u128).wrapping_sub(B as u128);
        self.kernel.compress(&mut self.h, core::slice::from_ref(block), before, self.last);
        let mut digest = [0; 64];
        for (bytes, h) in digest.chunks_exact_mut(W::BYTES).zip(self.h) {
            h.write(bytes);
        }
        out.copy_from_slice(&digest[..out.len()]);
    }

    fn kernel(&self) -> &'static str {
        self.kernel.name()
    }
}

/// Saves a node without a key. A key is a first block that must not be exported.
impl<W: Blake2Word, const B: usize> Saved for Blake2<W, B> {
    fn message_len(&self) -> u64 {
        self.counter as u64 + self.buffer.bytes().len() as u64
    }

    fn save(&self, out: &mut Vec<u8>) {
        save_words(&self.h, out);
        out.extend_from_slice(self.buffer.bytes());
    }

    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error> {
        // The last block is buffered, even if it is complete.
        let held = held_back(length, B as u64);
        let h = read_words(fields.take(8 * W::BYTES)?);
        if length == held && h != self.h {
            return Err(NOT_INITIAL);
        }
        self.buffer.refill(fields.take(held as usize)?);
        (self.h, self.counter) = (h, u128::from(length - held));
        Ok(())
    }
}

/// Returns the number of bytes at the end that are buffered: at most a block.
fn held_back(length: u64, block: u64) -> u64 {
    if length == 0 { 0 } else { (length - 1) % block + 1 }
}

fn save_words<W: Blake2Word>(words: &[W; 8], out: &mut Vec<u8>) {
    for word in words {
        let mut bytes = [0; 8];
        word.write(&mut bytes[..W::BYTES]);
        out.extend_from_slice(&bytes[..W::BYTES]);
    }
}

/// Reads eight words from `bytes`, which has exactly their length.
fn read_words<W: Blake2Word>(bytes: &[u8]) -> [W; 8] {
    core::array::from_fn(|i| W::read(&bytes[i * W::BYTES..]))
}

impl<W: Blake2Word, const B: usize> Zeroize for Blake2<W, B> {
    fn zeroize(&mut self) {
        self.h = [W::ZERO; 8];
        self.counter = 0;
        self.buffer.zeroize();
        zeroize::optimization_barrier(self);
    }
}

impl<W: Blake2Word, const B: usize> HmacCore for Blake2<W, B> {}
