//! Generators by name: what the command line and Python call *sources*.
//!
//! ```text
//! seed, personalization -> key K -+-> counter | XOF of K | HMAC-DRBG of K -> buffer -> bytes, numbers
//!          K, number of a child --+
//! operating system -> fresh K, or OsDrbg ----------------------------------> buffer -> bytes, numbers
//! ```
//!
//! `docs/random.md` says the same for those who recompute a stream with other tools.

#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
mod rand;

use crate::drbg::{CounterWords, DrbgParams, DrbgStream};
use crate::ground::error::Error;
use crate::registry::{ALGORITHMS, Algorithm, Kind, find};
use crate::surface::hash::Reader;
use crate::surface::typed::Sha256;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use zeroize::{Zeroize, Zeroizing};
#[cfg(feature = "std")]
use {
    crate::drbg::{EntropySource, OsDrbg, OsEntropy, process},
    core::mem::replace,
};

/// Bytes generated at a time. With 512, NumPy's `random` on BLAKE3 is 13 percent slower, with 65,536 one percent
/// faster; HMAC-DRBG's first number waits for them 10 to 100 microseconds.
const BUFFER: usize = 4096;

const COUNTER: &str = "counter";
const DRBG_PREFIX: &str = "hmac-drbg-";

/// A generator's kind: `counter` (SHA-256 in counter mode, the words of hwdraw/1), the name of an
/// extendable-output function, or `hmac-drbg-` and the name of a hash that HMAC accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(Stream);

#[derive(Clone, Copy, Debug)]
enum Stream {
    Counter,
    Xof(&'static Algorithm),
    HmacDrbg(&'static Algorithm),
}

impl PartialEq for Stream {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Stream::Counter, Stream::Counter) => true,
            (Stream::Xof(a), Stream::Xof(b)) | (Stream::HmacDrbg(a), Stream::HmacDrbg(b)) => a.name == b.name,
            _ => false,
        }
    }
}

impl Eq for Stream {}

impl Source {
    /// The source of this name; of an algorithm, any of its names will do.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`]; [`Error::Unsupported`] for a digest, or a hash that HMAC refuses.
    pub fn find(name: &str) -> Result<Self, Error> {
        if name.eq_ignore_ascii_case(COUNTER) {
            return Ok(Self(Stream::Counter));
        }
        let hash = name.split_at_checked(DRBG_PREFIX.len()).and_then(|(prefix, hash)| {
            let prefix = prefix.replace('_', "-");
            prefix.eq_ignore_ascii_case(DRBG_PREFIX).then_some(hash)
        });
        let algorithm = find(hash.unwrap_or(name))?;
        match hash {
            Some(_) if algorithm.hmac => Ok(Self(Stream::HmacDrbg(algorithm))),
            Some(_) => Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC-DRBG" }),
            None if algorithm.kind == Kind::Xof => Ok(Self(Stream::Xof(algorithm))),
            None => Err(Error::Unsupported { algorithm: algorithm.name, what: "output stream" }),
        }
    }

