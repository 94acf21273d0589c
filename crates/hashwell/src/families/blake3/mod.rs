//! BLAKE3. It uses the official crate, which has its own kernels and chooses among them itself.

mod pieces;
#[cfg(feature = "states")]
mod state;
#[cfg(feature = "states")]
pub(crate) mod subtrees;
#[cfg(not(feature = "states"))]
mod whole;

use crate::families::contract::{HashState, Jobs, StateFamily};
use crate::internal::batch::BatchKernelTable;
use crate::internal::cores::{CoreReader, Lockstep, Subtrees, digest_of_copy};
use crate::internal::error::Error;
use crate::internal::kernel::{Kernel, KernelTable, Table, always};
use crate::internal::keyed;
use crate::internal::keyed::HmacCore;
use crate::internal::params::Params;
use crate::internal::small;
use crate::internal::storage::{Kept, Storage};
use crate::internal::wipe::Depth;
use alloc::boxed::Box;
use pieces::Tree;
use zeroize::Zeroize;

pub(crate) use ::blake3::OutputReader as Reader;
#[cfg(feature = "states")]
pub(crate) use state::State;
#[cfg(not(feature = "states"))]
pub(crate) use whole::State;

/// A table with one row, so that the registry can name the implementation. The crate's choice of a
/// kernel cannot be changed from outside.
pub(crate) static KERNELS: Table<()> =
    Table::written(&[Kernel { name: "blake3-crate", available: always, function: () }]);

/// Makes a state for plain hashing, keyed hashing (`key`, 32 bytes, checked by the registry) or key
/// derivation (`context`).
fn new(key: Option<&[u8]>, context: Option<&str>, kernel: Option<&str>) -> Result<State, Error> {
    // The choice has no effect, but unknown names are rejected as for other families.
    KERNELS.choose(kernel)?;
    match (key, context) {
        (None, None) => Ok(State::plain()),
        (Some(key), None) => Ok(State::keyed(key.first_chunk().expect("a key of 32 bytes"))),
        (None, Some(context)) => Ok(State::derive_key(context)),
        (Some(_), Some(_)) => {
            Err(Error::Unsupported { algorithm: "blake3", what: "a key together with a context" })
        }
    }
}

/// Writes the digest of the message so far followed by `last`. The state is copied only if `last`
/// is not empty.
fn digest_with(state: &State, last: &[u8], out: &mut [u8]) {
    if last.is_empty() {
        let mut reader = state.output();
        reader.fill(out);
        reader.zeroize();
    } else {
        digest_of_copy(state, last, out);
    }
}

impl HmacCore for State {}

impl HashState for State {
    type Stream = Kept<Reader>;

    const TAG_DEPTH: Depth = Depth::Most;

    /// The reader still contains the key.
    fn stream(&self, away: bool) -> Option<Kept<Reader>> {
        Some(if away { Kept::away(|| self.output()) } else { Kept::Here(self.output()) })
    }

    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]) {
        keyed::tag(block_len, output_len, self, key, message, tag);
    }
}

impl CoreReader for Kept<Reader> {
    const IS_SEEKABLE: bool = true;

    fn position(&self) -> u64 {
        Reader::position(self)
    }

    fn seek(&mut self, position: u64) -> bool {
        self.set_position(position);
        true
    }

    fn read(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}

/// The only row of BLAKE3.
#[derive(Clone, Copy)]
pub(crate) struct Row;

impl StateFamily for Row {
    type State<P: Storage> = State;
    type Held<P: Storage> = P::Large<State>;

    /// The crate fills the lanes of its kernels itself, without the batch scheduler.
    const IS_TREE: bool = false;
    const IS_PARALLEL: bool = true;
    const SIDE_BY_SIDE: bool = !small::FEW_BATCH_KERNELS;
    /// The crate's functions spill message words to the stack.
    const LEAVES_BLOCKS: bool = true;

    fn kernels(self) -> &'static dyn KernelTable {
        &KERNELS
    }

    /// The crate has no function for many messages.
    fn batch_kernels(self) -> Option<&'static dyn BatchKernelTable> {
        None
    }

    fn build<P: Storage>(self, p: &Params<'_>, _: usize) -> Result<State, Error> {
        new(p.key, p.context, p.kernel)
    }

    /// The crate's own function makes no hasher, which would cost as much as hashing a short
    /// message.
    fn digest(self, data: &[u8], out: &mut [u8]) {
        if out.len() == ::blake3::OUT_LEN {
            out.copy_from_slice(::blake3::hash(data).as_bytes());
        } else {
            let mut reader = ::blake3::Hasher::new().update(data).finalize_xof();
            reader.fill(out);
            reader.zeroize();
        }
    }

    fn digest_many(self, start: &State, jobs: &Jobs<'_, '_>, _: Option<&str>, out: &mut [u8]) {
        jobs.one_by_one(start, out);
    }

    /// The crate has no function for this.
    fn lockstep(self, _: &State, _: Option<&str>, _: &[&[u8]]) -> Result<Option<Box<dyn Lockstep>>, Error> {
        Ok(None)
    }

    fn subtrees(self, p: &Params<'_>) -> Result<Option<Box<dyn Subtrees>>, Error> {
        let plain = p.key.is_none() && p.context.is_none();
        // The type has size zero, so the box allocates nothing.
        Ok(plain.then(|| Box::new(Tree) as Box<dyn Subtrees>))
    }
}
