//! HMAC and KMAC tags, and their comparison.

use crate::boundary::{Failure, OK};
use crate::hash::export_to;
use crate::memory::{input, output};
use crate::params::algorithm;
use crate::state::Sealed;
pub(crate) use hashwell::Kmac;
use hashwell::{Error, KmacVariant, PlainHmac};
use std::ffi::c_int;
use subtle::ConstantTimeEq;

state!(PlainHmac, b"hw hmac0", size 3840, hw_hmac_size hw_hmac_align hw_hmac_wipe hw_hmac_free);
state!(Kmac, b"hw kmac0", size 512, hw_kmac_size hw_kmac_align hw_kmac_wipe hw_kmac_free);

/// The maximum size of a tag of any algorithm, in bytes.
const MAX_TAG: usize = 64;

fn tag_failure(error: Error) -> Failure {
    match error {
        Error::OutOfRange { .. } => Failure::Length,
        other => other.into(),
    }
}

/// # Safety
/// The requirements of [`input`] apply to the key and the customization.
unsafe fn kmac(
    bits: c_int,
    key: *const u8,
    key_len: usize,
    customization: *const u8,
    customization_len: usize,
) -> Result<Kmac, Failure> {
    let variant = match bits {
        128 => KmacVariant::Kmac128,
        256 => KmacVariant::Kmac256,
        _ => return Err(Failure::Algorithm),
    };
    // SAFETY: the caller guarantees the requirements of `input` for the key and the customization.
    Ok(unsafe { Kmac::new(variant, input(key, key_len)?, input(customization, customization_len)?) })
}

export! {
    fn hw_compare(a: *const u8, b: *const u8, len: usize) -> c_int {
        if bool::from(input(a, len)?.ct_eq(input(b, len)?)) { Ok(OK) } else { Err(Failure::Mismatch) }
    }

    fn hw_hmac(
        id: u32,
        key: *const u8,
        key_len: usize,
        data: *const u8,
        len: usize,
        tag: *mut u8,
        tag_len: usize,
    ) -> c_int {
        let (row, key, message) = (algorithm(id)?, input(key, key_len)?, input(data, len)?);
        // Compute the tag before writing it, because it may overlap the message or the key.
        let mut made = [0; MAX_TAG];
        let made = made.get_mut(..tag_len).ok_or(Failure::Length)?;
        PlainHmac::tag_of(row, key, message, made).map_err(tag_failure)?;
        output(tag, tag_len)?.copy_from_slice(made);
        Ok(OK)
    }

    fn hw_hmac_init(state: *mut Sealed<PlainHmac>, id: u32, key: *const u8, key_len: usize) -> c_int {
        let (row, key) = (algorithm(id)?, input(key, key_len)?);
        Sealed::put_with(state, |place| Ok(PlainHmac::new_in(row, key, place)?))
    }

    fn hw_hmac_new(out: *mut *mut Sealed<PlainHmac>, id: u32, key: *const u8, key_len: usize) -> c_int {
        Sealed::allocate(out, || Ok(PlainHmac::new(algorithm(id)?, input(key, key_len)?)?))
    }

    fn hw_hmac_update(state: *mut Sealed<PlainHmac>, data: *const u8, len: usize) -> c_int {
        let hmac = Sealed::get_mut(state)?;
        hmac.update(input(data, len)?);
        Ok(OK)
    }

    fn hw_hmac_final(state: *const Sealed<PlainHmac>, tag: *mut u8, tag_len: usize) -> c_int {
        let hmac = Sealed::get(state)?;
        hmac.tag_into(output(tag, tag_len)?).map_err(tag_failure)?;
        Ok(OK)
    }

    fn hw_hmac_verify(state: *const Sealed<PlainHmac>, tag: *const u8, tag_len: usize) -> c_int {
        let hmac = Sealed::get(state)?;
        hmac.verify(input(tag, tag_len)?)?;
        Ok(OK)
    }

    fn hw_hmac_export_secret(
        state: *const Sealed<PlainHmac>,
        out: *mut u8,
        out_len: usize,
        written: *mut usize,
    ) -> c_int {
        export_to(&Sealed::get(state)?.to_secret_bytes()?, out, out_len, written)
    }

    fn hw_hmac_import_secret(state: *mut Sealed<PlainHmac>, data: *const u8, len: usize) -> c_int {
        let saved = input(data, len)?;
        Sealed::put_secret(state, |place| Ok(PlainHmac::from_secret_bytes_in(saved, place)?))
    }

    fn hw_hmac_reset(state: *mut Sealed<PlainHmac>) -> c_int {
        Sealed::get_mut(state)?.reset();
        Ok(OK)
    }

    fn hw_kmac(
        bits: c_int,
        key: *const u8,
        key_len: usize,
        customization: *const u8,
        customization_len: usize,
        data: *const u8,
        len: usize,
        tag: *mut u8,
        tag_len: usize,
    ) -> c_int {
        let mut kmac = kmac(bits, key, key_len, customization, customization_len)?;
        kmac.update(input(data, len)?);
        // All inputs have been read, so the tag may overlap them.
        kmac.tag_into(output(tag, tag_len)?);
        Ok(OK)
    }

    fn hw_kmac_init(
        state: *mut Sealed<Kmac>,
        bits: c_int,
        key: *const u8,
        key_len: usize,
        customization: *const u8,
        customization_len: usize,
    ) -> c_int {
        Sealed::put(state, || kmac(bits, key, key_len, customization, customization_len))
    }

    fn hw_kmac_new(
        out: *mut *mut Sealed<Kmac>,
        bits: c_int,
        key: *const u8,
        key_len: usize,
        customization: *const u8,
        customization_len: usize,
    ) -> c_int {
        Sealed::allocate(out, || kmac(bits, key, key_len, customization, customization_len))
    }

    fn hw_kmac_update(state: *mut Sealed<Kmac>, data: *const u8, len: usize) -> c_int {
        let kmac = Sealed::get_mut(state)?;
        kmac.update(input(data, len)?);
        Ok(OK)
    }

    fn hw_kmac_final(state: *const Sealed<Kmac>, tag: *mut u8, tag_len: usize) -> c_int {
        let kmac = Sealed::get(state)?;
        kmac.tag_into(output(tag, tag_len)?);
        Ok(OK)
    }

    fn hw_kmac_verify(state: *const Sealed<Kmac>, tag: *const u8, tag_len: usize) -> c_int {
        let kmac = Sealed::get(state)?;
        kmac.verify(input(tag, tag_len)?)?;
        Ok(OK)
    }

    fn hw_kmac_export_secret(
        state: *const Sealed<Kmac>,
        out: *mut u8,
        out_len: usize,
        written: *mut usize,
    ) -> c_int {
        export_to(&Sealed::get(state)?.to_secret_bytes()?, out, out_len, written)
    }

    fn hw_kmac_import_secret(state: *mut Sealed<Kmac>, data: *const u8, len: usize) -> c_int {
        let saved = input(data, len)?;
        Sealed::put(state, || Ok(Kmac::from_secret_bytes(saved)?))
    }

    fn hw_kmac_reset(state: *mut Sealed<Kmac>) -> c_int {
        Sealed::get_mut(state)?.reset();
        Ok(OK)
    }
}
