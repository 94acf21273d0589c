//! Many messages at once.

use crate::boundary::{Failure, OK};
use crate::memory::{gather, output};
use crate::params::{self, CParams, algorithm};
use hashwell::{Kind, Params};
use std::ffi::c_int;

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
