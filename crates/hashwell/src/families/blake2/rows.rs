//! Implements [`StateFamily`] for the algorithms with a BLAKE2 state, sequential or a tree of two
//! levels.

use super::{
    BatchTable, Blake2, Blake2Lanes, Blake2Word, Compress, KernelPair, Last, Parallel, Parameters, kernels,
};
use crate::families::contract::{HashState, Jobs, NoStream, StateFamily};
use crate::internal::batch::{self, BatchKernelTable, Load, Pair};
use crate::internal::buffer::copy_short;
use crate::internal::cores::{Core, Lockstep, Subtrees};
use crate::internal::error::{Error, surely};
use crate::internal::kernel::{KernelTable, Table};
use crate::internal::keyed;
use crate::internal::params::Params;
use crate::internal::small;
use crate::internal::storage::{Boxed, InPlace, Plain, Storage};
use crate::internal::wipe::Depth;
use alloc::boxed::Box;

/// BLAKE2b or BLAKE2s.
pub(crate) struct Sequential<W: 'static, const B: usize> {
    kernels: &'static Table<Compress<W, B>>,
    many: &'static BatchTable<W>,
}

pub(crate) static BLAKE2B: Sequential<u64, 128> =
    Sequential { kernels: &kernels::BLAKE2B, many: &kernels::BLAKE2B_MANY };
pub(crate) static BLAKE2S: Sequential<u32, 64> =
    Sequential { kernels: &kernels::BLAKE2S, many: &kernels::BLAKE2S_MANY };

/// A tree of two levels: `LEAVES` leaves under a root. All nodes use the hash in the field.
pub(crate) struct Tree<W: 'static, const B: usize, const LEAVES: usize>(&'static Sequential<W, B>);

pub(crate) static BLAKE2BP: Tree<u64, 128, 4> = Tree(&BLAKE2B);
pub(crate) static BLAKE2SP: Tree<u32, 64, 8> = Tree(&BLAKE2S);

impl<'a> Parameters<'a> {
    fn of(p: &Params<'a>, output_len: usize) -> Self {
        Parameters {
            output_len,
            key: p.key.unwrap_or_default(),
            salt: p.salt,
            personal: p.personal,
            node: p.node,
        }
    }
}

impl<W: Blake2Word, const B: usize> HashState for Blake2<W, B> {
    type Stream = NoStream;

    const TAG_DEPTH: Depth = Depth::Most;

    fn stream(&self, _: bool) -> Option<NoStream> {
        None
    }

    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]) {
        keyed::tag(block_len, output_len, self, key, message, tag);
    }
}

