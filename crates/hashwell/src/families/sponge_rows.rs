//! Implements [`StateFamily`] for the algorithms with a sponge state: those of Keccak and Ascon.

use crate::families::contract::{Jobs, StateFamily};
use crate::families::lockstep::grouped;
use crate::families::sponge::{Spec, Sponge, SpongeLanes};
use crate::internal::batch::{self, BatchKernelTable};
use crate::internal::cores::{Core, Lockstep, Subtrees};
use crate::internal::error::Error;
use crate::internal::kernel::KernelTable;
use crate::internal::params::Params;
use crate::internal::small;
use crate::internal::storage::{InPlace, Storage};
use alloc::boxed::Box;
use zeroize::Zeroize;

/// An algorithm whose state is a sponge.
#[derive(Clone, Copy)]
pub(crate) struct Row<const WORDS: usize> {
    spec: &'static Spec<WORDS>,
    /// Applies the parameters of the algorithm to the sponge before the message.
    begin: Option<Begin<WORDS>>,
}

/// Applies the parameters to a sponge without input.
pub(crate) type Begin<const WORDS: usize> = fn(&mut Sponge<WORDS>, &Params<'_>);

impl<const WORDS: usize> Row<WORDS> {
    /// Returns a row without parameters.
    pub(crate) const fn plain(spec: &'static Spec<WORDS>) -> Self {
        Self { spec, begin: None }
    }

    /// Returns a row with parameters.
    pub(crate) const fn with(spec: &'static Spec<WORDS>, begin: Begin<WORDS>) -> Self {
        Self { spec, begin: Some(begin) }
    }
}

impl<const WORDS: usize> StateFamily for Row<WORDS> {
    type State<P: Storage> = Sponge<WORDS>;
    type Held<P: Storage> = InPlace<Sponge<WORDS>>;

    const IS_TREE: bool = false;
    const IS_PARALLEL: bool = false;
    /// Ascon has five words, Keccak twenty-five.
    const SIDE_BY_SIDE: bool = !small::FEW_BATCH_KERNELS || WORDS > 5;
    const LEAVES_BLOCKS: bool = false;

    fn kernels(self) -> &'static dyn KernelTable {
        self.spec.kernels
    }

    /// Lanes can advance together only if all permutations have the same number of rounds. The last
    /// permutation of Ascon-XofA has more.
    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable> {
        self.spec.is_uniform().then_some(self.spec.many as _)
    }

    #[inline(always)]
    fn build<P: Storage>(self, p: &Params<'_>, _: usize) -> Result<Sponge<WORDS>, Error> {
        let mut sponge = Sponge::with_kernel(self.spec, p.kernel)?;
        if let Some(begin) = self.begin {
            begin(&mut sponge, p);
            sponge.begin_message();
        }
        Ok(sponge)
    }

    #[inline(always)]
    fn digest(self, data: &[u8], out: &mut [u8]) {
        let mut sponge = Sponge::new(self.spec);
        if let Some(begin) = self.begin {
            begin(&mut sponge, &Params::default());
        }
        // Equivalent to [`Core::digest`], which would move the sponge.
        sponge.update(data);
        sponge.finalize_into(out);
        sponge.zeroize();
    }

    fn digest_many(self, start: &Sponge<WORDS>, jobs: &Jobs<'_, '_>, kernel: Option<&str>, out: &mut [u8]) {
        if !start.suits_lanes() {
            return jobs.one_by_one(start, out);
        }
        let kernels = jobs.kernels(self.spec.kernels, self.spec.many, kernel);
        let mut lanes = SpongeLanes::new(kernels, start, jobs.secret);
        batch::run(&mut lanes, &jobs.messages, out, jobs.output_len);
    }

    fn lockstep(
        self,
        start: &Sponge<WORDS>,
        kernel: Option<&str>,
        messages: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error> {
        grouped(self.spec, start, kernel, messages)
    }

    fn subtrees(self, _: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error> {
        Ok(None)
    }
}
