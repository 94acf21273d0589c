//! HKDF.

use crate::border::{Failure, OK};
use crate::memory::{input, output, overlap};
use crate::params::algorithm;
use std::ffi::c_int;
use zeroize::Zeroizing;

export! {
    fn hw_hkdf(
        id: u32,
        ikm: *const u8,
        ikm_len: usize,
        salt: *const u8,
        salt_len: usize,
        info: *const u8,
        info_len: usize,
        okm: *mut u8,
        okm_len: usize,
    ) -> c_int {
        let row = algorithm(id)?;
        // The pseudorandom key is made before anything is written: only `info` is read again.
        let prk = Zeroizing::new(hashwell::hkdf_extract(row, input(salt, salt_len)?, input(ikm, ikm_len)?)?);
        if overlap(okm, okm_len, info, info_len) {
            return Err(Failure::Overlap);
        }
        hashwell::hkdf_expand(row, &prk, input(info, info_len)?, output(okm, okm_len)?)?;
        Ok(OK)
    }

    fn hw_hkdf_extract(
        id: u32,
        ikm: *const u8,
        ikm_len: usize,
        salt: *const u8,
        salt_len: usize,
        prk: *mut u8,
        prk_len: usize,
    ) -> c_int {
        let row = algorithm(id)?;
        let made = Zeroizing::new(hashwell::hkdf_extract(row, input(salt, salt_len)?, input(ikm, ikm_len)?)?);
        if made.len() != prk_len {
            return Err(Failure::Length);
        }
        output(prk, prk_len)?.copy_from_slice(&made);
        Ok(OK)
    }

    fn hw_hkdf_expand(
        id: u32,
        prk: *const u8,
        prk_len: usize,
        info: *const u8,
        info_len: usize,
        okm: *mut u8,
        okm_len: usize,
    ) -> c_int {
        let row = algorithm(id)?;
        if overlap(okm, okm_len, info, info_len) || overlap(okm, okm_len, prk, prk_len) {
            return Err(Failure::Overlap);
        }
        hashwell::hkdf_expand(row, input(prk, prk_len)?, input(info, info_len)?, output(okm, okm_len)?)?;
        Ok(OK)
    }
}
