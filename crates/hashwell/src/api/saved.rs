//! Saves hashes in progress as bytes, so that they can be continued later or on a different
//! machine. `docs/spec/state.md` specifies the format.

use crate::api::hash::Hasher;
use crate::api::plain::PlainHasher;
use crate::api::typed::Sha256;
use crate::families::State;
use crate::internal::error::Error;
use crate::internal::params::{Params, Secrecy};
use crate::internal::saved::{BAD_PARAMETERS, Fields, LONGEST, Saved, decoded, encoded};
use crate::internal::storage::Storage;
use crate::internal::try_alloc;
use crate::registry::{ALGORITHMS, Algorithm};
use alloc::vec::Vec;

const MAGIC: [u8; 4] = *b"HWST";
const VERSION: u8 = 1;
/// This version defines no flags.
const FLAGS: u8 = 0;
const CHECK: usize = 8;
/// An upper bound of the size of a saved state without its parameters. The largest is that of
/// BLAKE3, with 55 values and a chunk.
const ROOM: usize = 4096;

fn save<P: Storage>(algorithm: &Algorithm, parameters: &[u8], state: &State<P>) -> Result<Vec<u8>, Error> {
    let mut out = try_alloc::list(parameters.len() + ROOM)?;
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&[VERSION, FLAGS]);
    out.extend_from_slice(&(algorithm.id as u16).to_le_bytes());
    out.extend_from_slice(&(parameters.len() as u32).to_le_bytes());
    out.extend_from_slice(parameters);
    out.extend_from_slice(&state.message_len().to_le_bytes());
    state.save(&mut out);
    let check = Sha256::digest(&out);
    out.extend_from_slice(&check[..CHECK]);
    Ok(out)
}

/// The fields of a saved state before the core's own part.
struct Saving<'a> {
    algorithm: &'static Algorithm,
    parameters: &'a [u8],
    params: Params<'a>,
    length: u64,
    core: Fields<'a>,
}

impl<'a> Saving<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let (body, check) = bytes.split_last_chunk::<CHECK>().ok_or(Fields::TOO_SHORT)?;
        let mut fields = Fields(body);
        if *fields.array()? != MAGIC {
            return Err(Error::BadState { what: "it does not begin with HWST" });
        }
        if *fields.array()? != [VERSION, FLAGS] {
            return Err(Error::BadState { what: "its version or its flags are not known here" });
        }
        if Sha256::digest(body)[..CHECK] != check[..] {
            return Err(Error::BadState {
                what: "its check value does not match: bytes are missing or wrong",
            });
        }
        let id = u32::from(u16::from_le_bytes(*fields.array()?));
        let algorithm = ALGORITHMS.iter().find(|row| row.id == id);
        let algorithm = algorithm.ok_or(Error::BadState { what: "its algorithm is not known here" })?;
        let parameters = fields.prefixed()?;
        let params = decoded(Fields(parameters))?;
        // Only one encoding is accepted: parameters in order, without duplicates and without
        // defaults.
        if encoded(algorithm.name, algorithm.output, &params)? != parameters {
            return Err(BAD_PARAMETERS);
        }
        let length = u64::from_le_bytes(*fields.array()?);
        if length >= LONGEST {
            return Err(Error::BadState { what: "it counts more than 2^61 - 1 message bytes" });
        }
        Ok(Self { algorithm, parameters, params, length, core: fields })
    }

    fn restore<P: Storage>(mut self, state: &mut State<P>) -> Result<(), Error> {
        state.restore(self.length, &mut self.core)?;
        if self.core.0.is_empty() {
            Ok(())
        } else {
            Err(Error::BadState { what: "it is longer than the number of message bytes allows" })
        }
    }
}

const SECRET: &str = "export of a state that depends on a key";

impl Hasher {
    /// Returns the state as bytes. [`Hasher::from_bytes`] restores it later, on a different
    /// machine, or in a different programming language.
    ///
    /// The result has at most 4 KiB plus the length of the parameters. `docs/spec/state.md`
    /// specifies the format.
    ///
    /// **Saved states are as secret as the message.** Some contain its last bytes, and the last
    /// block can be computed from the state of a sponge. The check value detects accidental
    /// corruption but not tampering. If others can write to the place where you store states,
    /// authenticate them.
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
        save(self.algorithm, self.parameters(), &self.state)
    }

    /// Restores a state that [`Hasher::to_bytes`] saved. The hasher uses the fastest kernel.
    ///
    /// [`Hasher::algorithm`] returns its algorithm, and [`Hasher::message_len`] the position at
    /// which to continue the message.
    ///
    /// # Errors
    /// - [`Error::BadState`] if the bytes are not a saved state, or not one that a message of this
    ///   length can produce, as far as this can be checked without the message.
    /// - [`Error::Unsupported`] or [`Error::OutOfRange`] if the algorithm does not accept the
    ///   parameters.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let saving = Saving::read(bytes)?;
        let mut hasher = if saving.parameters.is_empty() {
            saving.algorithm.hasher()
        } else {
            Hasher::build(saving.algorithm, &saving.params)?
        };
        saving.restore(&mut hasher.state)?;
        Ok(hasher)
    }

    /// Returns the number of message bytes so far.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.state.message_len()
    }
}

impl PlainHasher {
    /// Returns the same bytes as [`Hasher::to_bytes`].
    ///
    /// A [`PlainHasher`] does not keep its parameters, so only states whose parameters are all
    /// defaults, except the output length and the kernel, can be saved.
    ///
    /// # Errors
    /// Returns the errors of [`Hasher::to_bytes`], and [`Error::Unsupported`] if any parameter
    /// other than the output length and the kernel was set.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let what = if self.secrecy == Secrecy::Secret {
            SECRET
        } else {
            "export of a state with parameters as plain data"
        };
        if self.secrecy == Secrecy::Secret || !self.is_default {
            return Err(Error::Unsupported { algorithm: self.algorithm.name, what });
        }
        let params = Params { output_len: Some(self.output_len), ..Params::default() };
        save(self.algorithm, &encoded(self.algorithm.name, self.algorithm.output, &params)?, &self.state)
    }

    /// Restores a state that [`Hasher::to_bytes`] or [`PlainHasher::to_bytes`] saved.
    ///
    /// # Errors
    /// Returns the errors of [`Hasher::from_bytes`] and of [`Algorithm::plain_hasher`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let saving = Saving::read(bytes)?;
        let mut hasher = saving.algorithm.plain_hasher(&saving.params)?;
        saving.restore(&mut hasher.state)?;
        Ok(hasher)
    }

    /// Returns the number of message bytes so far.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.state.message_len()
    }
}
