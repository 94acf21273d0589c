//! A module for one algorithm. It has one state, which is plain data in its memory; JavaScript saves it and restores it
//! (`web/package/src/one.ts`). No function fails: lengths are limited to the size of the buffer and to the range of the
//! algorithm.

use crate::buffer::{ROOM, Single, buffer};
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

#[cfg(feature = "ascon-hash256")]
use hashwell::single::AsconHash256 as Algorithm;
#[cfg(feature = "blake2b-512")]
use hashwell::single::Blake2b512 as Algorithm;
#[cfg(feature = "blake2s-256")]
use hashwell::single::Blake2s256 as Algorithm;
#[cfg(feature = "blake3")]
use hashwell::single::Blake3 as Algorithm;
#[cfg(feature = "ripemd160")]
use hashwell::single::Ripemd160 as Algorithm;
#[cfg(feature = "sha1")]
use hashwell::single::Sha1 as Algorithm;
#[cfg(feature = "sha3-256")]
use hashwell::single::Sha3_256 as Algorithm;
#[cfg(feature = "sha3-512")]
use hashwell::single::Sha3_512 as Algorithm;
#[cfg(feature = "sha256")]
use hashwell::single::Sha256 as Algorithm;
#[cfg(feature = "sha384")]
use hashwell::single::Sha384 as Algorithm;
#[cfg(feature = "sha512")]
use hashwell::single::Sha512 as Algorithm;
#[cfg(feature = "shake128")]
use hashwell::single::Shake128 as Algorithm;
#[cfg(feature = "shake256")]
use hashwell::single::Shake256 as Algorithm;
#[cfg(feature = "sm3")]
use hashwell::single::Sm3 as Algorithm;

static STATE: Single<UnsafeCell<MaybeUninit<Algorithm>>> = Single(UnsafeCell::new(MaybeUninit::uninit()));

/// Returns the address of the state.
#[unsafe(no_mangle)]
extern "C" fn state() -> usize {
    STATE.0.get() as usize
}

/// Returns the number of bytes of the state.
#[unsafe(no_mangle)]
extern "C" fn state_len() -> usize {
    size_of::<Algorithm>()
}

/// Returns the default number of bytes of a digest.
#[unsafe(no_mangle)]
extern "C" fn output_len() -> usize {
    Algorithm::OUTPUT_LEN
}

/// Returns the maximum number of bytes of a digest. The minimum is the same, or 0 for an extendable-output function.
#[unsafe(no_mangle)]
extern "C" fn longest() -> usize {
    Algorithm::RANGE.1.min(ROOM)
}

/// Begins a message.
#[unsafe(no_mangle)]
extern "C" fn begin() {
    // SAFETY: there is one thread, and no reference to the state is kept between calls.
    unsafe { (*STATE.0.get()).write(Algorithm::new()) };
}

/// Appends the first bytes of the buffer to the message.
#[unsafe(no_mangle)]
extern "C" fn update(len: usize) {
    // SAFETY: before any other call, JavaScript calls `begin` or restores the bytes of a state that it has saved
    // (`enter` and `hash` in `one.ts`). The bytes are in the buffer, which is initialized and not written to meanwhile.
    // There is one thread.
    unsafe {
        let data = core::slice::from_raw_parts(buffer() as *const u8, len.min(ROOM));
        (*STATE.0.get()).assume_init_mut().update(data);
    }
}

/// Writes `len` bytes of the digest of the message so far to the buffer. More data may be appended afterwards.
#[unsafe(no_mangle)]
extern "C" fn digest(len: usize) {
    let len = len.clamp(Algorithm::RANGE.0, longest());
    // SAFETY: the same reasons as in `update` apply, and there is no other reference to the buffer.
    unsafe {
        let out = core::slice::from_raw_parts_mut(buffer() as *mut u8, len);
        (*STATE.0.get()).assume_init_ref().digest_into(out);
    }
}
