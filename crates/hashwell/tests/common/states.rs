//! The states that are derived from a key, as bytes. The search for a key also looks for these.
#![allow(unreachable_pub)]

use super::residue::snapshot;
use hashwell::{Algorithm, CounterRng, DrbgParams, DrbgStream, HmacDrbg, Kind, Params, PlainHmac, Source};
use std::mem::MaybeUninit;
use zeroize::Zeroize;

pub const MESSAGE: &[u8] = b"a message of a few words, which is not secret";

/// A key, or key material that is the message.
pub fn params(derive: bool, key: &[u8]) -> Params<'_> {
    if derive {
        Params { context: Some("tests of hashwell 2026"), ..Params::default() }
    } else {
        Params { key: Some(key), ..Params::default() }
    }
}

pub fn message(derive: bool, key: &[u8]) -> &[u8] {
    if derive { key } else { MESSAGE }
}

/// HMAC's midstates, also after the message has been added to the inner one.
pub fn hmac_states(row: &'static Algorithm, key: &[u8]) -> Vec<Vec<u8>> {
    let mut place = MaybeUninit::uninit();
    let hmac = PlainHmac::new_in(row, key, &mut place).unwrap();
    let keyed = snapshot(hmac);
    hmac.update(MESSAGE);
    let after = snapshot(hmac);
    hmac.zeroize();
    vec![keyed, after]
}

/// K and V, and the midstates of K, for a new generator, after a request and after a reseed.
pub fn drbg_states(row: &'static Algorithm, seed: &[u8]) -> Vec<Vec<u8>> {
    let (entropy, nonce) = seed.split_at(32);
    let mut drbg = HmacDrbg::new(row, entropy, nonce, &DrbgParams::default()).unwrap();
    let mut states = vec![snapshot(&drbg), drbg.export_state().unwrap().to_vec()];
    drbg.generate(&mut [0; 100], b"").unwrap();
    states.extend([snapshot(&drbg), drbg.export_state().unwrap().to_vec()]);
    drbg.reseed(entropy, b"").unwrap();
    states.extend([snapshot(&drbg), drbg.export_state().unwrap().to_vec()]);
    states
}

/// The state with a key, after the message was added, and its stream.
pub fn hasher_states(row: &'static Algorithm, derive: bool, key: &[u8]) -> Vec<Vec<u8>> {
    let mut place = MaybeUninit::uninit();
    let hasher = row.plain_hasher_in(&params(derive, key), &mut place).unwrap();
    let mut states = vec![snapshot(hasher)];
    hasher.update(message(derive, key));
    states.push(snapshot(hasher));
    if row.kind == Kind::Xof {
        let mut reader = hasher.reader().unwrap();
        states.push(snapshot(&reader));
        reader.read(&mut [0; 200]);
        states.push(snapshot(&reader));
    }
    hasher.zeroize();
    states
}

/// The generator of a source's key, when it is new and after the first bytes of the stream.
pub fn source_states(source: Source, key: &[u8]) -> Vec<Vec<u8>> {
    /// The number of bytes that a `RandomStream` generates at once.
    const AHEAD: usize = 4096;
    let name = source.name();
    if name == "counter" {
        return vec![snapshot(&CounterRng::new(key.try_into().unwrap()))];
    }
    if let Some(hash) = name.strip_prefix("hmac-drbg-") {
        let (row, params) = (hashwell::find(hash).unwrap(), DrbgParams::default());
        let mut stream = DrbgStream::from_seed_unchecked(row, key, b"", &params).unwrap();
        let fresh = snapshot(&stream);
        stream.read(&mut [0; AHEAD]).unwrap();
        return vec![fresh, snapshot(&stream)];
    }
    let mut place = MaybeUninit::uninit();
    let hasher = hashwell::find(&name).unwrap().plain_hasher_in(&Params::default(), &mut place).unwrap();
    hasher.update(key);
    let mut reader = hasher.reader().unwrap();
    let fresh = snapshot(&reader);
    reader.read(&mut [0; AHEAD]);
    vec![fresh, snapshot(&reader)]
}
