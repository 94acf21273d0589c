//! Trees of two levels. The blocks of the message are distributed to the leaves in turn. The leaves are hashed in
//! parallel under one root (BLAKE2 paper section 2.10, with the parameters of the reference implementation). BLAKE2bp
//! has four leaves of BLAKE2b, and BLAKE2sp has eight leaves of BLAKE2s.

use super::{
    Blake2, Blake2Word, Flags, KernelPair, Last, Parameters, Run, held_back, read_words, save_words,
};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::keyed::HmacCore;
use crate::internal::params::Node;
use crate::internal::saved::{Fields, NOT_INITIAL, Saved};
use crate::internal::vector::{Input, MAX};
use alloc::vec::Vec;
use zeroize::Zeroize;

/// A tree in progress. The leaves advance together by one stripe at a time, which is one block for
/// each leaf.
#[derive(Clone)]
pub(crate) struct Parallel<W: 'static, const B: usize, const LEAVES: usize> {
    kernels: KernelPair<W, B>,
    /// Column `l` is the chaining value of leaf `l`.
    leaves: [[W; MAX]; 8],
    root: Blake2<W, B>,
    /// The last bytes. Once the message is longer than one stripe, the buffer always holds more than one
    /// stripe (at most two). The last block of a leaf needs a flag, and it can be in the second-to-last
    /// stripe.
    buffer: [[[u8; B]; LEAVES]; 2],
    len: usize,
    /// The number of bytes that each leaf has compressed.
    counter: i64,
}

impl<W: Blake2Word, const B: usize, const LEAVES: usize> Parallel<W, B, LEAVES> {
    /// The length of a stripe in bytes.
    const STRIPE: usize = LEAVES * B;
    /// The length of a leaf's digest in bytes, which is the maximum for a node.
    const INNER: usize = 8 * W::BYTES;

    /// Makes a tree. The salt and the personalization must be empty, since they are not defined for
    /// these trees, and the tree sets its own node parameters.
    pub(crate) fn on(kernels: KernelPair<W, B>, parameters: &Parameters<'_>) -> Self {
        const { assert!(LEAVES <= MAX) };
        let place = |offset, depth, last| Parameters {
            node: Node {
                fanout: LEAVES as u8,
                max_depth: 2,
                leaf_length: 0,
                offset,
                depth,
                inner_length: Self::INNER as u8,
                last,
            },
            ..*parameters
        };
        let mut leaves = [[W::ZERO; MAX]; 8];
        for leaf in 0..LEAVES {
            let h = place(leaf as u64, 0, leaf == LEAVES - 1).chaining_value::<W>();
            leaves.iter_mut().zip(h).for_each(|(row, word)| row[leaf] = word);
        }
        let root = Blake2::node(kernels.chain, &place(0, 1, true));
        let mut state = Self { kernels, leaves, root, buffer: [[[0; B]; LEAVES]; 2], len: 0, counter: 0 };
        // Every leaf starts with the key. The root absorbs no key, but its parameter block contains
        // the key length.
        if !parameters.key.is_empty() {
            let mut stripe = [[0; B]; LEAVES];
            for block in &mut stripe {
                block[..parameters.key.len()].copy_from_slice(parameters.key);
            }
            state.update(stripe.as_flattened());
            stripe.zeroize();
        }
        state
    }

    /// Compresses the last block of every leaf.
    fn finish_leaves(&mut self) {
        self.buffer.as_flattened_mut().as_flattened_mut()[self.len..].fill(0);
        let one_block = |leaf: usize| self.len <= Self::STRIPE + leaf * B;
        let last = |leaf| if leaf == LEAVES - 1 { Last::BlockOfLastNode } else { Last::Block };
        // Subtracts the padding from the counter, as kernels expect for a last block.
        let before = |leaf: usize, stripe: usize| {
            let bytes = self.len.saturating_sub(stripe * Self::STRIPE + leaf * B).min(B);
            self.counter + (stripe * B + bytes) as i64 - B as i64
        };
        let counters = core::array::from_fn(|leaf| before(leaf, 0));
        let flags = core::array::from_fn(|leaf| if one_block(leaf) { last(leaf) } else { Last::No });
        compress(&self.kernels, &mut self.leaves, &self.buffer[..1], counters, flags);
        if !one_block(0) {
            let mut second = self.leaves;
            let counters = core::array::from_fn(|leaf| before(leaf, 1));
            let flags = core::array::from_fn(last);
            compress(&self.kernels, &mut second, &self.buffer[1..], counters, flags);
            for leaf in (0..LEAVES).filter(|&leaf| !one_block(leaf)) {
                self.leaves.iter_mut().zip(second).for_each(|(row, from)| row[leaf] = from[leaf]);
            }
            second = [[W::ZERO; MAX]; 8];
            zeroize::optimization_barrier(&second);
        }
    }
}

