//! Random bytes: reproducible streams from a seed, and HMAC-DRBG with the caller's entropy.

use crate::ffi::{Result, answer};
use crate::memory::{input, output, room_for_a_state};
use crate::objects::{self, Object, other_kind};
use crate::registry::{name, row};
use alloc::boxed::Box;
use hashwell::{DrbgParams, HmacDrbg, Source};

/// Creates the stream of a source. Its name, the seed and the personalization are stored consecutively at `at`. Returns
/// its number.
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

/// Creates a child of a stream. The child is independent of the stream. Returns its number.
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

/// Creates an HMAC-DRBG. Entropy, nonce and personalization are stored consecutively at `at`. The strength is in bits,
/// or `u32::MAX` for the maximum of the hash. The number of requests between two reseeds is a float, because a
/// JavaScript number can represent the whole range. Returns its number.
#[unsafe(no_mangle)]
extern "C" fn drbg(
    id: u32,
    at: usize,
    entropy_len: usize,
    nonce_len: usize,
    personalization_len: usize,
    strength: u32,
    interval: f64,
) -> i32 {
    answer(row(id).and_then(|row| {
        room_for_a_state()?;
        let entropy = input(at, entropy_len)?;
        let nonce = input(at + entropy_len, nonce_len)?;
        let params = DrbgParams {
            personalization: input(at + entropy_len + nonce_len, personalization_len)?,
            strength: (strength != u32::MAX).then_some(strength),
            reseed_interval: Some(interval as u64),
            ..DrbgParams::default()
        };
        objects::keep(Object::Drbg(Box::new(HmacDrbg::new(row, entropy, nonce, &params)?)))
    }))
}

/// Generates output with one request of HMAC-DRBG. The additional input is at `at`, followed by space for `out_len`
/// bytes.
#[unsafe(no_mangle)]
extern "C" fn generate(number: usize, at: usize, additional_len: usize, out_len: usize) -> i32 {
    answer(input(at, additional_len).and_then(|additional| {
        with_drbg(number, |drbg| Ok(drbg.generate(output(at + additional_len, out_len)?, additional)?))
    }))
}

/// Reseeds an HMAC-DRBG. The entropy is at `at`, followed by the additional input.
#[unsafe(no_mangle)]
extern "C" fn reseed(number: usize, at: usize, entropy_len: usize, additional_len: usize) -> i32 {
    answer(input(at, entropy_len).and_then(|entropy| {
        with_drbg(number, |drbg| Ok(drbg.reseed(entropy, input(at + entropy_len, additional_len)?)?))
    }))
}

fn with_drbg(number: usize, work: impl FnOnce(&mut HmacDrbg) -> Result<()>) -> Result<usize> {
    objects::with(number, |object| match object {
        Object::Drbg(drbg) => work(drbg).map(|()| 0),
        _ => Err(other_kind()),
    })
}
