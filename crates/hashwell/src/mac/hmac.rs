//! HMAC (RFC 2104, FIPS 198-1), over any registry row that has a block size for it.

use crate::families::State;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::keyed::{Keyed, MAX_DIGEST};
use crate::internal::wipe::{self, Depth};
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

/// The key, and the inner hash with the message so far.
#[derive(Clone)]
struct States {
    keyed: Keyed<State>,
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
    /// As [`Hmac::new`], and [`Error::UnknownKernel`] or [`Error::UnavailableKernel`].
    pub fn with_kernel(
        algorithm: &'static Algorithm,
        key: &[u8],
        kernel: Option<&str>,
    ) -> Result<Self, Error> {
        wipe::try_after(algorithm.family.depth(), || Self::leaving_traces(algorithm, key, kernel))
    }

    /// As [`Hmac::with_kernel`], for callers that drop it themselves, which overwrites the stack from where they are: copies of
    /// the states stay there until then.
    #[inline(never)]
    pub(crate) fn leaving_traces(
        algorithm: &'static Algorithm,
        key: &[u8],
        kernel: Option<&str>,
    ) -> Result<Self, Error> {
        super::check(algorithm)?;
        let keyed = keyed(algorithm, fresh(algorithm, kernel)?, key);
        Ok(Self { algorithm, states: Box::new(States { message: keyed.inner.clone(), keyed }) })
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
        self.states.keyed.finish(&self.states.message, &[], out);
    }

    /// Writes the tag of one message, leftmost `out.len()` bytes, whatever [`Hmac::update`] was given: the
    /// fastest way to tag many short messages one by one under a key.
    ///
    /// # Panics
    /// If `out` is longer than [`Hmac::output_len`].
    pub fn tag_of(&self, message: &[u8], out: &mut [u8]) {
        self.tag_of_pieces(&[message], out);
    }

    /// As [`Hmac::tag_of`], of all pieces one after the other.
    #[inline]
    pub(crate) fn tag_of_pieces(&self, message: &[&[u8]], out: &mut [u8]) {
        self.states.keyed.tag(message, out);
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
        super::check_tag_len(self.algorithm, len)?;
        let mut computed = Zeroizing::new([0; MAX_DIGEST]);
        self.tag_into(&mut computed[..len]);
        super::verify(&computed[..len], tag)
    }

    /// Forgets the message, keeps the key.
    pub fn reset(&mut self) {
        let States { keyed, message } = &mut *self.states;
        message.zeroize();
        message.clone_from(&keyed.inner);
    }

    /// Name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.states.message.kernel()
    }
}

/// The row's hash before a message.
pub(super) fn fresh(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<State, Error> {
    algorithm.state(&Params { kernel, ..Params::default() })
}

/// The key of HMAC over a row that allows it, whose hash before a message is `fresh`.
pub(super) fn keyed(algorithm: &Algorithm, fresh: State, key: &[u8]) -> Keyed<State> {
    Keyed::new(algorithm.block, algorithm.output, fresh, key)
}

impl Drop for Hmac {
    fn drop(&mut self) {
        let States { keyed: Keyed { inner, outer, .. }, message } = &mut *self.states;
        let depth = self.algorithm.family.depth();
        let states = [inner, outer, message].into_iter();
        // Where no blocks lie on the stack, none come from there into the bytes of a state that its family leaves alone, and to
        // overwrite these too takes as long as the stack.
        states.for_each(if depth == Depth::Near { Zeroize::zeroize } else { State::erase });
        wipe::below(depth);
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
    Hmac::leaving_traces(algorithm, key, None)?.tag_of(message, &mut tag);
    Ok(tag)
}

#[cfg(test)]
mod tests {
    use crate::internal::keyed::{MAX_BLOCK, MAX_DIGEST};

    #[test]
    fn no_digest_is_longer_than_the_buffer() {
        let longest = crate::ALGORITHMS.iter().filter(|a| a.hmac).map(|a| a.output).max();
        assert_eq!(longest, Some(MAX_DIGEST));
        let longest = crate::ALGORITHMS.iter().filter(|a| a.hmac).map(|a| a.block).max();
        assert_eq!(longest, Some(MAX_BLOCK));
        // HMAC hashes a long key into a block: the digest must fit.
        assert!(crate::ALGORITHMS.iter().filter(|a| a.hmac).all(|a| a.output <= a.block));
    }
}
