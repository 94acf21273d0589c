//! Many messages at once.

use crate::ffi::{Code, answer, fail, number};
use crate::memory::{input, output, room_for_a_state};
use crate::registry::{params, row};
use alloc::vec::Vec;

/// Hashes `count` messages. The memory at `at` contains the parameters (`params_len` bytes), the lengths of the
/// messages (four bytes each, little-endian), the messages, and space for `count` digests of `out_len` bytes.
#[unsafe(no_mangle)]
extern "C" fn hash_many(
    id: u32,
    at: usize,
    params_len: usize,
    count: usize,
    messages_len: usize,
    out_len: usize,
) -> i32 {
    answer(row(id).and_then(|row| {
        let params = params(input(at, params_len)?)?;
        let (lengths, _) = input(at + params_len, 4 * count)?.as_chunks::<4>();
        let mut rest = input(at + params_len + 4 * count, messages_len)?;
        let bad = || fail(Code::Internal, "the lengths do not add up to the length of the messages", &[]);
        let mut messages: Vec<&[u8]> = Vec::new();
        messages.try_reserve_exact(count).map_err(|_| {
            fail(Code::Memory, "not enough WebAssembly memory for # messages", &[&number(count)])
        })?;
        for length in lengths {
            let (message, after) =
                rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(bad)?;
            messages.push(message);
            rest = after;
        }
        // This is checked after the list is allocated, because the list may be long.
        room_for_a_state()?;
        let out = output(at + params_len + 4 * count + messages_len, count * out_len)?;
        row.digest_many_into(&params, &messages, out)?;
        Ok(0)
    }))
}