/// Compresses stripes that contain no leaf's last block, and advances the counter.
fn whole_stripes<W: Blake2Word, const B: usize, const LEAVES: usize>(
    kernels: &KernelPair<W, B>,
    leaves: &mut [[W; MAX]; 8],
    stripes: &[[[u8; B]; LEAVES]],
    counter: &mut i64,
) {
    compress(kernels, leaves, stripes, [*counter; LEAVES], [Last::No; LEAVES]);
    *counter += (stripes.len() * B) as i64;
}

/// Compresses the stripes, each of which has one block for every leaf. The counters and flags are in the form that
/// kernels expect.
#[allow(unsafe_code)] // the unsafe call of the batch kernels on the leaves
fn compress<W: Blake2Word, const B: usize, const LEAVES: usize>(
    kernels: &KernelPair<W, B>,
    leaves: &mut [[W; MAX]; 8],
    stripes: &[[[u8; B]; LEAVES]],
    counters: [i64; LEAVES],
    last: [Last; LEAVES],
) {
    if stripes.is_empty() {
        return;
    }
    // A batch kernel has one word for the counter, so a leaf of BLAKE2s is hashed with the chain kernel after 4 GiB.
    let fits = |before: i64| ((before + (stripes.len() * B) as i64) as u128) >> (8 * W::BYTES) == 0;
    // A kernel with fewer lanes hashes the leaves in groups.
    let group_of = |lanes: usize| lanes.min(LEAVES);
    let suits =
        |lanes: usize| LEAVES.is_multiple_of(group_of(lanes)) && counters.iter().all(|&before| fits(before));
    if let Some(kernel) = kernels.batch.filter(|kernel| suits(kernel.function().lanes)) {
        let group = group_of(kernel.function().lanes);
        let kernel = kernel.to_call();
        let mask = |set: bool| if set { W::ONES } else { W::ZERO };
        let data = stripes.as_flattened().as_flattened();
        let run = Run { blocks: stripes.len(), stride: LEAVES * B };
        for first in (0..LEAVES).step_by(group) {
            let mut inputs = [Input { head: data, head_blocks: stripes.len(), tail: &[] }; MAX];
            let mut t = [W::ZERO; MAX];
            let mut flags: Flags<W> = [[W::ZERO; MAX]; 2];
            for lane in 0..group {
                let leaf = first + lane;
                inputs[lane].head = &data[leaf * B..];
                t[lane] = W::truncated(counters[leaf] as u64);
                flags[0][lane] = mask(last[leaf] != Last::No);
                flags[1][lane] = mask(last[leaf] == Last::BlockOfLastNode);
            }
            // SAFETY: a `Chosen` proves that the CPU has the kernel's features. Leaf `l` reads up to block `l` of the
            // last stripe, which is inside `data`. Other lanes read the same blocks as the first leaf.
            unsafe { (kernel.function)(leaves, &inputs, run, &t, &flags) }
            if group < LEAVES {
                // Moves the columns of the next group to the front. After the last group, all
                // columns are in their places again.
                leaves.iter_mut().for_each(|row| row[..LEAVES].rotate_left(group));
            }
        }
        return;
    }
    for leaf in 0..LEAVES {
        let mut h = core::array::from_fn(|word| leaves[word][leaf]);
        for (i, stripe) in stripes.iter().enumerate() {
            let counter = i128::from(counters[leaf]) + (i * B) as i128;
            let block = core::slice::from_ref(&stripe[leaf]);
            kernels.chain.compress(&mut h, block, counter as u128, last[leaf]);
        }
        leaves.iter_mut().zip(h).for_each(|(row, word)| row[leaf] = word);
    }
}