    /// Every source: `counter`, then the registry's rows in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        let xofs = ALGORITHMS.iter().filter(|row| row.kind == Kind::Xof).map(|row| Self(Stream::Xof(row)));
        let drbgs = ALGORITHMS.iter().filter(|row| row.hmac).map(|row| Self(Stream::HmacDrbg(row)));
        core::iter::once(Self(Stream::Counter)).chain(xofs).chain(drbgs)
    }

    /// Its canonical name, which [`Source::find`] knows.
    #[must_use]
    pub fn name(self) -> String {
        match self.0 {
            Stream::Counter => COUNTER.to_string(),
            Stream::Xof(algorithm) => algorithm.name.to_string(),
            Stream::HmacDrbg(algorithm) => format!("{DRBG_PREFIX}{}", algorithm.name),
        }
    }

    /// The stream of a seed: the same on every machine and in every version, and in forked children.
    ///
    /// The seed is bytes of any length, never parsed as a number. It may be public; then nothing makes the
    /// stream unpredictable. The personalization tells uses of one seed apart.
    ///
    /// # Errors
    /// [`Error::SelfTestFailed`].
    pub fn seeded(self, seed: &[u8], personalization: &[u8]) -> Result<RandomStream, Error> {
        RandomStream::of_key(self, StreamKey::derive(seed, personalization))
    }

    /// A stream that nobody can repeat, seeded by the operating system, in a forked child anew. HMAC-DRBG
    /// also reseeds as [`OsDrbg`] does; the other sources keep the key that they got.
    ///
    /// # Errors
    /// [`Error::EntropyFailed`]; [`Error::SelfTestFailed`].
    #[cfg(feature = "std")]
    pub fn os_seeded(self, personalization: &[u8]) -> Result<RandomStream, Error> {
        let process = process();
        let mut stream = RandomStream::of_key(self, fresh_key(personalization)?)?;
        if let Stream::HmacDrbg(algorithm) = self.0 {
            let params = DrbgParams { personalization, ..DrbgParams::default() };
            stream.generator = Generator::Os(Box::new(OsDrbg::new(algorithm, &params)?));
        }
        stream.process = Some(process);
        Ok(stream)
    }

    fn generator(self, key: &Key) -> Result<Generator, Error> {
        Ok(match self.0 {
            Stream::Counter => Generator::Counter(Box::new(CounterWords::new(key))),
            Stream::Xof(algorithm) => {
                let mut hasher = algorithm.hasher();
                hasher.keep_secret();
                hasher.update(key);
                Generator::Xof(Box::new(hasher.into_reader()?))
            }
            Stream::HmacDrbg(algorithm) => Generator::Drbg(Box::new(DrbgStream::from_seed_unchecked(
                algorithm,
                key,
                b"",
                &DrbgParams::default(),
            )?)),
        })
    }
}

type Key = [u8; 32];

/// What a child key is for: the byte between the parent's key and the child's number. hwdraw/1 uses 0 to 2.
#[derive(Clone, Copy)]
enum Child {
    Spawned = 3,
    Jumped = 4,
    Words = 5,
}

/// The key of a seeded stream, in the form that a state is saved in: K, and how often it jumped.
#[derive(Clone, PartialEq, Eq)]
pub struct StreamKey {
    /// K of the stream that the jumps count from.
    pub root: [u8; 32],
    /// Streams jumped over; 0 is the stream of `root` itself.
    pub jumps: u64,
}

impl StreamKey {
    /// K = SHA-256("hwdraw/1" ‖ len(seed) ‖ seed ‖ len(personalization) ‖ personalization ‖ 32 zero bytes),
    /// lengths as 8 bytes, big-endian.
    fn derive(seed: &[u8], personalization: &[u8]) -> Self {
        let mut hash = find("sha256").expect("a row of the registry").hasher();
        hash.keep_secret();
        hash.update(b"hwdraw/1");
        for field in [seed, personalization] {
            hash.update(&(field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        hash.update(&[0; 32]);
        let mut root = [0; 32];
        hash.digest_into(&mut root).expect("a digest of 32 bytes");
        Self { root, jumps: 0 }
    }

    /// SHA-256(K ‖ purpose ‖ number as 8 bytes, big-endian).
    fn child(key: &Key, purpose: Child, number: u64) -> Key {
        let mut message = Zeroizing::new([0; 32 + 1 + 8]);
        message[..32].copy_from_slice(key);
        message[32] = purpose as u8;
        message[33..].copy_from_slice(&number.to_be_bytes());
        Sha256::digest(&*message)
    }

    /// The key that the stream is made of.
    fn effective(&self) -> Zeroizing<Key> {
        Zeroizing::new(match self.jumps {
            0 => self.root,
            jumps => Self::child(&self.root, Child::Jumped, jumps),
        })
    }
}

impl Drop for StreamKey {
    fn drop(&mut self) {
        self.root.zeroize();
    }
}

impl core::fmt::Debug for StreamKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("StreamKey")
    }
}

fn too_many(what: &'static str, got: u64, max: u64) -> Error {
    Error::OutOfRange { algorithm: "stream", what, unit: "", min: 0, max, got }
}

#[cfg(feature = "std")]
fn fresh_key(personalization: &[u8]) -> Result<StreamKey, Error> {
    let mut seed = Zeroizing::new([0; 32]);
    OsEntropy.fill(&mut *seed)?;
    Ok(StreamKey::derive(&*seed, personalization))
}

/// What makes the bytes. Boxed, because they are large and differ in size.
enum Generator {
    Counter(Box<CounterWords>),
    Xof(Box<Reader>),
    Drbg(Box<DrbgStream>),
    #[cfg(feature = "std")]
    Os(Box<OsDrbg>),
}

impl Generator {
    fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        match self {
            Generator::Counter(words) => words.try_read(out),
            Generator::Xof(reader) => reader.try_read(out),
            Generator::Drbg(stream) => stream.read(out),
            #[cfg(feature = "std")]
            Generator::Os(drbg) => drbg.read(out),
        }
    }

