//! HMAC (FIPS 198-1, RFC 2104) over any core, and what HMAC-DRBG does with it, step by step as the standards say.
//! A core may do the generator's steps in registers.
//!
//! ```text
//! set_key:   block = key, or its digest if it is longer than a block; zeros behind it
//!            inner = H absorbs block ⊕ ipad           outer = H absorbs block ⊕ opad
//! tag:       outer absorbs the digest of (inner absorbs the message); its digest is the tag
//! ```
//!
//! Many keys are set in lanes (`mac/many.rs`) by the same two steps, `key_block` and the pads.

use crate::internal::cores::Core;
use crate::internal::error::Error;
use zeroize::{Zeroize, Zeroizing};

/// Longest block of a row that HMAC accepts, in bytes; a test of `mac` compares both with the registry.
pub(crate) const MAX_BLOCK: usize = 144;

/// Longest digest of a row that HMAC accepts, in bytes.
pub(crate) const MAX_DIGEST: usize = 64;

/// A tag of HMAC, or a key as long, filled with zeros.
pub(crate) type Tag = [u8; 64];

/// The bytes ipad and opad (FIPS 198-1 table 1).
pub(crate) const PADS: [u8; 2] = [0x36, 0x5c];

/// Writes the key to `block`, which is as long as a block of the hash and filled with zeros (FIPS 198-1 steps 1
/// to 3). A key that is longer goes to `hash` instead, with the place for its digest.
pub(crate) fn key_block<'a>(
    key: &'a [u8],
    block: &'a mut [u8],
    output_len: usize,
    hash: impl FnOnce(&'a [u8], &'a mut [u8]),
) {
    if key.len() > block.len() {
        hash(key, &mut block[..output_len]);
    } else {
        block[..key.len()].copy_from_slice(key);
    }
}

/// Makes key ⊕ ipad of the key, in one block or in those of several keys (step 4).
pub(crate) fn pad_for_inner(blocks: &mut [u8]) {
    blocks.iter_mut().for_each(|byte| *byte ^= PADS[0]);
}

/// Makes key ⊕ opad of key ⊕ ipad (step 7).
pub(crate) fn pad_for_outer(blocks: &mut [u8]) {
    blocks.iter_mut().for_each(|byte| *byte ^= PADS[0] ^ PADS[1]);
}

/// A key of HMAC: the hash's states after (key ⊕ ipad) and after (key ⊕ opad).
#[derive(Clone)]
pub(crate) struct Keyed<S> {
    /// Block and digest of the hash, in bytes.
    block_len: usize,
    output_len: usize,
    pub(crate) inner: S,
    pub(crate) outer: S,
}

impl<S: Core + Clone> Keyed<S> {
    /// Under a key of any length.
    ///
    /// * `fresh`: a hash with such a block and digest, before its message.
    pub(crate) fn new(block_len: usize, output_len: usize, fresh: S, key: &[u8]) -> Self {
        let mut keyed = Self::unkeyed(block_len, output_len, fresh);
        keyed.absorb_key(key);
        keyed
    }

    /// The same of two states made alike.
    pub(crate) fn of(block_len: usize, output_len: usize, [inner, outer]: [S; 2], key: &[u8]) -> Self {
        let mut keyed = Self { block_len, output_len, inner, outer };
        keyed.absorb_key(key);
        keyed
    }

    /// Under no key yet.
    fn unkeyed(block_len: usize, output_len: usize, fresh: S) -> Self {
        debug_assert!(block_len <= MAX_BLOCK && output_len <= MAX_DIGEST);
        Self { block_len, output_len, inner: fresh.clone(), outer: fresh }
    }

    /// Replaces the key by one of any length.
    fn set_key(&mut self, fresh: &S, key: &[u8]) {
        self.inner.clone_from(fresh);
        self.outer.clone_from(fresh);
        self.absorb_key(key);
    }

    /// Both states are before their messages.
    fn absorb_key(&mut self, key: &[u8]) {
        let Self { block_len, output_len, inner, outer } = self;
        let mut block = [0; MAX_BLOCK];
        let padded = &mut block[..*block_len];
        key_block(key, padded, *output_len, |key, digest| inner.digest_with(key, digest));
        pad_for_inner(padded);
        inner.update(padded);
        pad_for_outer(padded);
        outer.update(padded);
        block = [0; MAX_BLOCK];
        zeroize::optimization_barrier(&block);
    }

    /// Writes the leftmost bytes of a message's tag (steps 6 and 9). `message` has gone on from `inner` and absorbed
    /// all of it but its end, `last`.
    ///
    /// # Panics
    /// If `tag` is longer than a digest.
    pub(crate) fn finish(&self, message: &(impl Core + Clone), last: &[u8], tag: &mut [u8]) {
        assert!(tag.len() <= self.output_len);
        let mut digest = [0; MAX_DIGEST];
        let hashed = &mut digest[..self.output_len];
        message.digest_with(last, hashed);
        self.outer.digest_with(hashed, tag);
        digest = [0; MAX_DIGEST];
        zeroize::optimization_barrier(&digest);
    }

    /// Writes the leftmost bytes of the tag of all pieces one after the other.
    ///
    /// # Panics
    /// As [`Keyed::finish`].
    pub(crate) fn tag(&self, message: &[&[u8]], tag: &mut [u8]) {
        match message {
            [] => self.finish(&self.inner, &[], tag),
            [only] => self.finish(&self.inner, only, tag),
            [pieces @ .., last] => {
                let mut state = self.inner.clone();
                pieces.iter().for_each(|piece| state.update(piece));
                self.finish(&state, last, tag);
                state.zeroize();
            }
        }
    }

