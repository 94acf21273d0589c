//! HKDF.

use crate::boundary::{Failure, OK};
use crate::memory::{input, output, overlap};
use crate::params::algorithm;
use std::ffi::c_int;
use zeroize::Zeroizing;

/// The maximum size of a digest for which HMAC is defined, in bytes.
const MAX_DIGEST: usize = 64;

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
        // The pseudorandom key is computed before anything is written. Of the inputs, only `info` is read afterwards.
        let mut made = Zeroizing::new([0; MAX_DIGEST]);
        let prk = &mut made[..row.output.min(MAX_DIGEST)];
        hashwell::hkdf_extract_into(row, input(salt, salt_len)?, input(ikm, ikm_len)?, prk)?;
        if overlap(okm, okm_len, info, info_len) {
            return Err(Failure::Overlap);
        }
        hashwell::hkdf_expand(row, prk, input(info, info_len)?, output(okm, okm_len)?)?;
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
        let mut made = Zeroizing::new([0; MAX_DIGEST]);
        let own = &mut made[..row.output.min(MAX_DIGEST)];
        hashwell::hkdf_extract_into(row, input(salt, salt_len)?, input(ikm, ikm_len)?, own)?;
        if own.len() != prk_len {
            return Err(Failure::Length);
        }
        output(prk, prk_len)?.copy_from_slice(own);
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