    /// Bytes of the whole stream.
    fn end(&self) -> u128 {
        match self {
            Generator::Counter(_) => CounterWords::END,
            Generator::Xof(_) => Reader::END.into(),
            Generator::Drbg(_) => DrbgStream::END.into(),
            #[cfg(feature = "std")]
            Generator::Os(_) => u128::MAX,
        }
    }
}

/// The bytes of a [`Source`], and numbers made of them.
///
/// A number is the next bytes of the stream, big-endian, as many as it needs: every mix of calls reads the same
/// stream. Values are promises. State and buffer are overwritten on drop; of an OS-seeded stream, bytes
/// also as they are read.
pub struct RandomStream {
    source: Source,
    key: StreamKey,
    generator: Generator,
    /// Bytes that the generator has made.
    generated: u128,
    /// The last of them; those from `at` on are not read yet.
    buffer: Box<[u8]>,
    at: usize,
    /// Streams spawned.
    spawned: u64,
    /// The process that an OS-seeded stream was last seeded in; `None` of a stream that can be repeated.
    process: Option<u64>,
}

impl RandomStream {
    /// The stream of a key that was saved, from its beginning.
    ///
    /// # Errors
    /// [`Error::SelfTestFailed`].
    pub fn of_key(source: Source, key: StreamKey) -> Result<Self, Error> {
        Self::with_buffer(source, key, BUFFER)
    }

    fn with_buffer(source: Source, key: StreamKey, len: usize) -> Result<Self, Error> {
        let generator = source.generator(&key.effective())?;
        let buffer = vec![0; len].into_boxed_slice();
        Ok(Self { source, key, generator, generated: 0, buffer, at: len, spawned: 0, process: None })
    }

    /// What it was made of.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// The key, whose holder knows the whole stream; `None` if the operating system seeded it.
    #[must_use]
    pub fn key(&self) -> Option<&StreamKey> {
        self.process.is_none().then_some(&self.key)
    }

