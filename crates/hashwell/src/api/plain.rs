//! A hash in progress as plain data, for memory that Rust does not own.

use crate::api::hash::Reader;
use crate::families::State;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::params::Secrecy;
use crate::internal::small;
use crate::internal::storage::{Held, Plain};
use crate::internal::try_alloc::Erased;
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, Params};
use core::fmt;
use core::mem::MaybeUninit;
use zeroize::Zeroize;

/// [`Hasher`](crate::Hasher) as plain data: no heap, no pointer but to statics, nothing to drop. Its bytes may be
/// copied, moved and abandoned, within the process; kilobytes long, whatever the algorithm.
///
/// One that was made with a key is overwritten by [`zeroize`](Zeroize::zeroize) only: that is up to its owner.
/// To start again with the same parameters, keep a copy. A key moves with the value, and moving copies: make a keyed
/// one where it is to stay ([`Algorithm::plain_hasher_in`]), or overwrite the places it was in.
#[derive(Clone)]
pub struct PlainHasher {
    pub(crate) algorithm: &'static Algorithm,
    pub(crate) state: State<Plain>,
    pub(crate) output_len: usize,
    pub(crate) secrecy: Secrecy,
    /// It was made without parameters other than the output length and the kernel.
    #[cfg(feature = "states")]
    pub(crate) is_default: bool,
}

impl PlainHasher {
    /// Longest customisation of KT128 and KT256, in bytes: they need it again at the end of the message. Other
    /// algorithms have no limit of this kind.
    pub const MAX_KANGAROO_CUSTOMIZATION: usize = Held::MOST;

    /// The registry row.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Bytes of the digest: the length asked for, else the row's default.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.output_len
    }

    /// Name of the kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.state.kernel()
    }

    /// Makes it be overwritten by [`zeroize`](Zeroize::zeroize), and its reader on drop: for a message that is secret and still
    /// to come.
    pub(crate) fn keep_secret(&mut self) {
        self.secrecy = Secrecy::Secret;
    }

    /// Appends to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }

    /// Writes the digest of the message so far. More may follow.
    ///
    /// # Errors
    /// As [`Hasher::digest_into`](crate::Hasher::digest_into).
    pub fn digest_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.algorithm.check_digest_len(self.output_len, out.len())?;
        self.state.digest_with(&[], out);
        Ok(())
    }

    /// The output stream of the message so far. More may follow.
    ///
    /// # Errors
    /// As [`Hasher::into_reader`](crate::Hasher::into_reader).
    pub fn reader(&self) -> Result<Reader, Error> {
        Reader::of(self.algorithm, self.state.stream(false), self.secrecy)
    }
}

impl Algorithm {
    /// [`Algorithm::build`] as plain data.
    ///
    /// # Errors
    /// As [`Algorithm::build`]; [`Error::OutOfRange`] for a customisation of KangarooTwelve longer than
    /// [`PlainHasher::MAX_KANGAROO_CUSTOMIZATION`].
    pub fn plain_hasher(&'static self, params: &Params<'_>) -> Result<PlainHasher, Error> {
        self.plain_hasher_for(params, |hasher| hasher)
    }

    /// [`Algorithm::plain_hasher`] where it is going to stay: only as many bytes are written as the algorithm
    /// needs, which costs a tenth of moving all of them.
    ///
    /// # Errors
    /// As [`Algorithm::plain_hasher`]; nothing is written then.
    pub fn plain_hasher_in<'a>(
        &'static self,
        params: &Params<'_>,
        place: &'a mut MaybeUninit<PlainHasher>,
    ) -> Result<&'a mut PlainHasher, Error> {
        wipe::try_after(Depth::if_secret(Secrecy::of(params) == Secrecy::Secret), || {
            self.plain_hasher_for(params, |hasher| place.write(hasher))
        })
    }

    /// The output stream of a secret message.
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
        // All that is moved meanwhile lies below this frame.
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
        self.family.build_for(params, output_len, |state| {
            place(PlainHasher {
                algorithm: self,
                state,
                output_len,
                secrecy,
                #[cfg(feature = "states")]
                is_default,
            })
        })
    }
}

impl Zeroize for PlainHasher {
    /// Overwrites the state, which is of no use then, and, of a keyed one, what its methods left [on the stack](crate::wipe_stack).
    fn zeroize(&mut self) {
        if self.secrecy == Secrecy::Secret {
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
