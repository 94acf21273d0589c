//! BLAKE2bp: four BLAKE2b leaves, dealt the message block by block, under one root (BLAKE2 paper
//! section 2.10 and the reference implementation's parameters).

use super::{Blake2b, Last, Node, Parameters};
use crate::error::Error;
use crate::family::Core;
use zeroize::Zeroize;

const LEAVES: usize = 4;
const BLOCK: usize = 128;
const INNER: usize = 64;

/// BLAKE2bp in progress.
#[derive(Clone)]
pub(crate) struct Blake2bp {
    leaves: [Blake2b; LEAVES],
    root: Blake2b,
    /// Position in the stripe of four blocks.
    pos: usize,
}

impl Blake2bp {
    /// Salt and personalisation are not defined for BLAKE2bp and must be empty.
    pub(crate) fn new(kernel: Option<&str>, parameters: &Parameters<'_>) -> Result<Self, Error> {
        let kernel = super::KERNELS_B.choose(kernel)?;
        let node = |offset, depth, last| {
            let place = Node { fanout: LEAVES as u8, max_depth: 2, offset, depth, inner_length: INNER as u8 };
            Blake2b::node(kernel, parameters, place, last)
        };
        let mut leaves = core::array::from_fn(|i| {
            node(i as u64, 0, if i == LEAVES - 1 { Last::BlockOfLastNode } else { Last::Block })
        });
        // Every leaf starts with the key; the root takes none but names its length.
        for leaf in &mut leaves {
            leaf.absorb_key(parameters.key);
        }
        Ok(Self { leaves, root: node(0, 1, Last::BlockOfLastNode), pos: 0 })
    }
}

impl Core for Blake2bp {
    fn update(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            let (head, rest) = data.split_at(data.len().min(BLOCK - self.pos % BLOCK));
            self.leaves[self.pos / BLOCK].update(head);
            self.pos = (self.pos + head.len()) % (LEAVES * BLOCK);
            data = rest;
        }
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        for leaf in &mut self.leaves {
            let mut inner = [0; INNER];
            leaf.finalize_into(&mut inner);
            self.root.update(&inner);
            inner.zeroize();
        }
        self.root.finalize_into(out);
    }

    fn kernel(&self) -> &'static str {
        self.root.kernel()
    }
}

impl Zeroize for Blake2bp {
    fn zeroize(&mut self) {
        self.leaves.iter_mut().for_each(Zeroize::zeroize);
        self.root.zeroize();
        self.pos = 0;
    }
}