    /// Bytes read so far; of an OS-seeded stream, since it was last seeded.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.generated - (self.buffer.len() - self.at) as u128
    }

    /// Bytes of the whole stream, after which it gives no more: 2^69 of `counter`, 2^64 - 1 of an XOF, 2^58 of
    /// HMAC-DRBG, 2^128 - 1 (which is none that anyone reaches) of an OS-seeded HMAC-DRBG.
    #[must_use]
    pub fn end(&self) -> u128 {
        self.generator.end()
    }

    /// Whether the stream has so many bytes, from its beginning.
    ///
    /// # Errors
    /// [`Error::Exhausted`] if not.
    pub fn check_reaches(&self, position: u128) -> Result<(), Error> {
        if position <= self.end() { Ok(()) } else { Err(self.exhausted(position)) }
    }

    #[cold]
    fn exhausted(&self, asked: u128) -> Error {
        Error::Exhausted { stream: self.source.name().into(), end: self.end(), asked }
    }

    /// Streams that [`RandomStream::spawn`] has made; a restored state sets it.
    #[must_use]
    pub fn spawned(&self) -> u64 {
        self.spawned
    }

    /// Sets the number that the next [`RandomStream::spawn`] uses.
    pub fn set_spawned(&mut self, spawned: u64) {
        self.spawned = spawned;
    }

    /// A child that is independent of this stream and of its other children: its K is SHA-256(K ‖ 03 ‖ i), i
    /// the children before it. It depends neither on how far this stream was read nor on the order in which
    /// children are. Of an OS-seeded stream, another one.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] past child 2^64 - 2; as [`Source::seeded`] or [`Source::os_seeded`].
    pub fn spawn(&mut self) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if self.process.is_some() {
            return self.source.os_seeded(b"");
        }
        let after = self.spawned.checked_add(1).ok_or_else(|| too_many("number of children", 1, 0))?;
        let root = StreamKey::child(&self.key.effective(), Child::Spawned, self.spawned);
        let child = Self::of_key(self.source, StreamKey { root, jumps: 0 })?;
        self.spawned = after;
        Ok(child)
    }

    /// The stream `jumps` further on in the row of independent streams that begins with K: the one at `j` is
    /// that of SHA-256(K ‖ 04 ‖ j). It is at its beginning. Of an OS-seeded stream, another one.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] past stream 2^64 - 1; as [`Source::seeded`] or [`Source::os_seeded`].
    pub fn jumped(&self, jumps: u64) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if self.process.is_some() {
            return self.source.os_seeded(b"");
        }
        let left = u64::MAX - self.key.jumps;
        if jumps > left {
            return Err(too_many("number of jumps", jumps, left));
        }
        let root = self.key.root;
        Self::of_key(self.source, StreamKey { root, jumps: self.key.jumps + jumps })
    }

    /// Fills `out` with bytes to seed other generators with: those of `counter` with the key SHA-256(K ‖ 05 ‖ 0).
    /// They are always the same, and independent of this stream. Of an OS-seeded stream, fresh ones.
    ///
    /// # Errors
    /// [`Error::EntropyFailed`] of an OS-seeded stream. `out` is overwritten with zeros then.
    pub fn seed_others(&self, out: &mut [u8]) -> Result<(), Error> {
        #[cfg(feature = "std")]
        if self.process.is_some() {
            return OsEntropy.fill(out).inspect_err(|_| out.zeroize());
        }
        let key = Zeroizing::new(StreamKey::child(&self.key.effective(), Child::Words, 0));
        CounterWords::new(&key).try_read(out)
    }

    /// Whether [`RandomStream::seek`] costs the same wherever it goes.
    #[must_use]
    pub fn is_seekable(&self) -> bool {
        match &self.generator {
            Generator::Counter(_) => true,
            Generator::Xof(reader) => reader.is_seekable(),
            _ => false,
        }
    }

    /// Goes to a byte position. Streams whose blocks are not independent generate all bytes up to there,
    /// from here on or, if it is behind, from their beginning.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an OS-seeded stream; [`Error::Exhausted`] past [`RandomStream::end`];
    /// [`Error::SelfTestFailed`].
    pub fn seek(&mut self, position: u128) -> Result<(), Error> {
        if self.process.is_some() {
            return Err(Error::Unsupported { algorithm: "an OS-seeded stream", what: "positions to go to" });
        }
        self.check_reaches(position)?;
        if position < self.position() && !self.is_seekable() {
            self.generator = self.source.generator(&self.key.effective())?;
            self.generated = 0;
            self.at = self.buffer.len();
        }
        match &mut self.generator {
            Generator::Counter(words) => {
                words.seek(position / 8)?;
                self.generated = position / 8 * 8;
                self.at = self.buffer.len();
            }
            Generator::Xof(reader) if reader.is_seekable() => {
                // It fits: the stream's end does.
                reader.seek(position as u64)?;
                self.generated = position;
                self.at = self.buffer.len();
            }
            _ => {}
        }
        while self.position() < position {
            self.refill_if_empty()?;
            let ahead = position - self.position();
            self.at += ahead.min((self.buffer.len() - self.at) as u128) as usize;
        }
        Ok(())
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// [`Error::EntropyFailed`] of an OS-seeded stream; [`Error::Exhausted`] past [`RandomStream::end`], where
    /// nothing is read; [`Error::SelfTestFailed`]. `out` is overwritten with zeros then.
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.notice_fork()?;
        let result = self.read_pieces(out);
        if result.is_err() {
            out.zeroize();
        }
        result
    }

    fn read_pieces(&mut self, mut out: &mut [u8]) -> Result<(), Error> {
        self.check_reaches(self.position() + out.len() as u128)?;
        while !out.is_empty() {
            let buffered = self.buffer.len() - self.at;
            if buffered == 0 && out.len() >= self.buffer.len() {
                self.generator.read(out)?;
                self.generated += out.len() as u128;
                return Ok(());
            }
            self.refill_if_empty()?;
            let len = out.len().min(self.buffer.len() - self.at);
            let (head, rest) = out.split_at_mut(len);
            head.copy_from_slice(&self.buffer[self.at..][..len]);
            self.consume(len);
            out = rest;
        }
        Ok(())
    }

    fn refill_if_empty(&mut self) -> Result<(), Error> {
        if self.at == self.buffer.len() {
            // What is left before the stream's end may be less than a buffer; it then lies at the buffer's end.
            let len = (self.end() - self.generated).min(self.buffer.len() as u128) as usize;
            let at = self.buffer.len() - len;
            self.generator.read(&mut self.buffer[at..])?;
            self.generated += len as u128;
            self.at = at;
        }
        Ok(())
    }

    /// Leaves `len` bytes of the buffer behind; of an OS-seeded stream, for good.
    #[inline]
    fn consume(&mut self, len: usize) {
        if self.process.is_some() {
            self.buffer[self.at..][..len].fill(0);
        }
        self.at += len;
    }

    /// The next `N` bytes.
    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.notice_fork()?;
        match self.buffer.get(self.at..).and_then(<[u8]>::first_chunk::<N>) {
            Some(&bytes) => {
                self.consume(N);
                Ok(bytes)
            }
            None => self.take_across(),
        }
    }

    #[cold]
    fn take_across<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.read_pieces(&mut bytes).map(|()| bytes)
    }

    /// The next 8 bytes as a big-endian number.
    ///
    /// # Errors
    /// As [`RandomStream::read`].
    #[inline]
    pub fn next_u64(&mut self) -> Result<u64, Error> {
        self.take().map(u64::from_be_bytes)
    }

    /// The next 4 bytes as a big-endian number.
    ///
    /// # Errors
    /// As [`RandomStream::read`].
    #[inline]
    pub fn next_u32(&mut self) -> Result<u32, Error> {
        self.take().map(u32::from_be_bytes)
    }

    /// A number of 0 <= u < 1: (the next 8 bytes >> 11) · 2^-53.
    ///
    /// # Errors
    /// As [`RandomStream::read`].
    #[inline]
    pub fn next_f64(&mut self) -> Result<f64, Error> {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        Ok((self.next_u64()? >> 11) as f64 * STEP)
    }

    /// In a child, an OS-seeded stream gives nothing of what its parent holds.
    #[inline]
    fn notice_fork(&mut self) -> Result<(), Error> {
        #[cfg(feature = "std")]
        if let Some(seeded_in) = self.process
            && seeded_in != process()
        {
            return self.reseed();
        }
        Ok(())
    }

    #[cfg(feature = "std")]
    #[cold]
    fn reseed(&mut self) -> Result<(), Error> {
        let process = process();
        self.buffer.zeroize();
        self.at = self.buffer.len();
        // OsDrbg notices by itself.
        if !matches!(self.generator, Generator::Os(_)) {
            let key = fresh_key(&*self.key.effective())?;
            self.generator = self.source.generator(&key.effective())?;
            drop(replace(&mut self.key, key));
        }
        self.generated = 0;
        self.process = Some(process);
        Ok(())
    }
}

