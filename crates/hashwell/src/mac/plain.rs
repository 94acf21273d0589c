//! HMAC states as plain data, for memory that Rust does not own.

use super::row::RowHmac;
use crate::families::State;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::keyed::MAX_DIGEST;
use crate::internal::storage::Plain;
use crate::internal::wipe;
use crate::mac::KeyedHmac;
use crate::registry::Algorithm;
use core::fmt;
use core::mem::MaybeUninit;
use zeroize::Zeroize;

/// An [`Hmac`](super::Hmac) as plain data. It uses no heap, contains no pointers except to statics, and does not have
/// to be dropped.
///
/// You can copy, move or discard its bytes within the process. The state is overwritten only if you call
/// [`zeroize`](Zeroize::zeroize). Every move copies the key. So create the state in its final place with
/// [`PlainHmac::new_in`], or overwrite the memory from which you moved it.
///
/// ```
/// let mut mac = hashwell::PlainHmac::new(hashwell::find("sha256")?, b"a secret key")?;
/// mac.update(b"message");
/// let mut tag = [0; 32];
/// mac.tag_into(&mut tag)?;
/// mac.verify(&tag)?;
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone)]
pub struct PlainHmac {
    pub(super) keyed: RowHmac,
    pub(super) message: State<Plain>,
}

impl PlainHmac {
    /// Makes an HMAC with a key of any length.
    ///
    /// # Errors
    /// Returns the same errors as [`Hmac::new`](super::Hmac::new).
    pub fn new(algorithm: &'static Algorithm, key: &[u8]) -> Result<Self, Error> {
        let mut hmac = Self::unkeyed(algorithm, |hmac| hmac)?;
        hmac.set_key(key);
        Ok(hmac)
    }

    /// Makes an HMAC like [`PlainHmac::new`], directly in `place`. This function writes only the bytes that the
    /// algorithm needs.
    ///
    /// # Errors
    /// Returns the same errors as [`PlainHmac::new`]. After an error, `place` is unchanged.
    pub fn new_in<'a>(
        algorithm: &'static Algorithm,
        key: &[u8],
        place: &'a mut MaybeUninit<Self>,
    ) -> Result<&'a mut Self, Error> {
        wipe::try_after(algorithm.family.depth(), || {
            // The key is set after the last move, so that no copy of it is left behind.
            let hmac = Self::unkeyed(algorithm, |hmac| place.write(hmac))?;
            hmac.set_key(key);
            Ok(hmac)
        })
    }

    #[inline(always)]
    pub(super) fn unkeyed<R>(
        algorithm: &'static Algorithm,
        place: impl FnOnce(Self) -> R,
    ) -> Result<R, Error> {
        super::check(algorithm)?;
        let keyed = RowHmac::new(algorithm, None, None)?;
        Ok(keyed.fresh(|message| place(Self { message, keyed: keyed.clone() })))
    }

    fn set_key(&mut self, key: &[u8]) {
        self.keyed.set_key(key);
        self.reset();
    }

    /// Fills `tag` with the leftmost bytes of the tag of one message.
    ///
    /// # Errors
    /// Returns the same errors as [`Hmac::new`](super::Hmac::new) and [`PlainHmac::tag_into`].
    pub fn tag_of(
        algorithm: &'static Algorithm,
        key: &[u8],
        message: &[u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        super::check(algorithm)?;
        super::check_tag_len(algorithm, tag.len())?;
        algorithm.family.tag(algorithm.block, algorithm.output, key, message, tag)
    }

    /// Returns the underlying hash algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.keyed.algorithm
    }

    /// Returns the name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.message.kernel()
    }

    /// Appends bytes to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    /// Fills `tag` with the leftmost bytes of the full tag of the message so far. You can append to the message
    /// afterwards.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if `tag` is empty or longer than the full tag.
    pub fn tag_into(&self, tag: &mut [u8]) -> Result<(), Error> {
        super::check_tag_len(self.algorithm(), tag.len())?;
        self.keyed.finish(&self.message, tag);
        Ok(())
    }

    /// Verifies the full tag of the message so far. Tags are compared in constant time.
    ///
    /// # Errors
    /// Returns [`Error::TagMismatch`] if the tag is wrong, truncated or empty.
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        let mut computed = [0; MAX_DIGEST];
        let full = &mut computed[..self.algorithm().output];
        self.keyed.finish(&self.message, full);
        let verdict = super::verify(full, tag);
        computed.zeroize();
        verdict
    }

    /// Starts a new message with the same key.
    pub fn reset(&mut self) {
        let Self { keyed, message } = self;
        message.zeroize();
        keyed.begin(|fresh| *message = fresh);
    }
}

impl Zeroize for PlainHmac {
    fn zeroize(&mut self) {
        self.message.erase();
        self.keyed.wipe();
    }
}

impl fmt::Debug for PlainHmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainHmac({})", self.algorithm().name)
    }
}
