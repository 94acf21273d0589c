//! KangarooTwelve: KT128 and KT256 (RFC 9861 section 3).

use super::encode::absorb_length_encode;
use super::{Reader, Spec, State, TURBOSHAKE128, TURBOSHAKE256};
use crate::error::Error;
use crate::family::Core;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// Bytes of a chunk of S = M ‖ C ‖ length_encode(|C|).
const CHUNK: usize = 8192;

/// Domain bytes of the nodes (section 3.2).
const SINGLE_NODE: u8 = 0x07;
const LEAF: u8 = 0x0b;
const FINAL_NODE: u8 = 0x06;

/// KT128 or KT256.
#[derive(Clone, Copy)]
pub(crate) struct KangarooSpec {
    turboshake: &'static Spec,
    /// Bytes of a chaining value: twice the security strength.
    chaining_value: usize,
}

pub(crate) static KT128: KangarooSpec = KangarooSpec { turboshake: &TURBOSHAKE128, chaining_value: 32 };
pub(crate) static KT256: KangarooSpec = KangarooSpec { turboshake: &TURBOSHAKE256, chaining_value: 64 };

/// KangarooTwelve in progress. The first chunk goes into the final node itself; every further chunk is a
/// leaf whose chaining value follows it there.
#[derive(Clone)]
pub(crate) struct Kangaroo {
    chaining_value: usize,
    final_node: State,
    leaf: State,
    /// Bytes in the current chunk, `0..=CHUNK`.
    in_chunk: usize,
    /// Leaves begun. Zero while the input fits the first chunk.
    leaves: u64,
    customization: Vec<u8>,
}

impl Kangaroo {
    pub(crate) fn new(
        spec: &'static KangarooSpec,
        customization: &[u8],
        kernel: Option<&str>,
    ) -> Result<Self, Error> {
        let final_node = State::with_kernel(spec.turboshake, kernel)?;
        let mut leaf = final_node.clone();
        leaf.set_suffix(LEAF);
        Ok(Self {
            chaining_value: spec.chaining_value,
            final_node,
            leaf,
            in_chunk: 0,
            leaves: 0,
            customization: customization.into(),
        })
    }

    fn begin_leaf(&mut self) {
        if self.leaves == 0 {
            self.final_node.absorb(&[3, 0, 0, 0, 0, 0, 0, 0]);
        } else {
            self.end_leaf();
        }
        self.leaves += 1;
        self.in_chunk = 0;
    }

    fn end_leaf(&mut self) {
        let mut next = self.leaf.fresh();
        next.set_suffix(LEAF);
        let leaf = core::mem::replace(&mut self.leaf, next);
        let mut chaining_value = [0; 64];
        let chaining_value = &mut chaining_value[..self.chaining_value];
        leaf.into_reader().read(chaining_value);
        self.final_node.absorb(chaining_value);
    }

    pub(crate) fn into_reader(mut self) -> Reader {
        let customization = core::mem::take(&mut self.customization);
        self.update(&customization);
        absorb_length_encode(&mut |bytes| self.update(bytes), customization.len() as u64);
        if self.leaves == 0 {
            self.final_node.set_suffix(SINGLE_NODE);
        } else {
            self.end_leaf();
            absorb_length_encode(&mut |bytes| self.final_node.absorb(bytes), self.leaves);
            self.final_node.absorb(&[0xff, 0xff]);
            self.final_node.set_suffix(FINAL_NODE);
        }
        self.final_node.into_reader()
    }
}

impl Core for Kangaroo {
    fn update(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            if self.in_chunk == CHUNK {
                self.begin_leaf();
            }
            let (head, rest) = data.split_at(data.len().min(CHUNK - self.in_chunk));
            let node = if self.leaves == 0 { &mut self.final_node } else { &mut self.leaf };
            node.absorb(head);
            self.in_chunk += head.len();
            data = rest;
        }
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        self.clone().into_reader().read(out);
    }

    fn kernel(&self) -> &'static str {
        self.final_node.kernel()
    }
}

impl Zeroize for Kangaroo {
    fn zeroize(&mut self) {
        self.final_node.zeroize();
        self.leaf.zeroize();
        self.customization.zeroize();
    }
}
