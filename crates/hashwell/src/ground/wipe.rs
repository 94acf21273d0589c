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

/// Bytes that most calls stay within; the deepest found leaves a key 8 KiB below.
const USUAL: usize = 16 << 10;

/// Bytes that all calls stay within. Plain HMACs, which have states of kilobytes in place, go deepest: over BLAKE3,
/// three states of 2 KiB for every tag leave parts of the key 33 KiB below.
const MOST: usize = 48 << 10;

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
    overwrite::<MOST>();
}

/// As [`wipe_stack`], for calls of usual depth.
#[inline]
pub(crate) fn below() {
    overwrite::<USUAL>();
}

/// Calls `work` in a frame of its own, and overwrites what it leaves there if that is secret.
#[inline]
pub(crate) fn after<R>(secret: bool, work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    if !secret {
        return work();
    }
    let result = apart(work);
    below();
    result
}
