//! Saves hashes in progress as bytes, so that they can be continued later or on a different
//! machine. `docs/spec/state.md` specifies the format.

use crate::api::hash::Hasher;
use crate::api::plain::PlainHasher;
use crate::api::typed::Sha256;
use crate::internal::error::Error;
use crate::internal::params::{Params, Secrecy};
use crate::internal::saved::{
    BAD_PARAMETERS, Fields, LONGEST, ROOM, Saved, check_continued, decoded, encoded, secret_of,
};
use crate::internal::try_alloc;
use crate::internal::wipe::{self, Depth};
use crate::registry::{ALGORITHMS, Algorithm};
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use zeroize::{Zeroize, Zeroizing};

const MAGIC: [u8; 4] = *b"HWST";
const VERSION: u8 = 1;
const CHECK: usize = 8;

/// The kind of a saved state. All kinds but the first contain a key.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum SavedKind {
    /// A hash without a key.
    Hash = 0,
    /// BLAKE2 or BLAKE3 with a key, or a key derivation.
    KeyedHash = 1,
    Hmac = 2,
    Kmac = 3,
}

impl SavedKind {
    fn of(number: u8) -> Option<Self> {
        [Self::Hash, Self::KeyedHash, Self::Hmac, Self::Kmac].into_iter().find(|kind| *kind as u8 == number)
    }

    /// Returns the error for a saved state of kind `got` if a state of kind `self` is expected.
    fn refusal(self, got: Self) -> Error {
        let what = match (self, got) {
            (Self::Hash, _) => "it contains a key, so only the functions for secret states read it",
            (_, Self::Hash) => "it contains no key, so the functions for secret states do not read it",
            (_, Self::KeyedHash) => "it is the state of a hash with a key",
            (_, Self::Hmac) => "it is the state of an HMAC",
            (_, Self::Kmac) => "it is the state of a KMAC",
        };
        Error::BadState { what }
    }
}

/// Returns a saved state. Its memory is allocated at its final size, so that no copy is left
/// behind.
pub(crate) fn save(
    kind: SavedKind,
    algorithm: &Algorithm,
    parameters: &[u8],
    length: u64,
    states: &[&dyn Saved],
) -> Result<Vec<u8>, Error> {
    let mut out = try_alloc::list(parameters.len() + ROOM)?;
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&[VERSION, kind as u8]);
    out.extend_from_slice(&(algorithm.id as u16).to_le_bytes());
    out.extend_from_slice(&(parameters.len() as u32).to_le_bytes());
    out.extend_from_slice(parameters);
    out.extend_from_slice(&length.to_le_bytes());
    states.iter().for_each(|state| state.save(&mut out));
    let check = Sha256::digest(&out);
    out.extend_from_slice(&check[..CHECK]);
    Ok(out)
}

/// Returns a saved state that contains a key.
pub(crate) fn save_secret(
    kind: SavedKind,
    algorithm: &Algorithm,
    parameters: &[u8],
    length: u64,
    states: &[&dyn Saved],
) -> Result<Zeroizing<Vec<u8>>, Error> {
    wipe::try_after(Depth::Usual, || save(kind, algorithm, parameters, length, states).map(Zeroizing::new))
}

/// The fields of a saved state before the core's own part.
pub(crate) struct Saving<'a> {
    pub(crate) algorithm: &'static Algorithm,
    parameters: &'a [u8],
    params: Params<'a>,
    pub(crate) length: u64,
    pub(crate) core: Fields<'a>,
}

impl<'a> Saving<'a> {
    pub(crate) fn read(bytes: &'a [u8], kind: SavedKind) -> Result<Self, Error> {
        let (body, check) = bytes.split_last_chunk::<CHECK>().ok_or(Fields::TOO_SHORT)?;
        let mut fields = Fields(body);
        if *fields.array()? != MAGIC {
            return Err(Error::BadState { what: "it does not begin with HWST" });
        }
        let [version, got] = *fields.array()?;
        let got = SavedKind::of(got).filter(|_| version == VERSION);
        let got = got.ok_or(Error::BadState { what: "its version or its kind is not supported" })?;
        if Sha256::digest(body)[..CHECK] != check[..] {
            return Err(Error::BadState {
                what: "its check value does not match: bytes are missing or wrong",
            });
        }
        if got != kind {
            return Err(kind.refusal(got));
        }
        let id = u32::from(u16::from_le_bytes(*fields.array()?));
        let algorithm = ALGORITHMS.iter().find(|row| row.id == id);
        let algorithm = algorithm.ok_or(Error::BadState { what: "its algorithm is unknown" })?;
        let parameters = fields.prefixed()?;
        let params = decoded(Fields(parameters))?;
        // Only one encoding is accepted: parameters in order, without duplicates and without
        // defaults.
        let secret = Secrecy::of(&params) == Secrecy::Secret;
        if secret != (kind == SavedKind::KeyedHash)
            || **encoded(algorithm.name, algorithm.output, &params)? != *parameters
        {
            return Err(BAD_PARAMETERS);
        }
        let length = u64::from_le_bytes(*fields.array()?);
        if length >= LONGEST {
            return Err(Error::BadState { what: "it counts more than 2^61 - 1 message bytes" });
        }
        Ok(Self { algorithm, parameters, params, length, core: fields })
    }