impl<W: Blake2Word, const B: usize> StateFamily for &'static Sequential<W, B> {
    type State<P: Storage> = Blake2<W, B>;
    type Held<P: Storage> = InPlace<Blake2<W, B>>;

    const IS_TREE: bool = false;
    const IS_PARALLEL: bool = false;
    const SIDE_BY_SIDE: bool = W::SIDE_BY_SIDE;
    /// The last block is buffered, and the kernels spill message words to the stack.
    const LEAVES_BLOCKS: bool = true;

    fn kernels(self) -> &'static dyn KernelTable {
        self.kernels
    }

    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable> {
        Some(self.many)
    }

    #[inline(always)]
    fn build<P: Storage>(self, p: &Params<'_>, output_len: usize) -> Result<Blake2<W, B>, Error> {
        Blake2::new(self.kernels, p.kernel, &Parameters::of(p, output_len))
    }

    /// Uses one place for chaining value and block instead of a parameter block and a state. Making and moving a
    /// parameter block and a state took a quarter of the time of a short message in WebAssembly. On Zen 4, it took a
    /// tenth of the time for BLAKE2b and a twentieth for BLAKE2s.
    fn digest(self, data: &[u8], out: &mut [u8]) {
        assert!(out.len().is_multiple_of(W::BYTES), "rows have digests of whole words");
        let kernel = self.kernels.best();
        let mut work = (W::INITIAL, [0; B]);
        let (h, block) = (&mut work.0, &mut work.1);
        // The parameter block of plain hashing is its first word: fan-out and depth 1, no key, and
        // the digest length.
        h[0] ^= W::truncated(0x0101_0000 | out.len() as u64);
        // The last block is kept back, even if it is complete.
        let (blocks, last) = data.split_at(data.len().saturating_sub(1) / B * B);
        if !blocks.is_empty() {
            kernel.compress(h, blocks.as_chunks().0, 0, Last::No);
        }
        copy_short(last, block);
        let before = (data.len() as u128).wrapping_sub(B as u128);
        kernel.compress(h, core::slice::from_ref(block), before, Last::Block);
        let mut words = out.chunks_exact_mut(W::BYTES);
        words.by_ref().zip(*h).for_each(|(bytes, word)| word.write(bytes));
        work = ([W::ZERO; 8], [0; B]);
        zeroize::optimization_barrier(&work);
    }

    fn digest_many(self, start: &Blake2<W, B>, jobs: &Jobs<'_, '_>, kernel: Option<&str>, out: &mut [u8]) {
        let kernels = jobs.kernels(self.kernels, self.many, kernel);
        let mut lanes = Blake2Lanes::new(kernels, start, jobs.secret);
        batch::run(&mut lanes, &jobs.messages, out, jobs.output_len);
    }

    /// Returns `None`, because a hash with a fixed output length has no output stream.
    fn lockstep(
        self,
        _: &Blake2<W, B>,
        _: Option<&str>,
        _: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error> {
        Ok(None)
    }

    fn subtrees(self, _: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error> {
        Ok(None)
    }
}

impl<W: Blake2Word, const B: usize, const LEAVES: usize> HashState for Parallel<W, B, LEAVES> {
    type Stream = NoStream;

    const TAG_DEPTH: Depth = Depth::Most;

    fn stream(&self, _: bool) -> Option<NoStream> {
        None
    }

    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]) {
        keyed::tag(block_len, output_len, self, key, message, tag);
    }
}

impl<W: Blake2Word, const B: usize, const LEAVES: usize> Tree<W, B, LEAVES> {
    /// Returns the kernels of the leaves.
    fn pair(&self, name: Option<&str>) -> Result<KernelPair<W, B>, Error> {
        Pair::choose(self.0.kernels, self.0.many, name, Load::long(LEAVES))
    }
}

impl<W: Blake2Word, const B: usize, const LEAVES: usize> StateFamily for &'static Tree<W, B, LEAVES> {
    type State<P: Storage> = Parallel<W, B, LEAVES>;
    type Held<P: Storage> = P::Large<Parallel<W, B, LEAVES>>;

    const IS_TREE: bool = true;
    /// The leaves fill one vector register. If several cores shared the leaves, each core would fill only a part of a
    /// register.
    const IS_PARALLEL: bool = false;
    const SIDE_BY_SIDE: bool = !small::FEW_BATCH_KERNELS;
    /// The same as for sequential hashes.
    const LEAVES_BLOCKS: bool = true;

    fn kernels(self) -> &'static dyn KernelTable {
        self.0.kernels
    }

    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable> {
        Some(self.0.many)
    }

    fn build<P: Storage>(self, p: &Params<'_>, output_len: usize) -> Result<Parallel<W, B, LEAVES>, Error> {
        Ok(Parallel::on(self.pair(p.kernel)?, &Parameters::of(p, output_len)))
    }

    fn digest(self, data: &[u8], out: &mut [u8]) {
        let state = self.build::<Plain>(&Params::default(), out.len());
        surely(state, "plain hashing refuses nothing").digest(data, out);
    }

    /// The messages are hashed one at a time, because the leaves of a single message fill the lanes of the state's
    /// kernel.
    fn digest_many(
        self,
        start: &<Self as StateFamily>::State<Boxed>,
        jobs: &Jobs<'_, '_>,
        _: Option<&str>,
        out: &mut [u8],
    ) {
        jobs.one_by_one(start, out);
    }

    /// Returns `None`, because a hash with a fixed output length has no output stream.
    fn lockstep(
        self,
        _: &Parallel<W, B, LEAVES>,
        _: Option<&str>,
        _: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error> {
        Ok(None)
    }

    fn subtrees(self, _: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error> {
        Ok(None)
    }
}
