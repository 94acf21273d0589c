//! Hash states as plain data, for memory that Rust does not own.

use crate::api::hash::Reader;
use crate::families::State;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::params::Secrecy;
#[cfg(feature = "states")]
use crate::internal::saved::Saved;
use crate::internal::small;
use crate::internal::storage::{Held, Plain};
use crate::internal::try_alloc::Erased;
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, Params};
use core::fmt;
use core::mem::MaybeUninit;
use zeroize::Zeroize;

/// A [`Hasher`](crate::Hasher) as plain data. It uses no heap, contains no pointers except to statics, and does not
/// have to be dropped.
///
/// You can copy, move or discard its bytes within the process. Its size is a few kilobytes for every algorithm. To hash
/// several messages with the same parameters, keep a copy of the state before the first message.
///
/// A state with a key is overwritten only if you call [`zeroize`](Zeroize::zeroize). Every move copies the key. So
/// create a state with a key in its final place with [`Algorithm::plain_hasher_in`], or overwrite the memory from which
/// you moved it.
///
/// ```
/// let mut hasher = hashwell::find("sha256")?.plain_hasher(&hashwell::Params::default())?;
/// hasher.update(b"abc");
/// let mut digest = [0; 32];
/// hasher.digest_into(&mut digest)?;
/// assert_eq!(digest, hashwell::Sha256::digest(b"abc"));
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone)]
pub struct PlainHasher {
    pub(crate) algorithm: &'static Algorithm,
    pub(crate) state: State<Plain>,
    pub(crate) output_len: usize,
    pub(crate) secrecy: Secrecy,
    /// True if the state was made without parameters other than the output length and the kernel.
    #[cfg(feature = "states")]
    pub(crate) is_default: bool,
    /// The key, if the state was made with no parameters other than a key, the output length and the
    /// kernel.
    #[cfg(feature = "states")]
    pub(crate) key: Option<HeldKey>,
    /// The number of bytes that the state absorbed before the message, which is the length of the key block if there is
    /// one.
    #[cfg(feature = "states")]
    pub(crate) before: u32,
}

/// A copy of a key of BLAKE2 or BLAKE3.
#[cfg(feature = "states")]
#[derive(Clone)]
pub(crate) struct HeldKey {
    len: u8,
    bytes: [u8; Self::MOST],
}

#[cfg(feature = "states")]
impl HeldKey {
    /// The maximum length of a key in bytes.
    const MOST: usize = 64;

    /// Returns a copy of a key whose length the registry has checked.
    fn of(key: &[u8]) -> Self {
        let mut bytes = [0; Self::MOST];
        bytes[..key.len()].copy_from_slice(key);
        Self { len: key.len() as u8, bytes }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl PlainHasher {
    /// The maximum length of a customization string for KT128 and KT256 in bytes.
    ///
    /// These algorithms need the string again at the end of the message, so the state holds a copy
    /// of it. Other algorithms have no such limit.
    pub const MAX_KANGAROO_CUSTOMIZATION: usize = Held::MOST;

    /// Returns the algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns the length of the digest in bytes: the requested length, or the default length of the algorithm.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.output_len
    }

    /// Returns the name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.state.kernel()
    }

    /// Marks the state as secret, for a secret message. [`zeroize`](Zeroize::zeroize) then
    /// overwrites the state, and its reader is overwritten on drop.
    pub(crate) fn keep_secret(&mut self) {
        self.secrecy = Secrecy::Secret;
    }

    /// Appends bytes to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }

    /// Writes the digest of the message so far. You can append to the message afterwards.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::digest_into`](crate::Hasher::digest_into).
    pub fn digest_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.algorithm.check_digest_len(self.output_len, out.len())?;
        self.state.digest_with(&[], out);
        Ok(())
    }

    /// Returns the output stream of the message so far. You can append to the message afterwards.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::into_reader`](crate::Hasher::into_reader).
    pub fn reader(&self) -> Result<Reader, Error> {
        Reader::of(self.algorithm, self.state.stream(false), self.secrecy)
    }
}