impl<W: Blake2Word, const B: usize, const LEAVES: usize> Core for Parallel<W, B, LEAVES> {
    fn update(&mut self, data: &[u8]) {
        let stripe = Self::STRIPE;
        let total = self.len + data.len();
        // More than one stripe and at most two stay in the buffer.
        let mut stripes = total.saturating_sub(stripe + 1) / stripe;
        let mut data = data;
        if self.len > 0 && stripes > 0 {
            let (head, rest) = data.split_at(2 * stripe - self.len);
            self.buffer.as_flattened_mut().as_flattened_mut()[self.len..].copy_from_slice(head);
            let now = stripes.min(2);
            // The buffer may contain a key, so its stripes are compressed without copying them.
            let Self { kernels, leaves, buffer, counter, .. } = self;
            whole_stripes(kernels, leaves, &buffer[..now], counter);
            buffer[0] = buffer[1];
            self.len = (2 - now) * stripe;
            (data, stripes) = (rest, stripes - now);
        }
        let (whole, rest) = data.split_at(stripes * stripe);
        let Self { kernels, leaves, counter, .. } = self;
        whole_stripes(kernels, leaves, whole.as_chunks::<B>().0.as_chunks::<LEAVES>().0, counter);
        let len = self.len + rest.len();
        self.buffer.as_flattened_mut().as_flattened_mut()[self.len..len].copy_from_slice(rest);
        self.len = len;
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        self.finish_leaves();
        let mut inner = [0; 64];
        for leaf in 0..LEAVES {
            for (bytes, row) in inner.chunks_exact_mut(W::BYTES).zip(&self.leaves) {
                row[leaf].write(bytes);
            }
            self.root.update(&inner[..Self::INNER]);
        }
        inner = [0; 64];
        zeroize::optimization_barrier(&inner);
        self.root.finalize_into(out);
    }

    fn kernel(&self) -> &'static str {
        self.kernels.name()
    }
}

/// Saves a tree without a key. The root absorbs nothing until the message ends.
impl<W: Blake2Word, const B: usize, const LEAVES: usize> Saved for Parallel<W, B, LEAVES> {
    fn message_len(&self) -> u64 {
        (self.counter * LEAVES as i64) as u64 + self.len as u64
    }

    fn save(&self, out: &mut Vec<u8>) {
        for leaf in 0..LEAVES {
            save_words(&self.leaves.map(|row| row[leaf]), out);
        }
        out.extend_from_slice(&self.buffer.as_flattened().as_flattened()[..self.len]);
    }

    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error> {
        let stripe = Self::STRIPE as u64;
        // More than one stripe is buffered if the message is longer than one stripe.
        let held = if length <= stripe { length } else { stripe + held_back(length - stripe, stripe) };
        for leaf in 0..LEAVES {
            let h = read_words(fields.take(Self::INNER)?);
            if length == held && h != self.leaves.map(|row| row[leaf]) {
                return Err(NOT_INITIAL);
            }
            self.leaves.iter_mut().zip(h).for_each(|(row, word)| row[leaf] = word);
        }
        let bytes = fields.take(held as usize)?;
        self.buffer.as_flattened_mut().as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
        (self.len, self.counter) = (bytes.len(), ((length - held) / LEAVES as u64) as i64);
        Ok(())
    }
}

impl<W: Blake2Word, const B: usize, const LEAVES: usize> Zeroize for Parallel<W, B, LEAVES> {
    fn zeroize(&mut self) {
        // In other types, arrays are overwritten byte by byte. Here, that would take half as long as hashing a short
        // message.
        self.leaves = [[W::ZERO; MAX]; 8];
        self.buffer = [[[0; B]; LEAVES]; 2];
        (self.len, self.counter) = (0, 0);
        self.root.zeroize();
        zeroize::optimization_barrier(self);
    }
}

impl<W: Blake2Word, const B: usize, const LEAVES: usize> HmacCore for Parallel<W, B, LEAVES> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::blake2::rows::BLAKE2SP;
    use crate::families::contract::StateFamily;
    use crate::internal::params::Params;
    use crate::internal::storage::Boxed;

    /// The counter of a BLAKE2sp leaf exceeds one word, and batch kernels have no second one.
    #[test]
    fn leaves_of_4_gib_are_counted_in_two_words() {
        let digest = |kernel| {
            let params = Params { kernel, ..Params::default() };
            let mut state: Parallel<u32, 64, 8> = (&BLAKE2SP).build::<Boxed>(&params, 32).unwrap();
            state.counter = (1 << 32) - 3 * 64;
            state.update(&[7; 8 * 64 * 9 + 5]);
            let mut out = [0; 32];
            state.finalize_into(&mut out);
            out
        };
        assert_eq!(digest(None), digest(Some("soft")));
    }
}
