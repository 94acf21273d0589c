//! HMAC in progress as plain data, for memory that Rust does not own.

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

/// [`Hmac`](super::Hmac) as plain data: no heap, no pointer but to statics, nothing to drop. Its bytes may be
/// copied, moved and abandoned, within the process.
///
/// It is overwritten by [`zeroize`](Zeroize::zeroize) only: that is up to its owner. The key moves with the value,
/// and moving copies: make it where it is to stay ([`PlainHmac::new_in`]), or overwrite the places it was in.
#[derive(Clone)]
pub struct PlainHmac {
    keyed: RowHmac,
    message: State<Plain>,
}

impl PlainHmac {
    /// Keys HMAC.
    ///
    /// # Errors
    /// As [`Hmac::new`](super::Hmac::new).
    pub fn new(algorithm: &'static Algorithm, key: &[u8]) -> Result<Self, Error> {
        let mut hmac = Self::unkeyed(algorithm, |hmac| hmac)?;
        hmac.set_key(key);
        Ok(hmac)
    }

    /// [`PlainHmac::new`] where it is going to stay: only as many bytes are written as the algorithm needs.
    ///
    /// # Errors
    /// As [`PlainHmac::new`]; nothing is written then.
    pub fn new_in<'a>(
        algorithm: &'static Algorithm,
        key: &[u8],
        place: &'a mut MaybeUninit<Self>,
    ) -> Result<&'a mut Self, Error> {
        wipe::try_after(algorithm.family.depth(), || {
            // The key comes when nothing is moved any more.
            let hmac = Self::unkeyed(algorithm, |hmac| place.write(hmac))?;
            hmac.set_key(key);
            Ok(hmac)
        })
    }

    #[inline(always)]
    fn unkeyed<R>(algorithm: &'static Algorithm, place: impl FnOnce(Self) -> R) -> Result<R, Error> {
        super::check(algorithm)?;
        let keyed = RowHmac::new(algorithm, None, None)?;
        Ok(keyed.fresh(|message| place(Self { message, keyed: keyed.clone() })))
    }

    fn set_key(&mut self, key: &[u8]) {
        self.keyed.set_key(key);
        self.reset();
    }

    /// Writes the tag of one message, leftmost `tag.len()` bytes.
    ///
    /// # Errors
    /// As [`Hmac::new`](super::Hmac::new), and [`Error::OutOfRange`] as [`PlainHmac::tag_into`].
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

    /// The hash underneath.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.keyed.algorithm
    }

    /// Name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.message.kernel()
    }

    /// Appends to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    /// Writes the tag of the message so far, leftmost `tag.len()` bytes. More may follow.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `tag` is empty or longer than a tag.
    pub fn tag_into(&self, tag: &mut [u8]) -> Result<(), Error> {
        super::check_tag_len(self.algorithm(), tag.len())?;
        self.keyed.finish(&self.message, tag);
        Ok(())
    }

    /// Accepts the full tag of the message so far. Constant time in the tags' bytes.
    ///
    /// # Errors
    /// [`Error::TagMismatch`] for any other bytes, truncated and empty tags included.
    pub fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        let mut computed = [0; MAX_DIGEST];
        let full = &mut computed[..self.algorithm().output];
        self.keyed.finish(&self.message, full);
        let verdict = super::verify(full, tag);
        computed.zeroize();
        verdict
    }

    /// Forgets the message, keeps the key.
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
