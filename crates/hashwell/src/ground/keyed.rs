//! HMAC's keyed states, and what HMAC-DRBG does with them, step by step as the standards say. A core may do the
//! same in registers.

use crate::ground::cores::Core;
use crate::ground::error::Error;
use zeroize::{Zeroize, Zeroizing};

/// Longest block of a row that HMAC accepts, in bytes; a test of `mac` compares both with the registry.
pub(crate) const MAX_BLOCK: usize = 144;

/// Longest digest of a row that HMAC accepts, in bytes.
pub(crate) const MAX_DIGEST: usize = 64;

/// A tag of HMAC, or a key as long, filled with zeros.
pub(crate) type Tag = [u8; 64];

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
        chain_by_definition(self, v, out);
    }

    /// HMAC_DRBG_Update without data: `k` becomes the tag of `v` ‖ 00 and the new key, `v` its own tag under it.
    /// Lengths as for [`KeyedHmac::chain`].
    fn rekey(&mut self, k: &mut [u8; 64], v: &mut [u8; 64]) {
        rekey_by_definition(self, k, v);
    }

    /// Overwrites all that depends on the key.
    fn wipe(&mut self);
}

pub(crate) fn chain_by_definition(hmac: &(impl KeyedHmac + ?Sized), v: &mut Tag, out: &mut [u8]) {
    let mut tag = [0; MAX_DIGEST];
    let len = hmac.output_len();
    for chunk in out.chunks_mut(len) {
        hmac.tag(&[&v[..len]], &mut tag[..len]);
        *v = tag;
        chunk.copy_from_slice(&v[..chunk.len()]);
    }
    tag.zeroize();
}

pub(crate) fn rekey_by_definition(hmac: &mut (impl KeyedHmac + ?Sized), k: &mut Tag, v: &mut Tag) {
    let len = hmac.output_len();
    hmac.tag(&[&v[..len], &[0]], &mut k[..len]);
    hmac.set_key(&k[..len]);
    let before = Zeroizing::new(*v);
    hmac.tag(&[&before[..len]], &mut v[..len]);
}

/// What a core may do faster than by definition.
pub(crate) trait HmacCore: Core + Clone {
    /// [`KeyedHmac::chain`] under the key of these states.
    fn chain_hmac(states: &Midstates<Self>, v: &mut Tag, out: &mut [u8]) {
        chain_by_definition(states, v, out);
    }

    /// [`KeyedHmac::rekey`] of these states.
    fn rekey_hmac(states: &mut Midstates<Self>, k: &mut Tag, v: &mut Tag) {
        rekey_by_definition(states, k, v);
    }
}

/// H's states before a message, after (key ⊕ ipad) and after (key ⊕ opad).
#[derive(Clone)]
pub(crate) struct Midstates<S> {
    /// The row's name, for errors, its block and its digest in bytes.
    name: &'static str,
    block_len: usize,
    output_len: usize,
    pub(crate) fresh: S,
    pub(crate) inner: S,
    pub(crate) outer: S,
}

impl<S: HmacCore> Midstates<S> {
    /// Under no key yet, of a hash with such a block and digest.
    pub(crate) fn new(name: &'static str, block_len: usize, output_len: usize, fresh: S) -> Self {
        Self { name, block_len, output_len, inner: fresh.clone(), outer: fresh.clone(), fresh }
    }
}

impl<S: HmacCore> KeyedHmac for Midstates<S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn output_len(&self) -> usize {
        self.output_len
    }

    fn set_key(&mut self, key: &[u8]) {
        let Self { block_len, fresh, inner, outer, .. } = self;
        let mut block = [0; MAX_BLOCK];
        for (state, pad) in [(inner, 0x36), (outer, 0x5c)] {
            let block = &mut block[..*block_len];
            block.fill(pad);
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            state.clone_from(fresh);
            state.update(block);
        }
        block = [0; MAX_BLOCK];
        zeroize::optimization_barrier(&block);
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        let mut digest = [0; MAX_DIGEST];
        let digest = &mut digest[..out.len()];
        let mut state = self.inner.clone();
        message.iter().for_each(|piece| state.update(piece));
        state.finalize_into(digest);
        state.zeroize();
        self.outer.digest_with(digest, out);
        digest.fill(0);
        zeroize::optimization_barrier(digest);
    }

    fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        S::chain_hmac(self, v, out);
    }

    fn rekey(&mut self, k: &mut Tag, v: &mut Tag) {
        S::rekey_hmac(self, k, v);
    }

    fn wipe(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}