    /// Restores a hash. `state` has the saved parameters and no message.
    fn restore(mut self, state: &mut dyn Saved) -> Result<(), Error> {
        // The block of a key counts as bytes of the message.
        let before = state.message_len();
        if before == 0 {
            state.restore(self.length, &mut self.core)?;
            return self.end();
        }
        let start = secret_of(state)?;
        state.restore(before + self.length, &mut self.core)?;
        check_continued(&start, state, self.length)?;
        self.end()
    }

    /// Checks that no bytes are left.
    pub(crate) fn end(self) -> Result<(), Error> {
        if self.core.0.is_empty() {
            Ok(())
        } else {
            Err(Error::BadState { what: "it is longer than the number of message bytes allows" })
        }
    }
}

const SECRET: &str = "exporting a state that depends on a key (use to_secret_bytes)";
const NOT_SECRET: &str = "exporting a state without a key as secret bytes (use to_bytes)";

impl Hasher {
    /// Saves the state as bytes. You can restore it with [`Hasher::from_bytes`], even on a different machine, or in a
    /// different programming language.
    ///
    /// The result has at most 4 KiB plus the length of the parameters. `docs/spec/state.md`
    /// specifies the format.
    ///
    /// **Saved states are as secret as the message.** Some states contain the last bytes of the message. From the state
    /// of a sponge, an attacker can compute the last block. The check value detects accidental corruption but not
    /// tampering. If others can write to the place where you store states, authenticate the states.
    ///
    /// ```
    /// let mut hasher = hashwell::find("sha256")?.hasher();
    /// hasher.update(b"part one, ");
    /// let saved = hasher.to_bytes()?;
    /// let mut hasher = hashwell::Hasher::from_bytes(&saved)?;
    /// hasher.update(b"part two");
    /// assert_eq!(hasher.digest(), hashwell::Sha256::digest(b"part one, part two"));
    /// # Ok::<(), hashwell::Error>(())
    /// ```
    ///
    /// # Errors
    /// - [`Error::Unsupported`] if the state was made with a key or a key-derivation context,
    ///   because the bytes would contain the key.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        if self.secrecy == Secrecy::Secret {
            return Err(Error::Unsupported { algorithm: self.algorithm.name, what: SECRET });
        }
        save(SavedKind::Hash, self.algorithm, self.parameters(), self.message_len(), &[&*self.state])
    }

    /// Restores a state that [`Hasher::to_bytes`] saved. The hasher uses the fastest kernel.
    ///
    /// [`Hasher::algorithm`] returns the algorithm of the restored hasher, and [`Hasher::message_len`] returns the
    /// position at which to continue the message.
    ///
    /// # Errors
    /// - [`Error::BadState`] if the bytes are not a saved state, or if no message of the saved length leads to this
    ///   state. Without the message, only some such states can be detected.
    /// - [`Error::Unsupported`] or [`Error::OutOfRange`] if the algorithm does not accept the
    ///   parameters.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let saving = Saving::read(bytes, SavedKind::Hash)?;
        let mut hasher = if saving.parameters.is_empty() {
            saving.algorithm.hasher()
        } else {
            Hasher::build(saving.algorithm, &saving.params)?
        };
        saving.restore(&mut *hasher.state)?;
        Ok(hasher)
    }

    /// Saves the state of a hash that has a key or a key-derivation context. The bytes contain the key.
    /// [`Hasher::from_secret_bytes`] restores the state.
    ///
    /// **Anyone who has these bytes has the key.** Store them only where you would store the key,
    /// and encrypt and authenticate them like the key. The returned memory is overwritten when it
    /// is dropped.
    ///
    /// ```
    /// let params = hashwell::Params { key: Some(&[7; 32]), ..Default::default() };
    /// let mut hasher = hashwell::find("blake3")?.build(&params)?;
    /// hasher.update(b"part one, ");
    /// let secret = hasher.to_secret_bytes()?;
    /// let mut restored = hashwell::Hasher::from_secret_bytes(&secret)?;
    /// restored.update(b"part two");
    /// hasher.update(b"part two");
    /// assert_eq!(restored.digest(), hasher.digest());
    /// # Ok::<(), hashwell::Error>(())
    /// ```
    ///
    /// # Errors
    /// - [`Error::Unsupported`] if the state has neither a key nor a context. Use
    ///   [`Hasher::to_bytes`] for such states.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    pub fn to_secret_bytes(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        if self.secrecy == Secrecy::Public {
            return Err(Error::Unsupported { algorithm: self.algorithm.name, what: NOT_SECRET });
        }
        let kind = SavedKind::KeyedHash;
        save_secret(kind, self.algorithm, self.parameters(), self.message_len(), &[&*self.state])
    }

    /// Restores a state that [`Hasher::to_secret_bytes`] saved. The hasher uses the fastest kernel, and its state is
    /// overwritten on drop.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::from_bytes`]. Also returns [`Error::BadState`] for a state without a key,
    /// and for the state of an HMAC or a KMAC.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<Self, Error> {
        wipe::try_after(Depth::Usual, || {
            let saving = Saving::read(bytes, SavedKind::KeyedHash)?;
            let mut hasher = Hasher::build(saving.algorithm, &saving.params)?;
            saving.restore(&mut *hasher.state)?;
            Ok(hasher)
        })
    }

    /// Returns the number of message bytes so far.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.state.message_len() - self.initial_len()
    }
}

