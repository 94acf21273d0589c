//! Generators by name: what the command line, Python and C call *sources*.

use super::counter::CounterRng;
use super::drbg_stream::DrbgStream;
use super::key::Key;
#[cfg(feature = "os-random")]
use super::os_drbg::OsDrbg;
use super::words::ByteSource;
use crate::api::hash::Reader;
use crate::drbg::DrbgParams;
use crate::internal::error::Error;
use crate::internal::try_alloc::Erased;
use crate::internal::wipe::{self, Depth};
use crate::registry::{ALGORITHMS, Algorithm, Kind, Params, find};
use alloc::string::String;
use core::fmt;

const COUNTER: &str = "counter";
const DRBG_PREFIX: &str = "hmac-drbg-";

/// A generator's kind: `counter` (SHA-256 in counter mode, the words of hwdraw/1), the name of an
/// extendable-output function, or `hmac-drbg-` and the name of a hash that HMAC accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(Construction);

#[derive(Clone, Copy, Debug)]
enum Construction {
    Counter,
    Xof(&'static Algorithm),
    HmacDrbg(&'static Algorithm),
}

impl PartialEq for Construction {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Construction::Counter, Construction::Counter) => true,
            (Construction::Xof(a), Construction::Xof(b))
            | (Construction::HmacDrbg(a), Construction::HmacDrbg(b)) => a.name == b.name,
            _ => false,
        }
    }
}

impl Eq for Construction {}

/// Whether it is the prefix; case does not matter, and `_` and `-` are the same.
fn is_prefix(name: &str) -> bool {
    let same = |(own, other): (u8, u8)| own == other.to_ascii_lowercase() || (own, other) == (b'-', b'_');
    name.len() == DRBG_PREFIX.len() && DRBG_PREFIX.bytes().zip(name.bytes()).all(same)
}

impl Source {
    /// The source of this name; of an algorithm, any of its names will do.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`]; [`Error::Unsupported`] for a digest, or a hash that HMAC refuses.
    pub fn find(name: &str) -> Result<Self, Error> {
        if name.eq_ignore_ascii_case(COUNTER) {
            return Ok(Self(Construction::Counter));
        }
        let hash = name.split_at_checked(DRBG_PREFIX.len());
        let hash = hash.and_then(|(prefix, hash)| is_prefix(prefix).then_some(hash));
        let algorithm = find(hash.unwrap_or(name))?;
        match hash {
            Some(_) if algorithm.hmac => Ok(Self(Construction::HmacDrbg(algorithm))),
            Some(_) => Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC-DRBG" }),
            None if algorithm.kind == Kind::Xof => Ok(Self(Construction::Xof(algorithm))),
            None => Err(Error::Unsupported { algorithm: algorithm.name, what: "output stream" }),
        }
    }

    /// Every source: `counter`, then the registry's rows in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        let xofs =
            ALGORITHMS.iter().filter(|row| row.kind == Kind::Xof).map(|row| Self(Construction::Xof(row)));
        let drbgs = ALGORITHMS.iter().filter(|row| row.hmac).map(|row| Self(Construction::HmacDrbg(row)));
        core::iter::once(Self(Construction::Counter)).chain(xofs).chain(drbgs)
    }

    /// Its canonical name, which [`Source::find`] knows.
    #[must_use]
    pub fn name(self) -> String {
        self.pieces().concat()
    }

    /// What its name is put together from.
    pub(super) fn pieces(self) -> [&'static str; 2] {
        match self.0 {
            Construction::Counter => ["", COUNTER],
            Construction::Xof(algorithm) => ["", algorithm.name],
            Construction::HmacDrbg(algorithm) => [DRBG_PREFIX, algorithm.name],
        }
    }

    /// The generator of a key, at the beginning of its stream.
    pub(super) fn generator(self, key: &Key) -> Result<Generator, Error> {
        // Where it was made, before it was moved to its place.
        wipe::try_after(Depth::Usual, || {
            Ok(match self.0 {
                Construction::Counter => Generator::Counter(Erased::new(CounterRng::new(key))?),
                Construction::Xof(algorithm) => {
                    Generator::Xof(algorithm.secret_reader(&Params::default(), key)?)
                }
                Construction::HmacDrbg(algorithm) => {
                    let params = DrbgParams::default();
                    let stream = DrbgStream::from_seed_unchecked(algorithm, key, b"", &params)?;
                    Generator::Drbg(Erased::new(stream)?)
                }
            })
        })
    }

    /// The generator that the operating system seeds and refreshes; `None` of a source that has no such.
    #[cfg(feature = "os-random")]
    pub(super) fn os_generator(self, personalization: &[u8]) -> Result<Option<Generator>, Error> {
        let Construction::HmacDrbg(algorithm) = self.0 else { return Ok(None) };
        let params = DrbgParams { personalization, ..DrbgParams::default() };
        wipe::try_after(Depth::Usual, || {
            Ok(Some(Generator::Os(Erased::new(OsDrbg::new(algorithm, &params)?)?)))
        })
    }
}