impl Algorithm {
    /// Creates a state with these parameters, like [`Algorithm::build`], but as plain data.
    ///
    /// # Errors
    /// Returns the same errors as [`Algorithm::build`], and [`Error::OutOfRange`] if the customization string of KT128
    /// or KT256 is longer than [`PlainHasher::MAX_KANGAROO_CUSTOMIZATION`].
    pub fn plain_hasher(&'static self, params: &Params<'_>) -> Result<PlainHasher, Error> {
        self.plain_hasher_for(params, |hasher| hasher)
    }

    /// Creates a state like [`Algorithm::plain_hasher`], directly in `place`.
    ///
    /// This method writes only the bytes that the algorithm needs, which takes about a tenth of the
    /// time of moving a whole [`PlainHasher`].
    ///
    /// # Errors
    /// Returns the same errors as [`Algorithm::plain_hasher`]. After an error, `place` is unchanged.
    pub fn plain_hasher_in<'a>(
        &'static self,
        params: &Params<'_>,
        place: &'a mut MaybeUninit<PlainHasher>,
    ) -> Result<&'a mut PlainHasher, Error> {
        wipe::try_after(Depth::if_secret(Secrecy::of(params) == Secrecy::Secret), || {
            self.plain_hasher_for(params, |hasher| place.write(hasher))
        })
    }

    /// Returns the output stream of a secret message.
    pub(crate) fn secret_reader(
        &'static self,
        params: &Params<'_>,
        data: &[u8],
    ) -> Result<Erased<Reader>, Error> {
        if small::NO_PLAIN_STATES {
            return wipe::try_after(Depth::Usual, || {
                let mut state = self.state(params)?;
                state.update(data);
                let reader = Reader::of(self, state.stream(false), Secrecy::Secret).and_then(Erased::new);
                state.erase();
                reader
            });
        }
        if params.customization.len() > Held::MOST {
            let mut hasher = self.build(params)?;
            hasher.keep_secret();
            hasher.update(data);
            return hasher.into_reader().and_then(Erased::new);
        }
        // All intermediate copies are below this stack frame.
        wipe::try_after(Depth::Usual, || {
            let mut place = MaybeUninit::uninit();
            let hasher = self.plain_hasher_in(params, &mut place)?;
            hasher.keep_secret();
            hasher.update(data);
            let reader = hasher.reader().and_then(Erased::new);
            hasher.state.erase();
            reader
        })
    }

    #[inline(always)]
    fn plain_hasher_for<R>(
        &'static self,
        params: &Params<'_>,
        place: impl FnOnce(PlainHasher) -> R,
    ) -> Result<R, Error> {
        let output_len = self.check(params)?;
        let secrecy = Secrecy::of(params);
        #[cfg(feature = "states")]
        let is_default = Params { output_len: None, ..*params }.is_plain();
        #[cfg(feature = "states")]
        let key = params.key.filter(|_| Params { output_len: None, key: None, ..*params }.is_plain());
        self.family.build_for(params, output_len, |state: State<Plain>| {
            #[cfg(feature = "states")]
            let before = state.message_len() as u32;
            place(PlainHasher {
                algorithm: self,
                state,
                output_len,
                secrecy,
                #[cfg(feature = "states")]
                is_default,
                #[cfg(feature = "states")]
                key: key.map(HeldKey::of),
                #[cfg(feature = "states")]
                before,
            })
        })
    }
}

impl Zeroize for PlainHasher {
    /// Overwrites the state, which you must not use afterwards. If the state has a key, this also
    /// overwrites the data that its methods left [on the stack](crate::wipe_stack).
    fn zeroize(&mut self) {
        if self.secrecy == Secrecy::Secret {
            #[cfg(feature = "states")]
            if let Some(key) = &mut self.key {
                key.bytes.zeroize();
            }
            self.state.erase();
            wipe::below(Depth::Usual);
        } else {
            self.state.zeroize();
        }
    }
}

impl fmt::Debug for PlainHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainHasher({})", self.algorithm.name)
    }
}
