//! HMAC in progress as plain data, for memory that Rust does not own.

use super::inline::RowHmac;
use crate::error::Error;
use crate::family::{Core, State};
use crate::mac::{KeyedHmac, MAX_DIGEST};
use crate::registry::Algorithm;
use crate::storage::Inline;
use core::fmt;
use core::mem::MaybeUninit;
use zeroize::Zeroize;

/// [`Hmac`](super::Hmac) as plain data: no heap, no pointer but to statics, nothing to drop. Its bytes may be
/// copied, moved and abandoned, within the process.
///
/// It is overwritten by [`zeroize`](Zeroize::zeroize) only: that is up to its owner.
#[derive(Clone)]
pub struct PlainHmac {
    keyed: RowHmac,
    message: State<Inline>,
}

impl PlainHmac {
    /// Keys HMAC.
    ///
    /// # Errors
    /// As [`Hmac::new`](super::Hmac::new).
    pub fn new(algorithm: &'static Algorithm, key: &[u8]) -> Result<Self, Error> {
        Self::new_for(algorithm, key, |hmac| hmac)
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
        Self::new_for(algorithm, key, |hmac| place.write(hmac))
    }

    #[inline(always)]
    fn new_for<R>(
        algorithm: &'static Algorithm,
        key: &[u8],
        place: impl FnOnce(Self) -> R,
    ) -> Result<R, Error> {
        let mut keyed = keyed(algorithm, key)?;
        let placed = keyed.begin(|message| place(Self { message, keyed: keyed.clone() }));
        keyed.wipe();
        Ok(placed)
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
        let mut keyed = keyed(algorithm, key)?;
        let done = leftmost(algorithm, tag, |full| keyed.tag(&[message], full));
        keyed.wipe();
        done
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
        leftmost(self.algorithm(), tag, |full| self.keyed.finish(&self.message, full))
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

fn keyed(algorithm: &'static Algorithm, key: &[u8]) -> Result<RowHmac, Error> {
    if !algorithm.hmac {
        return Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC" });
    }
    let mut keyed = RowHmac::untested(algorithm, None)?;
    keyed.set_any_key(key);
    Ok(keyed)
}

/// Writes the beginning of what `write` writes.
fn leftmost(algorithm: &Algorithm, tag: &mut [u8], write: impl FnOnce(&mut [u8])) -> Result<(), Error> {
    let len = algorithm.output;
    if tag.is_empty() || tag.len() > len {
        return Err(algorithm.out_of_range("tag length", "bytes", 1, len as u64, tag.len() as u64));
    }
    let mut full = [0; MAX_DIGEST];
    write(&mut full[..len]);
    tag.copy_from_slice(&full[..tag.len()]);
    full.zeroize();
    Ok(())
}

impl Zeroize for PlainHmac {
    fn zeroize(&mut self) {
        self.keyed.wipe();
        self.message.zeroize();
    }
}

impl fmt::Debug for PlainHmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainHmac({})", self.algorithm().name)
    }
}
