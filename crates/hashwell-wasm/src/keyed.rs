//! HMAC, KMAC and HKDF.

use crate::ffi::answer;
use crate::memory::{input, output, room_for_a_state};
use crate::objects::{self, Object, other_kind};
use crate::registry::{name, row};
use alloc::boxed::Box;
use hashwell::{Hmac, Kmac, KmacVariant, hkdf};

/// Creates an HMAC with the key at `at`. Returns its number.
#[unsafe(no_mangle)]
extern "C" fn hmac(id: u32, at: usize, len: usize) -> i32 {
    answer(row(id).and_then(|row| {
        room_for_a_state()?;
        objects::keep(Object::Mac(Box::new(Hmac::new(row, input(at, len)?)?)))
    }))
}

/// Creates a KMAC. Its name, the key and the customization are stored consecutively at `at`. Returns its number.
#[unsafe(no_mangle)]
extern "C" fn kmac(at: usize, name_len: usize, key_len: usize, customization_len: usize) -> i32 {
    answer(name(at, name_len).and_then(|name| {
        room_for_a_state()?;
        let key = input(at + name_len, key_len)?;
        let customization = input(at + name_len + key_len, customization_len)?;
        let mac = Kmac::new(KmacVariant::find(name)?, key, customization);
        objects::keep(Object::Kmac(Box::new(mac)))
    }))
}

/// Compares the tag at `at` with that of the message so far. The running time depends only on the length.
#[unsafe(no_mangle)]
extern "C" fn verify(number: usize, at: usize, len: usize) -> i32 {
    answer(input(at, len).and_then(|tag| {
        objects::with(number, |object| match object {
            Object::Mac(mac) => Ok(mac.verify(tag)?),
            Object::Kmac(mac) => Ok(mac.verify(tag)?),
            _ => Err(other_kind()),
        })?;
        Ok(0)
    }))
}

/// Derives a key with HKDF. The input key material, the salt and the info are stored consecutively at `at`, followed by
/// space for `out_len` bytes of output.
#[unsafe(no_mangle)]
extern "C" fn derive(
    id: u32,
    at: usize,
    ikm_len: usize,
    salt_len: usize,
    info_len: usize,
    out_len: usize,
) -> i32 {
    answer(row(id).and_then(|row| {
        let ikm = input(at, ikm_len)?;
        let salt = input(at + ikm_len, salt_len)?;
        let info = input(at + ikm_len + salt_len, info_len)?;
        hkdf(row, ikm, salt, info, output(at + ikm_len + salt_len + info_len, out_len)?)?;
        Ok(out_len)
    }))
}
