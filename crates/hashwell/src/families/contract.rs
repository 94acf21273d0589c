//! What a state family says of itself: all that the dispatch in [`super`] asks, implemented beside the family's cores.
//!
//! Nothing here has a default. Whoever adds a family is asked for every answer by the compiler, and none falls back in
//! silence; `reach` tests that batch kernels are reached by every way that leads to them.

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

/// A state family: a value tells one of its rows from another.
pub(crate) trait StateFamily: Copy + 'static {
    /// A hash in progress. `P` says where it keeps bytes without a fixed length.
    type State<P: Storage>: HashState;
    /// The state as [`State`](super::State) holds it: where it stands, or, if it is large, where `P` keeps such.
    type Held<P: Storage>: Clone + Holding<Self::State<P>> + Deref<Target = Self::State<P>> + DerefMut;

    /// Whether one message is hashed by batch kernels.
    const IS_TREE: bool;
    /// Whether one message can be hashed on several cores.
    const IS_PARALLEL: bool;
    /// Whether many messages go side by side. Where not, they may go one by one as states of any family do.
    const SIDE_BY_SIDE: bool;
    /// Whether a block of the message, or of a key, stays on the stack when a state was moved or a kernel has run.
    const LEAVES_BLOCKS: bool;

    /// The kernels for one message.
    fn kernels(self) -> &'static dyn KernelTable;

    /// The table of kernels for many messages at once, where there is one.
    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable>;

    /// The empty state. The row has checked the parameters against its limits.
    fn build<P: Storage>(self, p: &Params<'_>, output_len: usize) -> Result<Self::State<P>, Error>;

    /// The digest of one message, without parameters and without a state that somebody could hold.
    fn digest(self, data: &[u8], out: &mut [u8]);

    /// Hashes all of them side by side where the family can, on the kernel of this name, which the caller has checked.
    /// There is at least one; all go on from `start`.
    fn digest_many(
        self,
        start: &Self::State<Boxed>,
        jobs: &Jobs<'_, '_>,
        kernel: Option<&str>,
        out: &mut [u8],
    );

    /// The streams of all messages that go on from `start`, if this CPU has a batch kernel and the family suits it.
    fn lockstep(
        self,
        start: &Self::State<Boxed>,
        kernel: Option<&str>,
        messages: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error>;

    /// The tree of these parameters, which the row has checked, if its pieces can be hashed apart.
    fn subtrees(self, p: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error>;
}

/// A family's state.
pub(crate) trait HashState: Core + Saved + Clone + 'static {
    /// The output stream, or [`NoStream`].
    type Stream;

    /// The depth of the stack that [`HashState::tag`] may leave secrets in. It belongs to the implementation of `tag`:
    /// [`keyed::tag`](crate::internal::keyed::tag) moves whole states through several frames, so it needs at least
    /// [`Depth::Near`].
    const TAG_DEPTH: Depth;

    /// The stream that the message gives, for the families that have one. What still has a key goes to the heap if
    /// `away`.
    fn stream(&self, away: bool) -> Option<Self::Stream>;

    /// Writes the leftmost bytes of a message's tag by HMAC over this hash, which is before its message and has such a
    /// block and digest, in bytes. What depends on the key is overwritten: [`keyed::tag`](crate::internal::keyed::tag)
    /// does it by definition.
    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]);
}

/// The stream of a family that has none.
pub(crate) type NoStream = Infallible;

/// Many digests to make.
pub(crate) struct Jobs<'a, 'm> {
    pub(crate) messages: Messages<'a, 'm>,
    /// Bytes of each digest; they go to `out` one after the other.
    pub(crate) output_len: usize,
    /// Whether the state before the messages or their prefixes depend on a key.
    pub(crate) secret: bool,
}

impl Jobs<'_, '_> {
    /// The kernels for these messages. `Family::check_kernel` has accepted the name.
    pub(crate) fn kernels<C: Copy, B: Copy>(
        &self,
        chain: &Table<C>,
        batch: &Table<Batch<B>>,
        name: Option<&str>,
    ) -> Pair<C, B> {
        // Not `expect`, which would bring the error's `Debug` into every module of WebAssembly.
        Pair::choose(chain, batch, name, self.messages.load())
            .unwrap_or_else(|_| unreachable!("the name was checked"))
    }

    /// Hashes one message after the other: trees, which fill the lanes by themselves, and what does not fit the lanes.
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
