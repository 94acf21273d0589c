//! What calls leave on the stack below their caller.
//!
//! A state that is overwritten is not enough: a constructor returned it through frames of its own, and a kernel
//! that ran out of registers has put the block it worked on beside it. Those frames are gone, their bytes are
//! not. So whatever holds a key overwrites, when it goes, the stack below, where its methods have been. No
//! address is computed for that and nothing unsafe is needed: a function with an array that large lies where the
//! earlier calls lay.
//!
//! What this does not reach: frames above, where the caller has moved a value (hence secret states of [`Hasher`]
//! are on the heap: moving the owner copies a pointer), registers, and other threads' stacks.
//!
//! [`Hasher`]: crate::Hasher

use crate::internal::error::Error;

/// How far down secrets may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// There are none.
    Nowhere,
    /// Three kilobytes, for a call that works on two chaining values and one block in a single frame and then calls a
    /// kernel directly. The largest such frames (SHA-512 with debug assertions) take 1.7 KiB together.
    Shallow,
    /// Twelve kilobytes: calls of kernels that keep to registers, on states of a few hundred bytes. What they leave are
    /// copies of the state.
    Near,
    /// Sixteen kilobytes, which most calls stay within; the deepest found leaves a key 8 KiB below.
    Usual,
    /// All that any calls were found to need, 48 kilobytes. Plain HMACs, which have states of kilobytes in place, go
    /// deepest: over BLAKE3, three states of 3 KiB for every tag leave parts of the key 33 KiB below. Eight lanes of Keccak leave some 25 KiB below.
    Most,
}

impl Depth {
    /// Of most calls, if what they work on is secret.
    pub(crate) fn if_secret(secret: bool) -> Self {
        if secret { Self::Usual } else { Self::Nowhere }
    }
}

#[inline(never)]
fn overwrite<const BYTES: usize>() {
    let frame = [0u8; BYTES];
    zeroize::optimization_barrier(&frame);
}

/// Overwrites 48 KiB of the stack below the caller's frame, where calls that have returned may have left parts of
/// a key. States that hold one do so themselves when they are dropped, plain ones when they are
/// [wiped](crate::PlainHasher#impl-Zeroize-for-PlainHasher). It is here for those who overwrite the memory of plain
/// states by other means, or have moved a key through frames of their own.
#[inline]
pub fn wipe_stack() {
    below(Depth::Most);
}

/// As [`wipe_stack`], as far down as is said.
#[inline]
pub(crate) fn below(depth: Depth) {
    match depth {
        Depth::Nowhere => (),
        Depth::Shallow => overwrite::<{ 3 << 10 }>(),
        Depth::Near => overwrite::<{ 12 << 10 }>(),
        Depth::Usual => overwrite::<{ 16 << 10 }>(),
        Depth::Most => overwrite::<{ 48 << 10 }>(),
    }
}

/// Calls `work` in a frame of its own, and overwrites what it leaves there.
#[inline]
pub(crate) fn after<R>(depth: Depth, work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    if depth == Depth::Nowhere {
        return work();
    }
    let result = apart(work);
    below(depth);
    result
}

/// As [`after`], of what may fail. To move a result moves all that its errors have room for, and with it what had lain
/// there: so that only what was made leaves the frame that is overwritten.
#[inline]
pub(crate) fn try_after<T>(depth: Depth, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let (mut made, mut failed) = (None, None);
    after(depth, || match work() {
        Ok(value) => made = Some(value),
        Err(error) => failed = Some(error),
    });
    match (made, failed) {
        (Some(made), _) => Ok(made),
        (_, Some(error)) => Err(error),
        (None, None) => unreachable!("the work was done"),
    }
}
