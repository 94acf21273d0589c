//! Implements [`StateFamily`] for the algorithms with a Merkle–Damgård state.

use crate::families::contract::{HashState, Jobs, NoStream, StateFamily};
use crate::families::md::{Md, MdLanes, MdWord, Spec};
use crate::internal::batch::{self, BatchKernelTable};
use crate::internal::cores::{Core, Lockstep, Subtrees};
use crate::internal::error::Error;
use crate::internal::kernel::KernelTable;
use crate::internal::params::Params;
use crate::internal::storage::{InPlace, Storage};
use crate::internal::wipe::Depth;
use alloc::boxed::Box;

impl<W: MdWord, const N: usize, const B: usize> HashState for Md<W, N, B> {
    type Stream = NoStream;

    const TAG_DEPTH: Depth = Depth::Shallow;

    fn stream(&self, _: bool) -> Option<NoStream> {
        None
    }

    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]) {
        debug_assert_eq!(block_len, B);
        self.tag_of_one(output_len, key, message, tag);
    }
}

impl<W: MdWord, const N: usize, const B: usize> StateFamily for &'static Spec<W, N, B> {
    type State<P: Storage> = Md<W, N, B>;
    type Held<P: Storage> = InPlace<Md<W, N, B>>;

    const IS_TREE: bool = false;
    const IS_PARALLEL: bool = false;
    const SIDE_BY_SIDE: bool = W::SIDE_BY_SIDE;
    const LEAVES_BLOCKS: bool = false;

    fn kernels(self) -> &'static dyn KernelTable {
        self.kernels
    }

    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable> {
        Some(self.many)
    }

    #[inline(always)]
    fn build<P: Storage>(self, p: &Params<'_>, _: usize) -> Result<Md<W, N, B>, Error> {
        Md::with_kernel(self, p.kernel)
    }

    #[inline(always)]
    fn digest(self, data: &[u8], out: &mut [u8]) {
        Md::new(self).digest(data, out);
    }

    fn digest_many(self, start: &Md<W, N, B>, jobs: &Jobs<'_, '_>, kernel: Option<&str>, out: &mut [u8]) {
        let kernels = jobs.kernels(self.kernels, self.many, kernel);
        let mut lanes = MdLanes::new(kernels, start, jobs.secret);
        batch::run(&mut lanes, &jobs.messages, out, jobs.output_len);
    }

    /// Returns `None`, because a hash with a fixed output length has no output stream.
    fn lockstep(
        self,
        _: &Md<W, N, B>,
        _: Option<&str>,
        _: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error> {
        Ok(None)
    }

    fn subtrees(self, _: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error> {
        Ok(None)
    }
}