impl Drop for RandomStream {
    fn drop(&mut self) {
        self.buffer.zeroize();
    }
}

impl core::fmt::Debug for RandomStream {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "RandomStream({})", self.source.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> StreamKey {
        StreamKey::derive(b"seed", b"")
    }

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

    /// The bytes depend neither on the buffer's length nor on how they are read.
    #[test]
    fn every_buffer_and_every_reading_gives_the_same_stream() {
        for source in Source::all() {
            let mut whole = vec![0; 9000];
            source.seeded(b"seed", b"").unwrap().read(&mut whole).unwrap();
            for len in [1, 3, 8, 100, 1024, BUFFER, 2 * BUFFER] {
                let mut stream = RandomStream::with_buffer(source, key(), len).unwrap();
                let mut expected = &whole[..];
                for round in 0..200 {
                    let (n, next) = match round % 5 {
                        0 => (4, stream.next_u32().unwrap().into()),
                        1 => (8, stream.next_u64().unwrap()),
                        2 => (1, stream.take::<1>().unwrap()[0].into()),
                        3 => (8, (stream.next_f64().unwrap() * 2f64.powi(53)) as u64),
                        _ => {
                            let mut out = vec![0; round];
                            stream.read(&mut out).unwrap();
                            assert_eq!(out, expected[..round], "{source:?} by {len}");
                            (round, 0)
                        }
                    };
                    let (bytes, rest) = expected.split_at(n);
                    if round % 5 != 4 {
                        let number = bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
                        let number = if round % 5 == 3 { number >> 11 } else { number };
                        assert_eq!(next, number, "{source:?} by {len}");
                    }
                    expected = rest;
                    assert_eq!(stream.position(), (whole.len() - rest.len()) as u128);
                }
            }
        }
    }

