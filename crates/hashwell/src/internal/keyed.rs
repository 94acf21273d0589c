//! HMAC (FIPS 198-1, RFC 2104) over any core, and the operations of HMAC-DRBG, in the steps of the
//! standards. A core can override them to compute the steps of the generator in registers.
//!
//! ```text
//! set_key:   block = key, or its digest if the key is longer than a block; padded with zeros
//!            inner = H absorbs block ⊕ ipad           outer = H absorbs block ⊕ opad
//! tag:       outer absorbs the digest of (inner absorbs the message); its digest is the tag
//! ```
//!
//! `mac/many.rs` sets many keys in SIMD lanes with the same functions as here, for the key block and for the pads.

use crate::internal::cores::Core;
use crate::internal::error::Error;
#[cfg(feature = "states")]
use crate::internal::saved::{Fields, Saved, secret_of};
use zeroize::{Zeroize, Zeroizing};

/// The maximum block length of an algorithm that supports HMAC, in bytes. A test of `mac` compares
/// this constant and the next one with the registry.
pub(crate) const MAX_BLOCK: usize = 144;

/// The maximum digest length of an algorithm that supports HMAC, in bytes.
pub(crate) const MAX_DIGEST: usize = 64;

/// An HMAC tag, or a key of the same length, padded with zeros.
pub(crate) type Tag = [u8; 64];

/// The bytes ipad and opad (FIPS 198-1 table 1).
pub(crate) const PADS: [u8; 2] = [0x36, 0x5c];

/// Writes the key to `block`, which is a block of zeros (FIPS 198-1 steps 1 to 3). If the key is
/// longer than a block, passes it to `hash` instead, with the buffer for its digest.
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

/// Computes key ⊕ ipad in place, for the block of one key or the blocks of several keys (step 4).
pub(crate) fn pad_for_inner(blocks: &mut [u8]) {
    blocks.iter_mut().for_each(|byte| *byte ^= PADS[0]);
}

/// Computes key ⊕ opad from key ⊕ ipad in place (step 7).
pub(crate) fn pad_for_outer(blocks: &mut [u8]) {
    blocks.iter_mut().for_each(|byte| *byte ^= PADS[0] ^ PADS[1]);
}

/// A key of HMAC: the states of the hash after (key ⊕ ipad) and after (key ⊕ opad).
#[derive(Clone)]
pub(crate) struct Keyed<S> {
    /// The block length and the digest length of the hash in bytes.
    block_len: usize,
    output_len: usize,
    pub(crate) inner: S,
    pub(crate) outer: S,
}

impl<S: Core + Clone> Keyed<S> {
    /// Returns the states for a key of any length.
    ///
    /// `fresh` is the hash, with this block length and digest length, before any input.
    pub(crate) fn new(block_len: usize, output_len: usize, fresh: S, key: &[u8]) -> Self {
        let mut keyed = Self::unkeyed(block_len, output_len, fresh);
        keyed.absorb_key(key);
        keyed
    }

    /// Returns the states for a key, from two equal states before any input.
    pub(crate) fn of(block_len: usize, output_len: usize, [inner, outer]: [S; 2], key: &[u8]) -> Self {
        let mut keyed = Self { block_len, output_len, inner, outer };
        keyed.absorb_key(key);
        keyed
    }

    /// Returns states without a key.
    pub(crate) fn unkeyed(block_len: usize, output_len: usize, fresh: S) -> Self {
        debug_assert!(block_len <= MAX_BLOCK && output_len <= MAX_DIGEST);
        Self { block_len, output_len, inner: fresh.clone(), outer: fresh }
    }

    /// Replaces the key by a key of any length.
    fn set_key(&mut self, fresh: &S, key: &[u8]) {
        self.inner.clone_from(fresh);
        self.outer.clone_from(fresh);
        self.absorb_key(key);
    }

    /// Absorbs the key. Both states must be those before any input.
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

    /// Writes the leftmost bytes of the tag of a message (steps 6 and 9). `message` continues
    /// `inner`, and has absorbed the whole message except its end, `last`.
    ///
    /// # Panics
    /// Panics if `tag` is longer than a digest.
    pub(crate) fn finish(&self, message: &(impl Core + Clone), last: &[u8], tag: &mut [u8]) {
        assert!(tag.len() <= self.output_len);
        let mut digest = [0; MAX_DIGEST];
        let hashed = &mut digest[..self.output_len];
        message.digest_with(last, hashed);
        self.outer.digest_with(hashed, tag);
        digest = [0; MAX_DIGEST];
        zeroize::optimization_barrier(&digest);
    }

    /// Writes the leftmost bytes of the tag of the concatenation of all pieces.
    ///
    /// # Panics
    /// Panics if `tag` is longer than a digest.
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

    /// Computes [`KeyedHmac::chain`].
    pub(crate) fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        chain_by_definition(self.output_len, |message, tag| self.tag(&[message], tag), v, out);
    }
}

/// The key of HMAC as [`key_block`] writes it, with zeros after the block.
#[cfg(feature = "states")]
pub(crate) type KeyBlock = Zeroizing<[u8; MAX_BLOCK]>;