impl PlainHasher {
    /// Returns the same bytes as [`Hasher::to_bytes`].
    ///
    /// A [`PlainHasher`] does not keep its parameters. So you can save a state only if no parameters other than the
    /// output length and the kernel were set.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::to_bytes`], and [`Error::Unsupported`] if any parameter other than the
    /// output length and the kernel was set.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let what = if self.secrecy == Secrecy::Secret {
            SECRET
        } else {
            "exporting a PlainHasher if parameters other than length and kernel were set"
        };
        if self.secrecy == Secrecy::Secret || !self.is_default {
            return Err(Error::Unsupported { algorithm: self.algorithm.name, what });
        }
        let params = Params { output_len: Some(self.output_len), ..Params::default() };
        let parameters = encoded(self.algorithm.name, self.algorithm.output, &params)?;
        save(SavedKind::Hash, self.algorithm, &parameters, self.message_len(), &[&self.state])
    }

    /// Restores a state that [`Hasher::to_bytes`] or [`PlainHasher::to_bytes`] saved.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::from_bytes`] and [`Algorithm::plain_hasher`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let saving = Saving::read(bytes, SavedKind::Hash)?;
        let mut hasher = saving.algorithm.plain_hasher(&saving.params)?;
        saving.restore(&mut hasher.state)?;
        Ok(hasher)
    }

    /// Returns the same bytes as [`Hasher::to_secret_bytes`]. The warning of that method applies.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::to_secret_bytes`], and [`Error::Unsupported`] if any parameter other than
    /// the key, the output length and the kernel was set.
    pub fn to_secret_bytes(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let what = match (&self.key, self.secrecy) {
            (Some(key), _) => {
                let params =
                    Params { output_len: Some(self.output_len), key: Some(key.bytes()), ..Params::default() };
                let parameters = encoded(self.algorithm.name, self.algorithm.output, &params)?;
                let (kind, len) = (SavedKind::KeyedHash, self.message_len());
                return save_secret(kind, self.algorithm, &parameters, len, &[&self.state]);
            }
            (None, Secrecy::Public) => NOT_SECRET,
            (None, Secrecy::Secret) => {
                "exporting a PlainHasher as secret bytes if parameters other than key, length and kernel were set"
            }
        };
        Err(Error::Unsupported { algorithm: self.algorithm.name, what })
    }

    /// Restores a state that [`Hasher::to_secret_bytes`] or [`PlainHasher::to_secret_bytes`] saved, directly in
    /// `place`.
    ///
    /// # Errors
    /// Returns the same errors as [`Hasher::from_secret_bytes`] and [`Algorithm::plain_hasher`]. After an error,
    /// `place` may have been overwritten, but it contains no key.
    pub fn from_secret_bytes_in<'a>(
        bytes: &[u8],
        place: &'a mut MaybeUninit<Self>,
    ) -> Result<&'a mut Self, Error> {
        wipe::try_after(Depth::Usual, || {
            let saving = Saving::read(bytes, SavedKind::KeyedHash)?;
            let hasher = saving.algorithm.plain_hasher_in(&saving.params, place)?;
            match saving.restore(&mut hasher.state) {
                Ok(()) => Ok(hasher),
                Err(error) => {
                    hasher.zeroize();
                    Err(error)
                }
            }
        })
    }

    /// Returns the number of message bytes so far.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.state.message_len() - u64::from(self.before)
    }
}
