//! The families of algorithms, and the dispatch from a registry row to the state of its family.
//!
//! Two lists name the families. The code below the lists names no family: each query of a row, a state or a stream is
//! one `match`, which `families!` or `streams!` generates from its list. The `match` calls the family's implementation
//! of [`contract`].

use crate::families::contract::{HashState, NoStream};
pub(crate) use crate::families::contract::{Jobs, StateFamily};
use crate::internal::batch::{self, BatchKernelTable};
use crate::internal::cores::{Core, CoreReader, Lockstep, Subtrees, digest_of_copy};
use crate::internal::error::{Error, surely};
use crate::internal::kernel::{KernelTable, Listing};
use crate::internal::params::Params;
use crate::internal::saved::{Fields, Saved};
use crate::internal::small;
use crate::internal::storage::{Boxed, Holding, Plain, Storage};
use crate::internal::wipe::{self, Depth};
use alloc::boxed::Box;
use alloc::vec::Vec;
use zeroize::Zeroize;

pub(crate) mod ascon;
pub(crate) mod blake2;
pub(crate) mod blake3;
mod contract;
pub(crate) mod keccak;
mod lockstep;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
#[path = "../../proofs/kernels/mod.rs"]
mod machine;
pub(crate) mod md;
mod md_rows;
#[cfg(test)]
#[path = "../../proofs/standard.rs"]
mod proof;
pub(crate) mod ripemd160;
pub(crate) mod sha1;
pub(crate) mod sha2;
pub(crate) mod sm3;
mod sponge;
mod sponge_rows;