    #[test]
    fn seeking_is_reading() {
        for source in Source::all() {
            let mut whole = vec![0; 3 * BUFFER];
            source.seeded(b"seed", b"").unwrap().read(&mut whole).unwrap();
            let mut stream = source.seeded(b"seed", b"").unwrap();
            for position in [0, 5, BUFFER + 3, 2, 2 * BUFFER, 2 * BUFFER + 8, BUFFER - 1] {
                stream.seek(position as u128).unwrap();
                assert_eq!(stream.position(), position as u128);
                let mut out = [0; 21];
                stream.read(&mut out).unwrap();
                assert_eq!(out, whole[position..][..21], "{source:?} at {position}");
            }
        }
    }

    /// The drawing of the module's head, by hand.
    #[test]
    fn streams_are_made_of_the_key() {
        let mut message = b"hwdraw/1\0\0\0\0\0\0\0\x04seed\0\0\0\0\0\0\0\x03use".to_vec();
        message.extend([0; 32]);
        let key = Sha256::digest(&message);
        let first = |source: &str| {
            let mut out = [0; 32];
            Source::find(source).unwrap().seeded(b"seed", b"use").unwrap().read(&mut out).unwrap();
            out
        };
        assert_eq!(first("counter"), Sha256::digest(&[&key[..], &[0; 9]].concat()));
        let mut shake128 = find("shake128").unwrap().hasher();
        shake128.update(&key);
        assert_eq!(first("shake128")[..], shake128.into_reader().unwrap().read_vec(32));
        let sha256 = find("sha256").unwrap();
        let mut drbg = DrbgStream::from_seed_unchecked(sha256, &key, b"", &DrbgParams::default()).unwrap();
        let mut out = [0; 32];
        drbg.read(&mut out).unwrap();
        assert_eq!(first("hmac-drbg-sha256"), out);
    }

    #[test]
    fn children_and_jumps() {
        let source = Source::find("blake3").unwrap();
        let next = |mut stream: RandomStream| stream.next_u64().unwrap();
        let mut stream = source.seeded(b"seed", b"").unwrap();
        let root = key().root;
        let of = |root| RandomStream::of_key(source, StreamKey { root, jumps: 0 }).unwrap();
        let child = |tag: u8, i: u8| Sha256::digest(&[&root[..], &[tag, 0, 0, 0, 0, 0, 0, 0, i]].concat());
        assert_eq!(next(stream.spawn().unwrap()), next(of(child(3, 0))));
        stream.next_u64().unwrap();
        assert_eq!(next(stream.spawn().unwrap()), next(of(child(3, 1))));
        assert_eq!(next(stream.jumped(0).unwrap()), next(of(root)));
        let mut words = [0; 40];
        stream.seed_others(&mut words).unwrap();
        assert_eq!(words[..32], Sha256::digest(&[&child(5, 0)[..], &[0; 9]].concat()));
        assert_eq!(next(stream.jumped(2).unwrap()), next(of(child(4, 2))));
        assert_eq!(next(stream.jumped(1).unwrap().jumped(1).unwrap()), next(of(child(4, 2))));
        let last = stream.jumped(u64::MAX).unwrap();
        assert_eq!(last.jumped(1).unwrap_err().to_string(), "stream: number of jumps must be 0, not 1");
        stream.set_spawned(u64::MAX - 1);
        stream.spawn().unwrap();
        assert_eq!(stream.spawn().unwrap_err().to_string(), "stream: number of children must be 0, not 1");
        assert_eq!(stream.spawned(), u64::MAX);
    }

