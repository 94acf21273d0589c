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

/// Bytes overwritten. The deepest calls leave a key 33 KiB below (a plain HMAC over BLAKE3, which makes three
/// states of 2 KiB for every tag), the others 8 KiB.
const DEPTH: usize = 48 << 10;

/// Overwrites 48 KiB of the stack below the caller's frame, where calls that have returned may have left parts of
/// a key. States that hold one do this by themselves when they are dropped or
/// [wiped](crate::PlainHasher#impl-Zeroize-for-PlainHasher); it is here for those who keep plain states in memory
/// of their own and overwrite them by other means.
#[inline(never)]
pub fn wipe_stack() {
    let frame = [0u8; DEPTH];
    zeroize::optimization_barrier(&frame);
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
    wipe_stack();
    result
}
