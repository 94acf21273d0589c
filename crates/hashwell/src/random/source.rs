//! Generators by name. The command line, Python and C call them *sources*.

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

/// A kind of generator. The name of a source is one of the following:
///
/// - `counter`: SHA-256 in counter mode ([`CounterRng`](crate::CounterRng)), the generator of
///   hwdraw/1
/// - the name of an extendable-output function, such as `shake128`
/// - `hmac-drbg-` followed by the name of a hash that supports HMAC, such as `hmac-drbg-sha256`
///
/// ```
/// use hashwell::{RandomSource, Source};
///
/// let mut stream = Source::find("counter")?.seeded(b"a public seed", b"")?;
/// let integer = stream.next_u64()?;
/// # assert_eq!(Source::find("COUNTER")?.name(), "counter");
/// # Ok::<(), hashwell::Error>(())
/// ```
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

/// Returns true if `name` is the prefix. The comparison ignores case and treats `_` and
/// `-` as equal.
fn is_prefix(name: &str) -> bool {
    let same = |(own, other): (u8, u8)| own == other.to_ascii_lowercase() || (own, other) == (b'-', b'_');
    name.len() == DRBG_PREFIX.len() && DRBG_PREFIX.bytes().zip(name.bytes()).all(same)
}

impl Source {
    /// Returns the source with this name. An algorithm can also be named by an alias.
    ///
    /// # Errors
    /// Returns [`Error::UnknownAlgorithm`] if there is no algorithm with this name, and [`Error::Unsupported`] if the
    /// algorithm cannot be used in this way. This is the case for a digest without the prefix `hmac-drbg-`, and, with
    /// the prefix, for an algorithm that does not support HMAC.
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
            None => Err(Error::Unsupported { algorithm: algorithm.name, what: "output streams" }),
        }
    }

    /// Returns all sources: `counter`, then the extendable-output functions, then HMAC-DRBG over each hash that
    /// supports HMAC. Algorithms are in the order of the registry.
    pub fn all() -> impl Iterator<Item = Self> {
        let xofs =
            ALGORITHMS.iter().filter(|row| row.kind == Kind::Xof).map(|row| Self(Construction::Xof(row)));
        let drbgs = ALGORITHMS.iter().filter(|row| row.hmac).map(|row| Self(Construction::HmacDrbg(row)));
        core::iter::once(Self(Construction::Counter)).chain(xofs).chain(drbgs)
    }

    /// Returns the canonical name, which [`Source::find`] accepts.
    #[must_use]
    pub fn name(self) -> String {
        self.pieces().concat()
    }

    /// Returns the parts of the name.
    pub(super) fn pieces(self) -> [&'static str; 2] {
        match self.0 {
            Construction::Counter => ["", COUNTER],
            Construction::Xof(algorithm) => ["", algorithm.name],
            Construction::HmacDrbg(algorithm) => [DRBG_PREFIX, algorithm.name],
        }
    }

    /// Returns the generator for a key, at the start of its stream.
    pub(super) fn generator(self, key: &Key) -> Result<Generator, Error> {
        // Wipes the stack on which the generator was made before it was moved.
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

    /// Returns the generator that the operating system seeds and reseeds, or `None` if the source
    /// has no such generator.
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
    /// Writes [`Source::name`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().iter().try_for_each(|piece| f.write_str(piece))
    }
}

/// The generator of a named stream. It is on the heap, because generators are large and differ in
/// size.
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

    /// Returns true if [`Generator::seek`] works.
    pub(super) fn is_seekable(&self) -> bool {
        match self {
            Generator::Counter(_) => true,
            Generator::Xof(reader) => reader.is_seekable(),
            _ => false,
        }
    }

    /// Moves to a position in the stream, or to the start of the integer that contains it, at the
    /// cost of one block. Returns the new position, or `None` if the generator cannot seek.
    pub(super) fn seek(&mut self, position: u128) -> Result<Option<u128>, Error> {
        match self {
            Generator::Counter(words) => words.seek(position / 8).map(|()| Some(position / 8 * 8)),
            Generator::Xof(reader) if reader.is_seekable() => {
                // The conversion is lossless, since the end of the stream fits.
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
            ("sha256", "sha256 does not support output streams"),
            ("hmac-drbg-shake128", "shake128 does not support HMAC-DRBG"),
            ("hmac-drbg-", "unknown algorithm ''"),
            ("blake4", "unknown algorithm 'blake4' (did you mean 'blake3'?)"),
        ] {
            assert_eq!(Source::find(name).unwrap_err().to_string(), message);
        }
    }
}
