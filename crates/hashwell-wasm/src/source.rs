//! Random bytes that a seed repeats.

use crate::border::answer;
use crate::memory::{input, room_for_a_state};
use crate::objects::{self, Object, other_kind};
use crate::registry::name;
use alloc::boxed::Box;
use hashwell::Source;

/// The stream of a source: its name, the seed and the personalization lie there one behind the other. Returns its number.
#[unsafe(no_mangle)]
extern "C" fn source(at: usize, name_len: usize, seed_len: usize, personalization_len: usize) -> i32 {
    answer(name(at, name_len).and_then(|name| {
        room_for_a_state()?;
        let seed = input(at + name_len, seed_len)?;
        let personalization = input(at + name_len + seed_len, personalization_len)?;
        let stream = Source::find(name)?.seeded(seed, personalization)?;
        objects::keep(Object::Source(Box::new(stream)))
    }))
}

/// A child of a stream, which is independent of it; returns its number.
#[unsafe(no_mangle)]
extern "C" fn spawn(number: usize) -> i32 {
    let child = room_for_a_state().and_then(|()| {
        objects::with(number, |object| match object {
            Object::Source(source) => Ok(Object::Source(Box::new(source.spawn()?))),
            _ => Err(other_kind()),
        })
    });
    answer(child.and_then(objects::keep))
}