#[cfg(feature = "states")]
impl<S: Core + Saved + Clone> Keyed<S> {
    /// Restores the two states that [`Saved::save`] wrote. This key must not have been set before.
    ///
    /// Some families buffer their last block, so that the states contain the key itself, which is
    /// returned.
    pub(crate) fn restore(&mut self, fields: &mut Fields<'_>) -> Result<Option<KeyBlock>, Error> {
        let Self { block_len, output_len, .. } = *self;
        let fresh = self.inner.clone();
        self.inner.restore(block_len as u64, fields)?;
        self.outer.restore(block_len as u64, fields)?;
        let [before, inner, outer] = [&fresh, &self.inner, &self.outer].map(|state| secret_of(state));
        let (before, inner) = (before?, inner?);
        if inner.len() < before.len() + block_len {
            return Ok(None);
        }
        let mut key = Zeroizing::new([0; MAX_BLOCK]);
        let block = &mut key[..block_len];
        block.copy_from_slice(&inner[before.len()..]);
        pad_for_inner(block);
        let mut again = Self::new(block_len, output_len, fresh, block);
        let same = secret_of(&again.inner)? == inner && secret_of(&again.outer)? == outer?;
        again.zeroize();
        if same { Ok(Some(key)) } else { Err(Error::BadState { what: "its two states have different keys" }) }
    }
}

impl<S: Core> Zeroize for Keyed<S> {
    fn zeroize(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

/// Writes the leftmost bytes of the tag of one message, and overwrites the keyed states. `fresh` is
/// a hash with this block length and digest length before any input.
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

/// HMAC with a key that can be changed. [`Drbg`](crate::Drbg) uses this trait.
///
/// hashwell implements this trait for the algorithms of the registry. If you implement it yourself, make sure that your
/// implementation is correct, because hashwell cannot test it.
pub trait KeyedHmac {
    /// Returns the name of the algorithm for error messages.
    fn name(&self) -> &'static str;

    /// Returns the length of a tag in bytes, 1 to 64.
    fn output_len(&self) -> usize;

    /// Checks that the implementation may be used. For [`RowHmac`](crate::RowHmac), this is the result of the
    /// known-answer test.
    ///
    /// # Errors
    /// Returns [`Error::SelfTestFailed`] if the known-answer test has failed.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Replaces the key. The new key has [`KeyedHmac::output_len`] bytes.
    fn set_key(&mut self, key: &[u8]);

    /// Writes the tag of a message to `out`. The message is the concatenation of the slices in `message`, and `out` has
    /// [`KeyedHmac::output_len`] bytes.
    fn tag(&self, message: &[&[u8]], out: &mut [u8]);

    /// Fills `out` in pieces of [`KeyedHmac::output_len`] bytes. For each piece, replaces `v` with the tag of `v`, and
    /// copies the new `v` to `out`. The last piece can be shorter.
    ///
    /// Only the first [`KeyedHmac::output_len`] bytes of `v` are used. The other bytes are zero.
    fn chain(&self, v: &mut [u8; 64], out: &mut [u8]) {
        chain_by_definition(self.output_len(), |message, tag| self.tag(&[message], tag), v, out);
    }

    /// Computes HMAC_DRBG_Update (SP 800-90A) without data. First, `k` becomes the tag of `v` ‖ 00. Then `k` is set as
    /// the new key of the HMAC, and `v` is replaced with the tag of `v` under this key.
    ///
    /// As in [`KeyedHmac::chain`], only the first [`KeyedHmac::output_len`] bytes of `k` and `v` are used.
    fn rekey(&mut self, k: &mut [u8; 64], v: &mut [u8; 64]) {
        rekey_by_definition(self, k, v);
    }

    /// Overwrites all data that depends on the key.
    fn wipe(&mut self);
}

/// Computes [`KeyedHmac::chain`] with tags of `len` bytes.
fn chain_by_definition(len: usize, write_tag: impl Fn(&[u8], &mut [u8]), v: &mut Tag, out: &mut [u8]) {
    let mut tag = [0; MAX_DIGEST];
    for chunk in out.chunks_mut(len) {
        write_tag(&v[..len], &mut tag[..len]);
        *v = tag;
        chunk.copy_from_slice(&v[..chunk.len()]);
    }
    tag.zeroize();
}

/// Computes [`KeyedHmac::rekey`] with two tags.
fn rekey_by_definition(hmac: &mut (impl KeyedHmac + ?Sized), k: &mut Tag, v: &mut Tag) {
    let len = hmac.output_len();
    hmac.tag(&[&v[..len], &[0]], &mut k[..len]);
    hmac.set_key(&k[..len]);
    let before = Zeroizing::new(*v);
    hmac.tag(&[&before[..len]], &mut v[..len]);
}

/// Operations that a core can compute faster than by their definition.
pub(crate) trait HmacCore: Core + Clone {
    /// Computes [`KeyedHmac::chain`] with the key of these states.
    fn chain_hmac(hmac: &Rekeyable<Self>, v: &mut Tag, out: &mut [u8]) {
        hmac.keyed.chain(v, out);
    }

    /// Computes [`KeyedHmac::rekey`] for these states.
    fn rekey_hmac(hmac: &mut Rekeyable<Self>, k: &mut Tag, v: &mut Tag) {
        rekey_by_definition(hmac, k, v);
    }
}

/// HMAC whose key can be replaced, because it stores the hash before any input.
#[derive(Clone)]
pub(crate) struct Rekeyable<S> {
    /// The name of the algorithm, for errors.
    name: &'static str,
    pub(crate) fresh: S,
    pub(crate) keyed: Keyed<S>,
}

impl<S: HmacCore> Rekeyable<S> {
    /// Returns an HMAC without a key. The hash has this block length and digest length.
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
