//! BLAKE2bp: four BLAKE2b leaves, dealt the message block by block, under one root (BLAKE2 paper
//! section 2.10 and the reference implementation's parameters).

use super::{Blake2b, Flags, KERNELS_B, KernelPair, Last, MANY_B, Parameters, Run};
use crate::ground::batch::Pair;
use crate::ground::cores::Core;
use crate::ground::error::Error;
use crate::ground::keyed::HmacCore;
use crate::ground::params::Node;
use crate::ground::vector::{Input, MAX};
use zeroize::Zeroize;

const LEAVES: usize = 4;
const BLOCK: usize = 128;
const INNER: usize = 64;
/// One block for each leaf.
const STRIPE: usize = LEAVES * BLOCK;

/// BLAKE2bp in progress. The leaves advance together, a stripe at a time, side by side.
#[derive(Clone)]
pub(crate) struct Blake2bp {
    kernels: KernelPair<u64, BLOCK>,
    /// Column `l` is the chaining value of leaf `l`.
    leaves: [[u64; MAX]; 8],
    root: Blake2b,
    /// The last bytes: more than one stripe after the first two are full, because a leaf's last block is
    /// flagged, and may lie in the last stripe but one.
    buffer: [u8; 2 * STRIPE],
    len: usize,
    /// Bytes that each leaf has compressed.
    counter: u64,
}

impl Blake2bp {
    /// Salt and personalisation are not defined for BLAKE2bp and must be empty; its nodes are its own.
    pub(crate) fn new(kernel: Option<&str>, parameters: &Parameters<'_>) -> Result<Self, Error> {
        Ok(Self::on(Pair::choose(&KERNELS_B, &MANY_B, kernel, LEAVES)?, parameters))
    }

    pub(crate) fn on(kernels: KernelPair<u64, BLOCK>, parameters: &Parameters<'_>) -> Self {
        let place = |offset, depth, last| Parameters {
            node: Node {
                fanout: LEAVES as u8,
                max_depth: 2,
                leaf_length: 0,
                offset,
                depth,
                inner_length: INNER as u8,
                last,
            },
            ..*parameters
        };
        let mut leaves = [[0; MAX]; 8];
        for leaf in 0..LEAVES {
            let h = place(leaf as u64, 0, leaf == LEAVES - 1).chaining_value::<u64>();
            leaves.iter_mut().zip(h).for_each(|(row, word)| row[leaf] = word);
        }
        let root = Blake2b::node(kernels.chain, &place(0, 1, true));
        let mut state = Self { kernels, leaves, root, buffer: [0; 2 * STRIPE], len: 0, counter: 0 };
        // Every leaf starts with the key; the root takes none but names its length.
        if !parameters.key.is_empty() {
            let mut stripe = [0; STRIPE];
            for block in stripe.chunks_exact_mut(BLOCK) {
                block[..parameters.key.len()].copy_from_slice(parameters.key);
            }
            state.update(&stripe);
            stripe.zeroize();
        }
        state
    }

    /// Compresses whole stripes, none of which holds a leaf's last block.
    fn stripes(&mut self, data: &[u8]) {
        let blocks = data.len() / STRIPE;
        compress(&self.kernels, &mut self.leaves, data, blocks, [self.counter; LEAVES], [Last::No; LEAVES]);
        self.counter += (blocks * BLOCK) as u64;
    }

    /// Compresses the last block of every leaf.
    fn finish_leaves(&mut self) {
        self.buffer[self.len..].fill(0);
        let one_block = |leaf: usize| self.len <= STRIPE + leaf * BLOCK;
        let last = |leaf| if leaf == LEAVES - 1 { Last::BlockOfLastNode } else { Last::Block };
        // The counter lower by the padding, as the kernels want it for a last block.
        let before = |leaf: usize, stripe: usize| {
            let bytes = self.len.saturating_sub(stripe * STRIPE + leaf * BLOCK).min(BLOCK);
            self.counter.wrapping_add((stripe * BLOCK + bytes) as u64).wrapping_sub(BLOCK as u64)
        };
        let counters = core::array::from_fn(|leaf| before(leaf, 0));
        let flags = core::array::from_fn(|leaf| if one_block(leaf) { last(leaf) } else { Last::No });
        compress(&self.kernels, &mut self.leaves, &self.buffer[..STRIPE], 1, counters, flags);
        if !one_block(0) {
            let mut second = self.leaves;
            let counters = core::array::from_fn(|leaf| before(leaf, 1));
            let flags = core::array::from_fn(last);
            compress(&self.kernels, &mut second, &self.buffer[STRIPE..], 1, counters, flags);
            for leaf in (0..LEAVES).filter(|&leaf| !one_block(leaf)) {
                self.leaves.iter_mut().zip(second).for_each(|(row, from)| row[leaf] = from[leaf]);
            }
            second.zeroize();
        }
    }
}

