//! HMAC (RFC 2104, FIPS 198-1) over any algorithm of the registry that has a suitable block length.

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

/// An HMAC computation in progress.
///
/// The two padded key blocks are absorbed once, when the key is set. Each tag then costs the hash
/// of the message and one short outer hash. All state that depends on the key is overwritten on
/// drop.
///
/// ```
/// let mut mac = hashwell::Hmac::new(hashwell::find("sha256")?, b"a secret key")?;
/// mac.update(b"message");
/// let tag = mac.tag();
/// mac.verify(&tag)?;
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone)]
pub struct Hmac {
    pub(super) algorithm: &'static Algorithm,
    /// On the heap, so that a move does not copy a key.
    pub(super) states: Box<States>,
}

/// The key, and the inner hash with the message so far.
#[derive(Clone)]
pub(super) struct States {
    pub(super) keyed: Keyed<State>,
    pub(super) message: State,
}

impl Hmac {
    /// Makes an HMAC with a key of any length. A key that is longer than a block is hashed first (FIPS 198-1 step 2).
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if HMAC is not defined over the algorithm. This is the case
    /// for extendable-output functions other than BLAKE3, and for Ascon-Hash256, whose rate of 8
    /// bytes is shorter than its digest.
    pub fn new(algorithm: &'static Algorithm, key: &[u8]) -> Result<Self, Error> {
        Self::with_kernel(algorithm, key, None)
    }

    /// Makes an HMAC like [`Hmac::new`], with the kernel of this name.
    ///
    /// # Errors
    /// Returns the same errors as [`Hmac::new`], and [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the
    /// kernel cannot be used.
    pub fn with_kernel(
        algorithm: &'static Algorithm,
        key: &[u8],
        kernel: Option<&str>,
    ) -> Result<Self, Error> {
        wipe::try_after(algorithm.family.depth(), || Self::leaving_traces(algorithm, key, kernel))
    }

    /// Makes an HMAC like [`Hmac::with_kernel`], but leaves copies of the states on the stack. The
    /// caller must drop the HMAC itself: the drop overwrites the stack below the caller's frame.
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

    /// Makes an HMAC without a key.
    #[cfg(feature = "states")]
    pub(super) fn unkeyed(algorithm: &'static Algorithm) -> Result<Self, Error> {
        super::check(algorithm)?;
        let message = fresh(algorithm, None)?;
        let keyed = Keyed::unkeyed(algorithm.block, algorithm.output, message.clone());
        Ok(Self { algorithm, states: Box::new(States { keyed, message }) })
    }

    /// Returns the underlying hash algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns the length of a full tag in bytes.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.algorithm.output
    }

    /// Appends bytes to the message.
    pub fn update(&mut self, data: &[u8]) {
        self.states.message.update(data);
    }

    /// Fills `out` with the leftmost bytes of the tag of the message so far. You can append to the message afterwards.
    ///
    /// # Panics
    /// Panics if `out` is longer than [`Hmac::output_len`].
    pub fn tag_into(&self, out: &mut [u8]) {
        self.states.keyed.finish(&self.states.message, &[], out);
    }

    /// Fills `out` with the leftmost bytes of the tag of `message`. The message in progress is not used or changed.
    ///
    /// This is the fastest method to authenticate many short messages one at a time with the same
    /// key.
    ///
    /// # Panics
    /// Panics if `out` is longer than [`Hmac::output_len`].
    pub fn tag_of(&self, message: &[u8], out: &mut [u8]) {
        self.tag_of_pieces(&[message], out);
    }

    /// Writes a tag like [`Hmac::tag_of`], for the concatenation of all pieces.
    #[inline]
    pub(crate) fn tag_of_pieces(&self, message: &[&[u8]], out: &mut [u8]) {
        self.states.keyed.tag(message, out);
    }

    /// Returns the tag of the message so far.
    #[must_use]
    pub fn tag(&self) -> Vec<u8> {
        let mut out = vec![0; self.output_len()];
        self.tag_into(&mut out);
        out
    }

    /// Verifies the full tag of the message so far. Tags are compared in constant time.
    ///
    /// # Errors
    /// Returns [`Error::TagMismatch`] if the tag is wrong, truncated or empty. To verify truncated
    /// tags, use [`Hmac::verify_truncated`].
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        self.verify_truncated(tag, self.output_len())
    }

    /// Verifies a tag that consists of the leftmost `len` bytes of the full tag. Tags are compared in constant time.
    ///
    /// # Errors
    /// Returns [`Error::TagMismatch`] if the tag is wrong or does not have `len` bytes, and
    /// [`Error::OutOfRange`] if `len` is zero or longer than the full tag.
    pub fn verify_truncated(&self, tag: &[u8], len: usize) -> Result<(), Error> {
        super::check_tag_len(self.algorithm, len)?;
        let mut computed = Zeroizing::new([0; MAX_DIGEST]);
        self.tag_into(&mut computed[..len]);
        super::verify(&computed[..len], tag)
    }

    /// Starts a new message with the same key.
    pub fn reset(&mut self) {
        let States { keyed, message } = &mut *self.states;
        message.zeroize();
        message.clone_from(&keyed.inner);
    }

    /// Returns the name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.states.message.kernel()
    }
}

/// Returns the state of the hash before any message.
pub(super) fn fresh(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<State, Error> {
    algorithm.state(&Params { kernel, ..Params::default() })
}

/// Returns the key schedule of HMAC. `fresh` is the state of the hash before any message.
pub(super) fn keyed(algorithm: &Algorithm, fresh: State, key: &[u8]) -> Keyed<State> {
    Keyed::new(algorithm.block, algorithm.output, fresh, key)
}

impl Drop for Hmac {
    fn drop(&mut self) {
        let States { keyed: Keyed { inner, outer, .. }, message } = &mut *self.states;
        let depth = self.algorithm.family.depth();
        let states = [inner, outer, message].into_iter();
        // A call with depth `Near` leaves no message blocks on the stack, so no message block can get into bytes of a
        // state that its family does not overwrite. Overwriting those bytes too would take as long as overwriting the
        // stack.
        states.for_each(if depth == Depth::Near { Zeroize::zeroize } else { State::erase });
        wipe::below(depth);
    }
}

impl core::fmt::Debug for Hmac {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Hmac({})", self.algorithm.name)
    }
}

/// Returns the HMAC tag of one message.
///
/// # Errors
/// Returns the same errors as [`Hmac::new`].
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
        // HMAC replaces a long key by its digest, so the digest must fit into a block.
        assert!(crate::ALGORITHMS.iter().filter(|a| a.hmac).all(|a| a.output <= a.block));
    }
}
