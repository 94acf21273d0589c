//! HMAC (RFC 2104, FIPS 198-1), over any registry row that has a block size for it.

use crate::families::State;
use crate::ground::cores::Core;
use crate::ground::error::Error;
use crate::ground::keyed::{MAX_BLOCK, MAX_DIGEST};
use crate::ground::wipe;
use crate::registry::{Algorithm, Params};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::{Zeroize, Zeroizing};

/// HMAC in progress. The two padded key blocks are absorbed once, when the key is set; each tag costs
/// the message and one short outer hash.
///
/// All key-dependent state is overwritten on drop.
#[derive(Clone)]
pub struct Hmac {
    algorithm: &'static Algorithm,
    /// On the heap, so that moving it copies no key.
    states: Box<States>,
}

/// H's states after (key ⊕ ipad) and (key ⊕ opad), and the former with the message so far.
#[derive(Clone)]
struct States {
    inner: State,
    outer: State,
    message: State,
}

impl Hmac {
    /// Keys HMAC. A key of any length is accepted; one longer than the block is hashed first (FIPS 198-1
    /// step 2).
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a row without a block size for HMAC: an extendable-output function
    /// other than BLAKE3, or Ascon-Hash256, whose 8-byte rate is shorter than its digest.
    pub fn new(algorithm: &'static Algorithm, key: &[u8]) -> Result<Self, Error> {
        Self::with_kernel(algorithm, key, None)
    }

    /// As [`Hmac::new`], on the kernel of this name.
    ///
    /// # Errors
    /// As [`Hmac::new`], and [`Error::UnknownBackend`] or [`Error::UnavailableBackend`].
    pub fn with_kernel(
        algorithm: &'static Algorithm,
        key: &[u8],
        kernel: Option<&str>,
    ) -> Result<Self, Error> {
        if !algorithm.hmac {
            return Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC" });
        }
        wipe::after(algorithm.family.leaves_blocks(), || {
            let (inner, outer) = states(algorithm, key, kernel)?;
            Ok(Self { algorithm, states: Box::new(States { message: inner.clone(), inner, outer }) })
        })
    }

    /// The hash underneath.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Bytes of a tag.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.algorithm.output
    }

    /// Appends to the message.
    pub fn update(&mut self, data: &[u8]) {
        self.states.message.update(data);
    }

    /// Writes the tag of the message so far, leftmost `out.len()` bytes. More may follow.
    ///
    /// # Panics
    /// If `out` is longer than [`Hmac::output_len`].
    pub fn tag_into(&self, out: &mut [u8]) {
        self.finish(&self.states.message, &[], out);
    }

    /// Writes the tag of one message, leftmost `out.len()` bytes, whatever [`Hmac::update`] was given: the
    /// fastest way to tag many short messages one by one under a key.
    ///
    /// # Panics
    /// If `out` is longer than [`Hmac::output_len`].
    pub fn tag_of(&self, message: &[u8], out: &mut [u8]) {
        self.finish(&self.states.inner, message, out);
    }

    /// The outer hash of the inner one, which ends with `last`.
    fn finish(&self, inner: &State, last: &[u8], out: &mut [u8]) {
        let mut both = [[0; MAX_DIGEST]; 2];
        let [digest, tag] = &mut both;
        let len = self.algorithm.output;
        inner.digest_with(last, &mut digest[..len]);
        self.states.outer.digest_with(&digest[..len], &mut tag[..len]);
        out.copy_from_slice(&tag[..len][..out.len()]);
        both = [[0; MAX_DIGEST]; 2];
        zeroize::optimization_barrier(&both);
    }

    /// The tag of the message so far.
    #[must_use]
    pub fn tag(&self) -> Vec<u8> {
        let mut out = vec![0; self.output_len()];
        self.tag_into(&mut out);
        out
    }

    /// Accepts the full tag of the message so far. Constant time in the tags' bytes.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] for any other bytes, truncated and empty tags included. A protocol that
    /// truncates compares with [`Hmac::verify_truncated`].
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        self.verify_truncated(tag, self.output_len())
    }

    /// Accepts the leftmost `len` bytes of the tag. Constant time in the tags' bytes.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] for any other bytes; [`Error::OutOfRange`] if `len` is zero or longer than
    /// the full tag.
    pub fn verify_truncated(&self, tag: &[u8], len: usize) -> Result<(), Error> {
        if len == 0 || len > self.output_len() {
            return Err(Error::OutOfRange {
                algorithm: self.algorithm.name,
                what: "tag length",
                unit: "bytes",
                min: 1,
                max: self.output_len() as u64,
                got: len as u64,
            });
        }
        let computed = Zeroizing::new(self.tag());
        super::verify(&computed[..len], tag)
    }

    /// Forgets the message, keeps the key.
    pub fn reset(&mut self) {
        let States { inner, message, .. } = &mut *self.states;
        message.zeroize();
        message.clone_from(inner);
    }

    /// Name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.states.message.kernel()
    }
}

/// H's states after (key ⊕ ipad) and (key ⊕ opad). The row allows HMAC.
pub(crate) fn states(
    algorithm: &'static Algorithm,
    key: &[u8],
    kernel: Option<&str>,
) -> Result<(State, State), Error> {
    let fresh = algorithm.state(&Params { kernel, ..Params::default() })?;
    let mut block = Zeroizing::new([0; MAX_BLOCK]);
    let block = &mut block[..algorithm.block];
    if key.len() > algorithm.block {
        let mut hash = fresh.clone();
        hash.update(key);
        hash.finalize_into(&mut block[..algorithm.output]);
        hash.zeroize();
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let mut padded = |pad: u8| {
        let mut state = fresh.clone();
        block.iter_mut().for_each(|byte| *byte ^= pad);
        state.update(block);
        block.iter_mut().for_each(|byte| *byte ^= pad);
        state
    };
    Ok((padded(0x36), padded(0x5c)))
}

impl Drop for Hmac {
    fn drop(&mut self) {
        let States { inner, outer, message } = &mut *self.states;
        let states = [inner, outer, message].into_iter();
        if self.algorithm.family.leaves_blocks() {
            states.for_each(State::erase);
            wipe::below();
        } else {
            states.for_each(Zeroize::zeroize);
        }
    }
}

impl core::fmt::Debug for Hmac {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Hmac({})", self.algorithm.name)
    }
}

/// The HMAC tag of one message.
///
/// # Errors
/// As [`Hmac::new`].
pub fn hmac(algorithm: &'static Algorithm, key: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
    let mut tag = vec![0; algorithm.output];
    Hmac::new(algorithm, key)?.tag_of(message, &mut tag);
    Ok(tag)
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_digest_is_longer_than_the_buffer() {
        let longest = crate::ALGORITHMS.iter().filter(|a| a.hmac).map(|a| a.output).max();
        assert_eq!(longest, Some(super::MAX_DIGEST));
        let longest = crate::ALGORITHMS.iter().filter(|a| a.hmac).map(|a| a.block).max();
        assert_eq!(longest, Some(super::MAX_BLOCK));
        // HMAC hashes a long key into a block: the digest must fit.
        assert!(crate::ALGORITHMS.iter().filter(|a| a.hmac).all(|a| a.output <= a.block));
    }
}