impl fmt::Display for Source {
    /// [`Source::name`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().iter().try_for_each(|piece| f.write_str(piece))
    }
}

/// What makes the bytes of a named stream. On the heap, because they are large and differ in size.
pub(super) enum Generator {
    Counter(Erased<CounterRng>),
    Xof(Erased<Reader>),
    Drbg(Erased<DrbgStream>),
    #[cfg(feature = "os-random")]
    Os(Erased<OsDrbg>),
}

impl Generator {
    pub(super) fn source(&self) -> &dyn ByteSource {
        match self {
            Generator::Counter(words) => &**words,
            Generator::Xof(reader) => &**reader,
            Generator::Drbg(stream) => &**stream,
            #[cfg(feature = "os-random")]
            Generator::Os(drbg) => &**drbg,
        }
    }

    pub(super) fn source_mut(&mut self) -> &mut dyn ByteSource {
        match self {
            Generator::Counter(words) => &mut **words,
            Generator::Xof(reader) => &mut **reader,
            Generator::Drbg(stream) => &mut **stream,
            #[cfg(feature = "os-random")]
            Generator::Os(drbg) => &mut **drbg,
        }
    }

    /// Whether [`Generator::seek`] goes anywhere.
    pub(super) fn is_seekable(&self) -> bool {
        match self {
            Generator::Counter(_) => true,
            Generator::Xof(reader) => reader.is_seekable(),
            _ => false,
        }
    }

    /// Goes to a position that the stream has, or to the word that it is in, at the cost of one block; returns where
    /// that is. `None` if it cannot.
    pub(super) fn seek(&mut self, position: u128) -> Result<Option<u128>, Error> {
        match self {
            Generator::Counter(words) => words.seek(position / 8).map(|()| Some(position / 8 * 8)),
            Generator::Xof(reader) if reader.is_seekable() => {
                // It fits: the stream's end does.
                reader.seek(position as u64).map(|()| Some(position))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_found_by_its_name() {
        for source in Source::all() {
            assert_eq!(Source::find(&source.name()), Ok(source));
            assert_eq!(Source::find(&source.name().to_uppercase().replace('-', "_")), Ok(source));
        }
        assert_eq!(Source::find("k12"), Source::find("kt128"));
        assert_eq!(Source::find("hmac-drbg-sha2-256"), Source::find("hmac-drbg-sha256"));
        for (name, message) in [
            ("sha256", "sha256 has no output stream"),
            ("hmac-drbg-shake128", "shake128 has no HMAC-DRBG"),
            ("hmac-drbg-", "unknown algorithm ''"),
            ("blake4", "unknown algorithm 'blake4' (did you mean 'blake3'?)"),
        ] {
            assert_eq!(Source::find(name).unwrap_err().to_string(), message);
        }
    }
}