    /// The last bytes come whole, whatever the buffer, and nothing comes after them.
    #[test]
    fn streams_end_and_do_not_begin_again() {
        let (counter, blake3) = (Source::find("counter").unwrap(), Source::find("blake3").unwrap());
        let last_block = Sha256::digest(&[&key().root[..], &[0], &[0xff; 8]].concat());
        for (source, end) in [(counter, 1 << 69), (blake3, (1 << 64) - 1)] {
            let mut stream = source.seeded(b"seed", b"").unwrap();
            assert_eq!(stream.end(), end);
            stream.seek(end - 5000).unwrap();
            let mut tail = vec![0; 5000];
            stream.read(&mut tail).unwrap();
            if source == counter {
                assert_eq!(tail[5000 - 32..], last_block);
            }
            let exhausted = |asked| Error::Exhausted { stream: source.name().into(), end, asked };
            assert_eq!((stream.position(), stream.next_u32()), (end, Err(exhausted(end + 4))));
            for len in [1, 8, 100, BUFFER, 2 * BUFFER] {
                for left in [0, 1, 3, 4, 7, 8, 9, 63, 64, 4095, 4096, 4097] {
                    let mut stream = RandomStream::with_buffer(source, key(), len).unwrap();
                    stream.seek(end - left as u128).unwrap();
                    let mut out = vec![1; left + 1];
                    assert_eq!(stream.read(&mut out), Err(exhausted(end + 1)));
                    assert_eq!((out[0], stream.position()), (0, end - left as u128));
                    stream.read(&mut out[..left]).unwrap();
                    assert_eq!(out[..left], tail[5000 - left..], "{source:?}: {left} by {len}");
                    assert_eq!((stream.position(), stream.read(&mut [])), (end, Ok(())));
                    assert_eq!(stream.next_f64(), Err(exhausted(end + 8)));
                    stream.seek(0).unwrap();
                    assert_eq!(stream.next_u64(), source.seeded(b"seed", b"").unwrap().next_u64());
                }
            }
            assert_eq!(stream.seek(end + 1), Err(exhausted(end + 1)));
            assert_eq!(stream.seek(u128::MAX), Err(exhausted(u128::MAX)));
            assert_eq!(stream.position(), end);
        }
        // The others say so before they generate all bytes up to there.
        for (name, end) in [("shake128", u128::from(u64::MAX)), ("hmac-drbg-sha256", 1 << 58)] {
            let mut stream = Source::find(name).unwrap().seeded(b"seed", b"").unwrap();
            assert_eq!(stream.end(), end);
            assert!(matches!(stream.seek(end + 1), Err(Error::Exhausted { .. })));
            assert_eq!(stream.position(), 0);
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn os_seeded_streams_differ_and_forget() {
        for source in Source::all() {
            let mut a = source.os_seeded(b"").unwrap();
            let mut b = source.os_seeded(b"").unwrap();
            assert!(a.key().is_none() && a.seek(0).is_err());
            let words =
                [a.next_u64(), b.next_u64(), a.spawn().unwrap().next_u64(), a.jumped(1).unwrap().next_u64()];
            let mut words = words.map(Result::unwrap);
            words.sort_unstable();
            let (mut one, mut other) = ([0; 16], [0; 16]);
            a.seed_others(&mut one).and(a.seed_others(&mut other)).unwrap();
            assert_ne!(one, other);
            assert!(words.is_sorted_by(|x, y| x < y), "{source:?}");
            assert_eq!((a.at, &a.buffer[..8]), (8, &[0; 8][..]));
            // As in a child.
            let held = a.buffer[8..16].to_vec();
            a.process = Some(u64::MAX);
            assert_ne!(a.next_u64().unwrap().to_be_bytes(), held[..]);
            assert_eq!((a.process, a.position()), (Some(process()), 8));
        }
    }
}
