//! Many messages at once.

use crate::border::{Failure, OK};
use crate::memory::{input, items, output, overlap};
use crate::params::{self, CParams, algorithm};
use hashwell::{Kind, Params};
use std::ffi::c_int;

/// The slices of an array of pointers and one of lengths, none of which shares memory with the output.
///
/// # Safety
/// As [`items`], for both arrays; as [`input`], for each pointer.
pub(crate) unsafe fn gather<'a>(
    pointers: *const *const u8,
    lengths: *const usize,
    count: usize,
    (out, out_len): (*mut u8, usize),
) -> Result<Vec<&'a [u8]>, Failure> {
    // SAFETY: the caller's.
    let (pointers, lengths) = unsafe { (items(pointers, count)?, items(lengths, count)?) };
    let mut slices = Vec::new();
    slices.try_reserve_exact(count).map_err(|_| Failure::Memory)?;
    for (&data, &len) in pointers.iter().zip(lengths) {
        if overlap(out, out_len, data, len) {
            return Err(Failure::Overlap);
        }
        // SAFETY: the caller's.
        slices.push(unsafe { input(data, len)? });
    }
    Ok(slices)
}

export! {
    fn hw_hash_many(
        id: u32,
        params: *const CParams,
        messages: *const *const u8,
        lengths: *const usize,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> c_int {
        let row = algorithm(id)?;
        let mut params: Params<'_> = params::read(params)?;
        if row.kind == Kind::Xof && count > 0 {
            params.output_len = Some(out_len / count);
        }
        let messages = gather(messages, lengths, count, (out, out_len))?;
        let many = row.many(&params)?;
        many.digest_into(&messages, output(out, out_len)?).map_err(|_| Failure::Length)?;
        Ok(OK)
    }

    fn hw_hmac_many(
        id: u32,
        keys: *const *const u8,
        key_lengths: *const usize,
        key_count: usize,
        messages: *const *const u8,
        lengths: *const usize,
        count: usize,
        tags: *mut u8,
        tags_len: usize,
    ) -> c_int {
        let row = algorithm(id)?;
        let keys = gather(keys, key_lengths, key_count, (tags, tags_len))?;
        let messages = gather(messages, lengths, count, (tags, tags_len))?;
        let made = hashwell::hmac_many(row, &keys, &messages)?;
        if made.len() != tags_len {
            return Err(Failure::Length);
        }
        output(tags, tags_len)?.copy_from_slice(&made);
        Ok(OK)
    }
}
