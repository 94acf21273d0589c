//! Overwrites the data that calls leave on the stack.
//!
//! Overwriting a state when it is dropped is not enough. The constructor has returned the state
//! through its own stack frame, and a kernel that ran out of registers has stored its message block
//! on the stack. These frames have ended, but their bytes are still there. So every value that
//! contains a key also overwrites the stack below the current frame when it is dropped.
//!
//! This needs no address and no unsafe code: a function with a large array uses the same stack
//! memory as the earlier calls.
//!
//! The following is not overwritten: frames above, into which the caller has moved a value;
//! registers; and the stacks of other threads. Secret states of [`Hasher`] are on the heap so that
//! moving their owner copies only a pointer.
//!
//! [`Hasher`]: crate::Hasher

use crate::internal::error::Error;

/// The depth of the stack that may contain secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// No secrets.
    Nowhere,
    /// 3 KiB, for a call that works on two chaining values and one block in a single frame and then
    /// calls a kernel directly. The largest such frames (SHA-512 with debug assertions) take 1.7
    /// KiB together.
    Shallow,
    /// 12 KiB, for calls of kernels that use only registers, on states of a few hundred bytes. They
    /// leave copies of the state.
    Near,
    /// 16 KiB, which is enough for most calls. The deepest key that was found is 8 KiB below the frame of the call.
    Usual,
    /// 48 KiB, the maximum that any call was found to need. Plain HMACs, whose states of several kilobytes are on the
    /// stack, go deepest: over BLAKE3, the three states of 3 KiB for every tag leave parts of the key at a depth of 33
    /// KiB. Eight lanes of Keccak leave data at a depth of about 25 KiB. Batches of BLAKE3 messages leave the key at a
    /// depth of more than 16 KiB.
    Most,
}

impl Depth {
    /// Returns the depth of most calls if their data is secret, and [`Depth::Nowhere`] otherwise.
    pub(crate) fn if_secret(secret: bool) -> Self {
        if secret { Self::Usual } else { Self::Nowhere }
    }
}

#[inline(never)]
fn overwrite<const BYTES: usize>() {
    let frame = [0u8; BYTES];
    zeroize::optimization_barrier(&frame);
}

/// Overwrites 48 KiB of the stack below the caller's frame, where earlier calls may have left parts
/// of a key.
///
/// You rarely need this function. Types with a key overwrite the stack when they are dropped. Plain types overwrite the
/// stack when you call [`zeroize`](crate::PlainHasher#impl-Zeroize-for-PlainHasher). Call this function if you
/// overwrite the memory of a plain type in a different way, or if you have moved a key through the frames of your own
/// functions.
#[inline]
pub fn wipe_stack() {
    below(Depth::Most);
}

/// Overwrites the stack like [`wipe_stack`], to this depth.
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

/// Calls `work` in a separate stack frame.
#[inline(never)]
fn apart<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Overwrites the stack, and then calls `work` in a separate stack frame. Use it if `work` returns an enum: moving an
/// enum also moves its unused bytes, which contain data that earlier calls left on the stack.
#[inline]
pub(crate) fn before<R>(depth: Depth, work: impl FnOnce() -> R) -> R {
    if depth == Depth::Nowhere {
        return work();
    }
    below(depth);
    apart(work)
}

/// Calls `work` in its own frame, and overwrites the data that it leaves on the stack.
#[inline]
pub(crate) fn after<R>(depth: Depth, work: impl FnOnce() -> R) -> R {
    if depth == Depth::Nowhere {
        return work();
    }
    let result = apart(work);
    below(depth);
    result
}

/// Calls a fallible `work` like [`after`].
///
/// Moving a `Result` copies enough bytes for the largest error, including old contents of the
/// stack. So the value and the error leave the overwritten frame separately.
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