/// Compresses `blocks` blocks of each leaf, a stripe apart. The counters and flags are as the kernels want
/// them.
#[allow(unsafe_code)] // the unsafe call of the batch kernels on the leaves
fn compress(
    kernels: &KernelPair<u64, BLOCK>,
    leaves: &mut [[u64; MAX]; 8],
    data: &[u8],
    blocks: usize,
    counters: [u64; LEAVES],
    last: [Last; LEAVES],
) {
    assert!(data.len() >= blocks * STRIPE);
    if blocks == 0 {
        return;
    }
    if let Some(kernel) =
        kernels.batch.map(|kernel| kernel.function()).filter(|kernel| kernel.lanes >= LEAVES)
    {
        let mask = |set: bool| if set { u64::MAX } else { 0 };
        let mut inputs = [Input { head: data, head_blocks: blocks, tail: &[] }; MAX];
        let mut t = [0; MAX];
        let mut flags: Flags<u64> = [[0; MAX]; 2];
        for leaf in 0..LEAVES {
            inputs[leaf].head = &data[leaf * BLOCK..];
            t[leaf] = counters[leaf];
            flags[0][leaf] = mask(last[leaf] != Last::No);
            flags[1][leaf] = mask(last[leaf] == Last::BlockOfLastNode);
        }
        let run = Run { blocks, stride: STRIPE };
        // SAFETY: a `Chosen` proves the CPU's features; leaf `l` reads up to (blocks - 1) · STRIPE +
        // (l + 1) · BLOCK, which is inside `data`; other lanes read as the first one.
        unsafe { (kernel.function)(leaves, &inputs, run, &t, &flags) }
        return;
    }
    for leaf in 0..LEAVES {
        let mut h = leaves.map(|row| row[leaf]);
        for (i, stripe) in data.as_chunks::<STRIPE>().0[..blocks].iter().enumerate() {
            let block = stripe.as_chunks().0[leaf];
            let counter = i128::from(counters[leaf].cast_signed()) + (i * BLOCK) as i128;
            kernels.chain.compress(&mut h, core::slice::from_ref(&block), counter as u128, last[leaf]);
        }
        leaves.iter_mut().zip(h).for_each(|(row, word)| row[leaf] = word);
    }
}

impl Core for Blake2bp {
    fn update(&mut self, data: &[u8]) {
        let total = self.len + data.len();
        if total <= 2 * STRIPE {
            self.buffer[self.len..total].copy_from_slice(data);
            self.len = total;
            return;
        }
        // More than one stripe and at most two stay behind.
        let stripes = (total - STRIPE - 1) / STRIPE;
        let (head, data) = data.split_at(2 * STRIPE - self.len);
        self.buffer[self.len..].copy_from_slice(head);
        let buffer = self.buffer;
        self.stripes(&buffer[..stripes.min(2) * STRIPE]);
        let (whole, rest) = data.split_at(stripes.saturating_sub(2) * STRIPE);
        self.stripes(whole);
        let kept = &buffer[stripes.min(2) * STRIPE..];
        self.len = kept.len() + rest.len();
        self.buffer[..kept.len()].copy_from_slice(kept);
        self.buffer[kept.len()..self.len].copy_from_slice(rest);
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        self.finish_leaves();
        for leaf in 0..LEAVES {
            let mut inner = [0; INNER];
            for (bytes, row) in inner.as_chunks_mut().0.iter_mut().zip(&self.leaves) {
                *bytes = row[leaf].to_le_bytes();
            }
            self.root.update(&inner);
            inner.zeroize();
        }
        self.root.finalize_into(out);
    }

    fn kernel(&self) -> &'static str {
        self.kernels.name()
    }
}

impl Zeroize for Blake2bp {
    fn zeroize(&mut self) {
        self.leaves.zeroize();
        self.root.zeroize();
        self.buffer.zeroize();
        (self.len, self.counter) = (0, 0);
    }
}

impl HmacCore for Blake2bp {}