macro_rules! families {
    // `$` itself, for the macros that this macro defines.
    ($d:tt $(#[doc = $doc:literal] $variant:ident($family:ty),)*) => {
        /// The family of a row, with the value that distinguishes the row from the others of the
        /// family.
        #[derive(Clone, Copy)]
        pub(crate) enum Family {
            $(#[doc = $doc] $variant($family),)*
        }

        /// The states of all families. Large states are boxed, so that the common ones are cheap to
        /// move, unless the whole state must be plain data.
        #[derive(Clone)]
        pub(crate) enum State<P: Storage = Boxed> {
            $(#[doc = $doc] $variant(<$family as StateFamily>::Held<P>),)*
        }

        $(
            impl<P: Storage> Holds<$family, P> for State<P> {
                #[inline]
                fn own(&self) -> &<$family as StateFamily>::State<P> {
                    match self {
                        State::$variant(own) => own,
                        _ => unreachable!("all states of a row are of its family"),
                    }
                }
            }

            impl From<<$family as StateFamily>::State<Plain>> for State<Plain> {
                fn from(own: <$family as StateFamily>::State<Plain>) -> Self {
                    State::$variant(own.into())
                }
            }
        )*

        /// Runs `$do` with the family's own part of a row, and with the constructor that wraps its
        /// state.
        macro_rules! of_family {
            ($d family:expr, $d own:pat, $d wrap:pat => $d do:expr) => {
                match $d family { $(Family::$variant(own) => {
                    let ($d own, $d wrap) = (own, State::$variant);
                    $d do
                })* }
            };
            ($d family:expr, $d own:pat => $d do:expr) => {
                match $d family { $(Family::$variant(own) => { let $d own = own; $d do })* }
            };
        }

        /// Runs `$do` with the state of any family.
        macro_rules! of_state {
            ($d state:expr, $d own:pat => $d do:expr) => {
                match $d state { $(State::$variant(own) => { let $d own = own; $d do })* }
            };
        }
    };
}

families! { $
    /// SHA-1.
    Sha1(&'static md::Spec<u32, 5, 64>),
    /// RIPEMD-160.
    Ripemd160(&'static md::Spec<md::Little, 5, 64>),
    /// Merkle–Damgård with a chaining value of eight 32-bit words.
    Md32(&'static md::Spec<u32, 8, 64>),
    /// Merkle–Damgård with a chaining value of eight 64-bit words.
    Md64(&'static md::Spec<u64, 8, 128>),
    /// SHA-3, SHAKE, cSHAKE and TurboSHAKE.
    Keccak(keccak::Row),
    /// KT128 and KT256.
    Kangaroo(&'static keccak::kangaroo::KangarooSpec),
    /// BLAKE2b.
    Blake2b(&'static blake2::Sequential<u64, 128>),
    /// BLAKE2s.
    Blake2s(&'static blake2::Sequential<u32, 64>),
    /// BLAKE2bp.
    Blake2bp(&'static blake2::Tree<u64, 128, 4>),
    /// BLAKE2sp.
    Blake2sp(&'static blake2::Tree<u32, 64, 8>),
    /// BLAKE3.
    Blake3(blake3::Row),
    /// Ascon.
    Ascon(ascon::Row),
}

macro_rules! streams {
    ($d:tt $($variant:ident($reader:ty),)*) => {
        /// The output streams of the families that have one.
        #[derive(Clone)]
        pub(crate) enum OutputStream {
            $($variant($reader),)*
        }

        $(
            impl From<$reader> for OutputStream {
                fn from(reader: $reader) -> Self {
                    OutputStream::$variant(reader)
                }
            }
        )*

        /// Runs `$do` with any stream.
        macro_rules! of_stream {
            ($d stream:expr, $d own:pat => $d do:expr) => {
                match $d stream { $(OutputStream::$variant(own) => { let $d own = own; $d do })* }
            };
        }
    };
}

streams! { $
    Keccak(keccak::Reader),
    Ascon(ascon::Reader),
    Blake3(<blake3::State as HashState>::Stream),
}

impl From<NoStream> for OutputStream {
    fn from(none: NoStream) -> Self {
        match none {}
    }
}

/// A state that belongs to the family `F` if the row does.
trait Holds<F: StateFamily, P: Storage> {
    fn own(&self) -> &F::State<P>;
}

/// Returns the family's own part of the state.
#[inline]
fn own<F: StateFamily, P: Storage>(_: F, state: &State<P>) -> &F::State<P>
where
    State<P>: Holds<F, P>,
{
    state.own()
}

impl Family {
    pub(crate) fn kernels(self) -> &'static dyn KernelTable {
        of_family!(self, family => family.kernels())
    }

    /// Returns the table of batch kernels, if there is one.
    pub(crate) fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable> {
        of_family!(self, family => family.batch_kernels())
    }

    /// Returns the depth of the stack that may contain secrets after HMAC. If no block of a message
    /// or a key remains on the stack after a state was moved or a kernel has run, the secrets are
    /// HMAC's midstates, which are equivalent to the key.
    pub(crate) fn depth(self) -> Depth {
        if of_family!(self, family => of(family).leaves_blocks) { Depth::Usual } else { Depth::Near }
    }

    /// Returns the depth of the stack that may contain secrets after an HMAC whose hash states are
    /// not on the heap, such as `RowHmac`.
    pub(crate) fn depth_in_place(self) -> Depth {
        if self.depth() == Depth::Usual { Depth::Most } else { Depth::Near }
    }

    /// Returns true if batch kernels hash a single message.
    pub(crate) fn is_tree(self) -> bool {
        of_family!(self, family => of(family).is_tree)
    }

    /// Returns true if one message can be hashed on several cores.
    pub(crate) fn is_parallel(self) -> bool {
        of_family!(self, family => of(family).is_parallel)
    }

    /// Returns the kernel's name if many messages, or the leaves of one tree, can use it.
    pub(crate) fn check_kernel(self, name: &str) -> Result<&'static str, Error> {
        match (self.kernels().lookup(name), self.batch_kernels()) {
            (Ok(name), _) => Ok(name),
            (Err(Error::UnknownKernel { .. }), Some(batch)) => batch.lookup(name),
            (Err(error), _) => Err(error),
        }
    }

    /// Returns the state before any input. The registry has checked the parameters against its
    /// limits.
    pub(crate) fn build<P: Storage>(self, p: &Params<'_>, output_len: usize) -> Result<State<P>, Error> {
        if small::ONE_BUILDER {
            return self.build_for(p, output_len, |state| state);
        }
        of_family!(self, family, state => built::<_, P>(family, p, output_len).map(state))
    }

    /// Passes the state before any input to `place`. Each family has its own call, so that only its own state is moved
    /// and not the kilobytes of the largest state.
    #[inline(always)]
    pub(crate) fn build_for<P: Storage, R>(
        self,
        p: &Params<'_>,
        output_len: usize,
        place: impl FnOnce(State<P>) -> R,
    ) -> Result<R, Error> {
        of_family!(self, family, state => Ok(place(state(Holding::holding(family.build::<P>(p, output_len)?)?))))
    }

    /// Writes the digest of one message without parameters. The result is the same as with a
    /// [`State`], but no state is made: making and moving one takes a fifth of the time of hashing
    /// 32 bytes.
    #[inline]
    pub(crate) fn digest(self, data: &[u8], out: &mut [u8]) {
        of_family!(self, family => family.digest(data, out));
    }

    /// Writes the tag of one message with HMAC over a hash with this block length and digest length in bytes. No part
    /// of the key is left on the stack. Each family has a separate frame, so that a short message does not pay for
    /// clearing the memory that another family would need.
    ///
    /// # Errors
    /// Returns [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel that is
    /// forced for the process cannot be used.
    pub(crate) fn tag(
        self,
        block_len: usize,
        output_len: usize,
        key: &[u8],
        message: &[u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        of_family!(self, family => wipe::try_after(of(family).tag_depth, || {
            family.build::<Plain>(&Params::default(), output_len)?.tag(block_len, output_len, key, message, tag);
            Ok(())
        }))
    }

    /// Returns the output stream of one message without parameters, for families that have one.
    /// Each family has its own call, as in [`Family::build_for`].
    pub(crate) fn stream(self, data: &[u8], output_len: usize) -> Option<OutputStream> {
        of_family!(self, family => {
            let mut state = family.build::<Boxed>(&Params::default(), output_len).ok()?;
            state.update(data);
            state.stream(false).map(OutputStream::from)
        })
    }

    /// Hashes all messages, in parallel if the family can, on the kernel of this name, which the
    /// caller has checked. All messages continue `start`.
    pub(crate) fn digest_many(
        self,
        start: &State,
        jobs: &Jobs<'_, '_>,
        kernel: Option<&str>,
        out: &mut [u8],
    ) {
        if batch::EXIST && jobs.messages.count > 0 && of_family!(self, family => of(family).side_by_side) {
            of_family!(self, family => digest_many_of(family, start, jobs, kernel, out));
        } else {
            jobs.one_by_one(start, out);
        }
    }

    /// Returns the streams of all messages that continue `start`, if this CPU has a batch kernel
    /// and the family supports it.
    pub(crate) fn lockstep(
        self,
        start: &State,
        kernel: Option<&str>,
        messages: &[&[u8]],
    ) -> Result<Option<Box<dyn Lockstep>>, Error> {
        if !batch::EXIST {
            return Ok(None);
        }
        of_family!(self, family => family.lockstep(own(family, start), kernel, messages))
    }

    /// Returns the tree for these parameters, which the registry has checked, if its pieces can be
    /// hashed independently.
    pub(crate) fn subtrees(self, p: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error> {
        of_family!(self, family => family.subtrees(p))
    }
}

/// Makes the state of a family in a separate stack frame. One frame with the states of all families would be so large
/// that a key could be left deeper in the stack than the callers overwrite.
#[inline(never)]
fn built<F: StateFamily, P: Storage>(
    family: F,
    p: &Params<'_>,
    output_len: usize,
) -> Result<F::Held<P>, Error> {
    Holding::holding(family.build::<P>(p, output_len)?)
}

/// Calls [`StateFamily::digest_many`]. It is not compiled for families without batch kernels.
#[inline(always)]
fn digest_many_of<F: StateFamily>(
    family: F,
    start: &State,
    jobs: &Jobs<'_, '_>,
    kernel: Option<&str>,
    out: &mut [u8],
) where
    State: Holds<F, Boxed>,
{
    if F::SIDE_BY_SIDE {
        family.digest_many(own(family, start), jobs, kernel, out);
    }
}

/// Properties that all rows of a family share.
struct Nature {
    side_by_side: bool,
    leaves_blocks: bool,
    tag_depth: Depth,
    is_tree: bool,
    is_parallel: bool,
}

fn of<F: StateFamily>(_: F) -> Nature {
    Nature {
        side_by_side: F::SIDE_BY_SIDE,
        leaves_blocks: F::LEAVES_BLOCKS,
        tag_depth: F::State::<Plain>::TAG_DEPTH,
        is_tree: F::IS_TREE,
        is_parallel: F::IS_PARALLEL,
    }
}

impl<P: Storage> State<P> {
    fn core(&self) -> &dyn Core {
        of_state!(self, own => &**own)
    }

    #[inline]
    fn core_mut(&mut self) -> &mut dyn Core {
        of_state!(self, own => &mut **own)
    }

    /// Returns the output stream of the message, for families that have one. If `away` is true, a
    /// stream that still contains a key is stored on the heap.
    pub(crate) fn stream(&self, away: bool) -> Option<OutputStream> {
        of_state!(self, own => own.stream(away).map(OutputStream::from))
    }
}

impl<P: Storage> Core for State<P> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.core_mut().update(data);
    }

    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.core_mut().update_parallel(data);
    }

    #[inline]
    fn finalize_into(&mut self, out: &mut [u8]) {
        self.core_mut().finalize_into(out);
    }

    fn digest_with(&self, last: &[u8], out: &mut [u8]) {
        if small::ONE_DIGEST {
            return digest_of_copy(self, last, out);
        }
        of_state!(self, own => own.digest_with(last, out));
    }

    fn kernel(&self) -> &'static str {
        self.core().kernel()
    }
}

impl<P: Storage> Saved for State<P> {
    fn message_len(&self) -> u64 {
        of_state!(self, own => own.message_len())
    }

    fn save(&self, out: &mut Vec<u8>) {
        of_state!(self, own => own.save(out));
    }

    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error> {
        of_state!(self, own => own.restore(length, fields))
    }
}

small::small_or_fast! {
    { impl<P: Storage> crate::internal::keyed::HmacCore for State<P> {} }
    {}
}

/// The state of the largest family in this storage.
pub(crate) trait Blank: Storage {
    fn blank() -> State<Self>;
}

/// Returns the parameters of a state that is never used. They name a kernel, so that no kernels are measured when a
/// state is erased.
fn for_nobody() -> Params<'static> {
    Params { kernel: Some("soft"), ..Params::default() }
}

/// The reason why making the state cannot fail.
const NOTHING_REFUSED: &str = "its kernel runs anywhere";

impl Blank for Boxed {
    fn blank() -> State<Self> {
        const { assert!(size_of::<State<Self>>() <= size_of::<blake2::Blake2b>() + 16) };
        surely(Family::Blake2b(&blake2::BLAKE2B).build(&for_nobody(), 0), NOTHING_REFUSED)
    }
}

impl Blank for Plain {
    fn blank() -> State<Self> {
        #[cfg(feature = "states")]
        {
            const { assert!(size_of::<State<Self>>() <= size_of::<blake3::State>() + 16) };
            // BLAKE3 has only one kernel, so no kernels are measured.
            surely(Family::Blake3(blake3::Row).build(&Params::default(), 0), NOTHING_REFUSED)
        }
        #[cfg(not(feature = "states"))]
        {
            const { assert!(size_of::<State<Self>>() <= size_of::<blake2::Parallel<u64, 128, 4>>() + 16) };
            surely(Family::Blake2bp(&blake2::BLAKE2BP).build(&for_nobody(), 0), NOTHING_REFUSED)
        }
    }
}

impl<P: Blank> State<P> {
    /// Overwrites the whole memory of a state that is not used again, including bytes that its
    /// family does not use. Moving an enum also copies those bytes, with old contents of the stack.
    pub(crate) fn erase(&mut self) {
        self.zeroize();
        *self = P::blank();
        zeroize::optimization_barrier(self);
    }
}

impl<P: Storage> Zeroize for State<P> {
    fn zeroize(&mut self) {
        self.core_mut().zeroize();
    }
}

impl OutputStream {
    /// Returns the number of bytes read so far.
    pub(crate) fn position(&self) -> u64 {
        of_stream!(self, own => own.position())
    }

    /// Returns true if the stream consists of independent blocks.
    pub(crate) fn is_seekable(&self) -> bool {
        fn is_seekable<R: CoreReader>(_: &R) -> bool {
            R::IS_SEEKABLE
        }
        of_stream!(self, own => is_seekable(own))
    }

    /// Moves to a byte position. Returns false if the stream cannot seek.
    pub(crate) fn seek(&mut self, position: u64) -> bool {
        of_stream!(self, own => own.seek(position))
    }

    pub(crate) fn read(&mut self, out: &mut [u8]) {
        of_stream!(self, own => own.read(out));
    }
}

impl Zeroize for OutputStream {
    fn zeroize(&mut self) {
        of_stream!(self, own => own.zeroize());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALGORITHMS;
    use alloc::vec;

    /// The output of a state after `zeroize` depends neither on its message nor on its key.
    #[test]
    fn zeroize_forgets_everything() {
        for algorithm in ALGORITHMS {
            let wiped = |secret: u8| {
                let key = [secret; 32];
                let keyed = algorithm.limits(crate::registry::Parameter::Key).is_some();
                let params = Params { key: keyed.then_some(&key), ..Params::default() };
                let mut state = algorithm.state(&params).unwrap();
                // Partial blocks, whole blocks, and leaves of trees.
                state.update(&vec![secret; 20_011]);
                let stream = state.stream(false).map(|mut stream| {
                    stream.zeroize();
                    let mut out = [0; 500];
                    stream.read(&mut out);
                    out
                });
                state.zeroize();
                let mut digest = vec![0; algorithm.output];
                state.finalize_into(&mut digest);
                (digest, stream)
            };
            assert_eq!(wiped(1), wiped(2), "{}", algorithm.name);
        }
    }
}
