//! Hashes in progress as bytes, to go on later or elsewhere. `docs/spec/state.md` specifies them.

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
/// No flags are defined in this version.
const FLAGS: u8 = 0;
const CHECK: usize = 8;
/// More than any state has besides its parameters: BLAKE3 has 55 values and a chunk.
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

/// The fields of a saved state up to the part of its core.
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
        // One way to write them: in order, none twice, and none that says what is so without it.
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
    /// The state as bytes: [`Hasher::from_bytes`] goes on from there, on another day or machine, or in another language. They are
    /// at most 4 KiB, and the parameters. `docs/spec/state.md` specifies them.
    ///
    /// **They are as secret as the message.** Some contain its last bytes, and from a sponge's state the last block can be
    /// computed. The check value in them finds accidents and not forgery: authenticate what you store where others can write.
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
    /// [`Error::Unsupported`] if the state was made with a key or with a key derivation context: it would hold the key.
    /// [`Error::OutOfMemory`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        if self.secrecy == Secrecy::Secret {
            return Err(Error::Unsupported { algorithm: self.algorithm.name, what: SECRET });
        }
        save(self.algorithm, self.parameters(), &self.state)
    }

    /// The hasher that [`Hasher::to_bytes`] saved, on the fastest kernel. [`Hasher::algorithm`] says of which algorithm it is, and
    /// [`Hasher::message_len`] where the message goes on.
    ///
    /// # Errors
    /// [`Error::BadState`] for bytes that are not a saved state, or not one that a message of that length can lead to, as far as
    /// that can be seen without the message; [`Error::Unsupported`] and [`Error::OutOfRange`] for parameters that the algorithm
    /// does not take; [`Error::OutOfMemory`].
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

    /// The number of message bytes absorbed so far.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.state.message_len()
    }
}

impl PlainHasher {
    /// Returns the same bytes as [`Hasher::to_bytes`]. Plain data does not hold the parameters: only the output length can
    /// be other than the row's.
    ///
    /// # Errors
    /// As [`Hasher::to_bytes`]; [`Error::Unsupported`] also for a state with other parameters than the output length.
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

    /// The hasher that [`Hasher::to_bytes`] or [`PlainHasher::to_bytes`] saved.
    ///
    /// # Errors
    /// As [`Hasher::from_bytes`], and as [`Algorithm::plain_hasher`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let saving = Saving::read(bytes)?;
        let mut hasher = saving.algorithm.plain_hasher(&saving.params)?;
        saving.restore(&mut hasher.state)?;
        Ok(hasher)
    }

    /// The number of message bytes absorbed so far.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.state.message_len()
    }
}
