//! The trait that every family of algorithms implements next to its cores. [`super`] uses it to
//! dispatch.
//!
//! Nothing here has a default, so the compiler requires every item from a new family. The tests in
//! `entry_points` check that all entry points use the batch kernels.

use crate::internal::batch::{Batch, BatchKernelTable, Messages, Pair};
use crate::internal::cores::{Core, Lockstep, Subtrees};
use crate::internal::error::Error;
use crate::internal::kernel::{KernelTable, Table};
use crate::internal::params::Params;
use crate::internal::saved::Saved;
use crate::internal::storage::{Boxed, Holding, Storage};
use crate::internal::wipe::Depth;
use alloc::boxed::Box;
use core::convert::Infallible;
use core::ops::{Deref, DerefMut};

/// A family of algorithms. A value identifies one of its rows in the registry.
pub(crate) trait StateFamily: Copy + 'static {
    /// A hash in progress. `P` determines where the state stores byte strings that have no fixed length.
    type State<P: Storage>: HashState;
    /// The state as [`State`](super::State) stores it: in place, or, if it is large, in the storage
    /// of `P`.
    type Held<P: Storage>: Clone + Holding<Self::State<P>> + Deref<Target = Self::State<P>> + DerefMut;

    /// True if batch kernels hash a single message.
    const IS_TREE: bool;
    /// True if one message can be hashed on several cores.
    const IS_PARALLEL: bool;
    /// True if batch kernels hash many messages in parallel. Otherwise the messages are hashed one at
    /// a time.
    const SIDE_BY_SIDE: bool;
    /// True if a block of the message or of a key remains on the stack after a state was moved or a
    /// kernel has run.
    const LEAVES_BLOCKS: bool;

    /// Returns the kernels for one message.
    fn kernels(self) -> &'static dyn KernelTable;

    /// Returns the table of batch kernels, if there is one.
    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable>;

    /// Returns the state before any input. The registry has checked the parameters against its
    /// limits.
    fn build<P: Storage>(self, p: &Params<'_>, output_len: usize) -> Result<Self::State<P>, Error>;

    /// Writes the digest of one message, without parameters. No state outlives the call.
    fn digest(self, data: &[u8], out: &mut [u8]);

    /// Hashes all messages with the kernel of this name, in parallel if the family supports it. The caller has checked
    /// the name. There is at least one message, and all of them continue `start`.
    fn digest_many(
        self,
        start: &Self::State<Boxed>,
        jobs: &Jobs<'_, '_>,
        kernel: Option<&str>,
        out: &mut [u8],
    );

    /// Returns the streams of all messages that continue `start`, if this CPU has a batch kernel
    /// and the family supports it.
    fn lockstep(
        self,
        start: &Self::State<Boxed>,
        kernel: Option<&str>,
        messages: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error>;

    /// Returns the tree for these parameters, if the algorithm is a tree whose pieces can be hashed independently. The
    /// registry has checked the parameters.
    fn subtrees(self, p: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error>;
}

/// The state of a family.
pub(crate) trait HashState: Core + Saved + Clone + 'static {
    /// The output stream, or [`NoStream`].
    type Stream;

    /// The depth of the stack in which [`HashState::tag`] may leave secrets. It depends on the
    /// implementation of `tag`: [`keyed::tag`](crate::internal::keyed::tag) moves whole states
    /// through several frames, so it needs at least [`Depth::Near`].
    const TAG_DEPTH: Depth;

    /// Returns the output stream of the message, for families that have one. If `away` is true, a
    /// stream that still contains a key is stored on the heap.
    fn stream(&self, away: bool) -> Option<Self::Stream>;

    /// Writes the leftmost bytes of a message's HMAC tag over this hash. `self` has no input yet, and `block_len` and
    /// `output_len` are the hash's block length and digest length in bytes. All data that depends on the key is
    /// overwritten. [`keyed::tag`](crate::internal::keyed::tag) implements this as HMAC is defined.
    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]);
}

/// The stream type of a family without streams.
pub(crate) type NoStream = Infallible;

/// Many digests to compute.
pub(crate) struct Jobs<'a, 'm> {
    pub(crate) messages: Messages<'a, 'm>,
    /// The length of each digest in bytes. The digests are written to `out` without gaps.
    pub(crate) output_len: usize,
    /// True if the state before the messages, or a prefix of a message, depends on a key.
    pub(crate) secret: bool,
}

impl Jobs<'_, '_> {
    /// Returns the kernels for these messages. `Family::check_kernel` has accepted the name.
    pub(crate) fn kernels<C: Copy, B: Copy>(
        &self,
        chain: &Table<C>,
        batch: &Table<Batch<B>>,
        name: Option<&str>,
    ) -> Pair<C, B> {
        // `expect` would link the error's `Debug` implementation into every WebAssembly module.
        Pair::choose(chain, batch, name, self.messages.load())
            .unwrap_or_else(|_| unreachable!("the name was checked"))
    }

    /// Hashes the messages one after the other. Families use it for trees, which fill the lanes with a single message,
    /// and for messages that lanes cannot hash.
    pub(crate) fn one_by_one(&self, start: &(impl Core + Clone), out: &mut [u8]) {
        for job in 0..self.messages.count {
            let mut state = start.clone();
            state.update(self.messages.prefix(job));
            state.update(self.messages.message(job));
            state.finalize_into(&mut out[job * self.output_len..][..self.output_len]);
            if self.secret {
                state.zeroize();
            }
        }
    }
}