    /// As [`KeyedHmac::chain`].
    pub(crate) fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        chain_by_definition(self.output_len, |message, tag| self.tag(&[message], tag), v, out);
    }
}

impl<S: Core> Zeroize for Keyed<S> {
    fn zeroize(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

/// Writes the leftmost bytes of one message's tag over a hash with such a block and digest, before its message, and
/// overwrites the states under the key.
pub(crate) fn tag<S: Core + Clone>(
    block_len: usize,
    output_len: usize,
    fresh: S,
    key: &[u8],
    message: &[u8],
    tag: &mut [u8],
) {
    let mut keyed = Keyed::new(block_len, output_len, fresh, key);
    keyed.tag(&[message], tag);
    keyed.zeroize();
}

/// HMAC under a key that can be changed: what [`Drbg`](crate::Drbg) runs on. hashwell implements it over its
/// rows; an implementation of the caller's own has to be right, since nothing here can test it.
pub trait KeyedHmac {
    /// What errors call it.
    fn name(&self) -> &'static str;

    /// Bytes of a tag, 1 to 64.
    fn output_len(&self) -> usize;

    /// Whether it may be used. [`RowHmac`](crate::RowHmac) answers with the verdict of its known-answer test.
    ///
    /// # Errors
    /// [`Error::SelfTestFailed`].
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Replaces the key, which has [`KeyedHmac::output_len`] bytes.
    fn set_key(&mut self, key: &[u8]);

    /// Writes the tag of all pieces one after the other; `out` has [`KeyedHmac::output_len`] bytes.
    fn tag(&self, message: &[&[u8]], out: &mut [u8]);

    /// `v` becomes its own tag once for each [`KeyedHmac::output_len`] bytes of `out`, which every new `v` is
    /// written to. Only so many bytes of `v` count, the others are zeros.
    fn chain(&self, v: &mut [u8; 64], out: &mut [u8]) {
        chain_by_definition(self.output_len(), |message, tag| self.tag(&[message], tag), v, out);
    }

    /// HMAC_DRBG_Update without data: `k` becomes the tag of `v` ‖ 00 and the new key, `v` its own tag under it.
    /// Lengths as for [`KeyedHmac::chain`].
    fn rekey(&mut self, k: &mut [u8; 64], v: &mut [u8; 64]) {
        rekey_by_definition(self, k, v);
    }

    /// Overwrites all that depends on the key.
    fn wipe(&mut self);
}

/// [`KeyedHmac::chain`] by tags of `len` bytes.
fn chain_by_definition(len: usize, write_tag: impl Fn(&[u8], &mut [u8]), v: &mut Tag, out: &mut [u8]) {
    let mut tag = [0; MAX_DIGEST];
    for chunk in out.chunks_mut(len) {
        write_tag(&v[..len], &mut tag[..len]);
        *v = tag;
        chunk.copy_from_slice(&v[..chunk.len()]);
    }
    tag.zeroize();
}

/// [`KeyedHmac::rekey`] by two tags.
fn rekey_by_definition(hmac: &mut (impl KeyedHmac + ?Sized), k: &mut Tag, v: &mut Tag) {
    let len = hmac.output_len();
    hmac.tag(&[&v[..len], &[0]], &mut k[..len]);
    hmac.set_key(&k[..len]);
    let before = Zeroizing::new(*v);
    hmac.tag(&[&before[..len]], &mut v[..len]);
}

/// What a core may do faster than by definition.
pub(crate) trait HmacCore: Core + Clone {
    /// [`KeyedHmac::chain`] under the key of these states.
    fn chain_hmac(hmac: &Rekeyable<Self>, v: &mut Tag, out: &mut [u8]) {
        hmac.keyed.chain(v, out);
    }

    /// [`KeyedHmac::rekey`] of these states.
    fn rekey_hmac(hmac: &mut Rekeyable<Self>, k: &mut Tag, v: &mut Tag) {
        rekey_by_definition(hmac, k, v);
    }
}

/// HMAC whose key can be replaced, since it has kept the hash before its message.
#[derive(Clone)]
pub(crate) struct Rekeyable<S> {
    /// The row's name, for errors.
    name: &'static str,
    pub(crate) fresh: S,
    pub(crate) keyed: Keyed<S>,
}

impl<S: HmacCore> Rekeyable<S> {
    /// Under no key yet; the hash has such a block and digest.
    pub(crate) fn new(name: &'static str, block_len: usize, output_len: usize, fresh: S) -> Self {
        Self { name, keyed: Keyed::unkeyed(block_len, output_len, fresh.clone()), fresh }
    }
}

impl<S: HmacCore> KeyedHmac for Rekeyable<S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn output_len(&self) -> usize {
        self.keyed.output_len
    }

    fn set_key(&mut self, key: &[u8]) {
        self.keyed.set_key(&self.fresh, key);
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        self.keyed.tag(message, out);
    }

    fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        S::chain_hmac(self, v, out);
    }

    fn rekey(&mut self, k: &mut Tag, v: &mut Tag) {
        S::rekey_hmac(self, k, v);
    }

    fn wipe(&mut self) {
        self.keyed.zeroize();
    }
}
