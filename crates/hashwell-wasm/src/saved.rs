//! Saved hash states (`docs/spec/state.md`).

use crate::buffer::text;
use crate::ffi::answer;
use crate::memory::{input, output, room_for_a_state};
use crate::objects::{self, Object, other_kind};
use alloc::boxed::Box;
use hashwell::{Decimal, Hasher, fill};

/// Returns the length of the saved state of a hash. Writes the state to `at` if it has at most `len` bytes.
#[unsafe(no_mangle)]
extern "C" fn save(number: usize, at: usize, len: usize) -> i32 {
    answer(objects::with(number, |object| {
        let Object::Hasher(hasher) = object else { return Err(other_kind()) };
        let saved = hasher.to_bytes()?;
        if saved.len() <= len {
            output(at, saved.len())?.copy_from_slice(&saved);
        }
        Ok(saved.len())
    }))
}

/// Creates a hash in progress from the saved state at `at`. Returns its number.
#[unsafe(no_mangle)]
extern "C" fn restore(at: usize, len: usize) -> i32 {
    answer(input(at, len).and_then(|saved| {
        room_for_a_state()?;
        objects::keep(Object::Hasher(Box::new(Hasher::from_bytes(saved)?)))
    }))
}

/// Writes a description of a hash in progress to the buffer: the name of its algorithm and the number of message bytes
/// so far. Returns its length.
#[unsafe(no_mangle)]
extern "C" fn describe_state(number: usize) -> i32 {
    answer(objects::with(number, |object| {
        let Object::Hasher(hasher) = object else { return Err(other_kind()) };
        let len = Decimal::of(hasher.message_len().into());
        Ok(text(&|out| fill(out, "#\t#", &[hasher.algorithm().name, &len])))
    }))
}
