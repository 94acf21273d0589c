//! Byte streams of named sources, with a seed or from the operating system, with child streams,
//! positions and saved states.

use super::buffer::{Blocks, Buffer};
use super::counter::CounterRng;
#[cfg(feature = "os-random")]
use super::fork::process;
use super::key::{Child, StreamKey};
use super::source::{Generator, Source};
use super::words::ByteSource;
#[cfg(feature = "os-random")]
use crate::drbg::{EntropySource, OsEntropy};
use crate::internal::error::Error;
use crate::internal::try_alloc::{self, joined};
use alloc::boxed::Box;
use zeroize::{Zeroize, Zeroizing};

/// The number of bytes generated at a time. Fewer bytes cost more calls of the generator, and with more bytes, the
/// first number of HMAC-DRBG takes longer, because it waits for all of them.
const BUFFER: usize = 4096;

impl Source {
    /// Returns the stream of a seed. It is the same on every machine, in every version and in
    /// forked child processes.
    ///
    /// `seed` can have any length and is never parsed as a number. If you publish the seed, the stream is predictable.
    /// `personalization` separates different uses of the same seed.
    ///
    /// # Errors
    /// Returns [`Error::SelfTestFailed`] if the known-answer test fails, and [`Error::OutOfMemory`]
    /// if an allocation fails.
    pub fn seeded(self, seed: &[u8], personalization: &[u8]) -> Result<RandomStream, Error> {
        RandomStream::of_key(self, StreamKey::derive(seed, personalization))
    }

    /// Returns an unpredictable stream. The operating system provides the seed, and a new seed in a forked child
    /// process.
    ///
    /// With HMAC-DRBG, the stream also reseeds like [`OsDrbg`](crate::OsDrbg). Other sources keep
    /// their key until a fork.
    ///
    /// # Errors
    /// - [`Error::EntropyFailed`] if the operating system provides no entropy.
    /// - [`Error::SelfTestFailed`] if the known-answer test fails.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    #[cfg(feature = "os-random")]
    pub fn os_seeded(self, personalization: &[u8]) -> Result<RandomStream, Error> {
        let process = process();
        let key = StreamKey::fresh(personalization)?;
        let generator = match self.os_generator(personalization)? {
            Some(generator) => generator,
            None => self.generator(&key.effective())?,
        };
        let mut stream = RandomStream::over(self, key, generator, BUFFER, true)?;
        stream.process = Some(process);
        Ok(stream)
    }
}

fn too_many(what: &'static str, got: u64, max: u64) -> Error {
    Error::OutOfRange { algorithm: "stream", what, unit: "", min: 0, max, got }
}

/// The byte stream of a [`Source`]. Use the methods of [`RandomSource`](crate::RandomSource) to read numbers from the
/// stream. Call [`Source::seeded`] or [`Source::os_seeded`] to make one.
///
/// Each number is made from the next bytes of the stream (at most 8), in big-endian order. All methods read from the
/// same stream, so you can mix calls. The values are stable across versions. The state and the buffer are overwritten
/// on drop. An OS-seeded stream also overwrites bytes as they are read.
///
/// ```
/// use hashwell::{RandomSource, Source};
///
/// let mut stream = Source::find("shake256")?.seeded(b"a public seed", b"simulation 1")?;
/// let unit = stream.next_f64()?;
/// assert_eq!(stream.position(), 8);
/// let mut child = stream.spawn()?; // an independent stream, for example for another thread
/// # let _ = (unit, child.next_u64()?);
/// # Ok::<(), hashwell::Error>(())
/// ```
pub struct RandomStream {
    key: StreamKey,
    bytes: Bytes,
    buffer: Buffer<Box<[u8]>>,
    /// The number of streams spawned.
    spawned: u64,
    /// The process in which an OS-seeded stream was last seeded. `None` for a reproducible stream.
    process: Option<u64>,
}

/// The generator and its position.
struct Bytes {
    source: Source,
    generator: Generator,
    /// The number of bytes generated.
    made: u128,
}

impl Bytes {
    /// Returns the length of the whole stream in bytes.
    fn end(&self) -> u128 {
        self.generator.source().stream_end().unwrap_or(u128::MAX)
    }

    /// Checks that `position` is not after the end of the stream.
    fn check_reaches(&self, position: u128) -> Result<(), Error> {
        if position <= self.end() { Ok(()) } else { Err(self.exhausted(position)) }
    }

    #[cold]
    fn exhausted(&self, asked: u128) -> Error {
        Error::Exhausted { stream: joined(&self.source.pieces()), end: self.end(), asked }
    }
}

impl Blocks for Bytes {
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.generator.source_mut().fill(out)?;
        self.made += out.len() as u128;
        Ok(())
    }

    fn check_left(&self, len: u128) -> Result<(), Error> {
        self.check_reaches(self.made.saturating_add(len))
    }

    fn left(&self) -> u128 {
        self.end() - self.made
    }
}

impl RandomStream {
    /// Returns the stream of a saved key, positioned at its start.
    ///
    /// # Errors
    /// Returns [`Error::SelfTestFailed`] if the known-answer test fails, and [`Error::OutOfMemory`]
    /// if an allocation fails.
    pub fn of_key(source: Source, key: StreamKey) -> Result<Self, Error> {
        Self::with_buffer(source, key, BUFFER)
    }

    fn with_buffer(source: Source, key: StreamKey, len: usize) -> Result<Self, Error> {
        let generator = source.generator(&key.effective())?;
        Self::over(source, key, generator, len, false)
    }

    fn over(
        source: Source,
        key: StreamKey,
        generator: Generator,
        len: usize,
        forgets: bool,
    ) -> Result<Self, Error> {
        let bytes = Bytes { source, generator, made: 0 };
        let buffer = Buffer::new(try_alloc::zeros(len)?.into_boxed_slice(), forgets);
        Ok(Self { key, bytes, buffer, spawned: 0, process: None })
    }

    /// Returns the source of the stream.
    #[must_use]
    pub fn source(&self) -> Source {
        self.bytes.source
    }

    /// Returns the key, or `None` if the operating system seeded the stream. Anyone who has the key
    /// knows the whole stream.
    #[must_use]
    pub fn key(&self) -> Option<&StreamKey> {
        self.process.is_none().then_some(&self.key)
    }

    /// Returns the number of bytes read so far. In a forked child process, the count of an
    /// OS-seeded stream starts again at 0.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.bytes.made - self.buffer.ahead() as u128
    }

    /// Returns the length of the whole stream in bytes:
    ///
    /// - `counter`: 2^69
    /// - extendable-output functions: 2^64 - 1
    /// - HMAC-DRBG with a seed: 2^58
    /// - OS-seeded HMAC-DRBG: 2^128 - 1, which cannot be reached
    #[must_use]
    pub fn end(&self) -> u128 {
        self.bytes.end()
    }

    /// Checks that `position` is not after the end of the stream.
    ///
    /// # Errors
    /// Returns [`Error::Exhausted`] if `position` is after the end.
    pub fn check_reaches(&self, position: u128) -> Result<(), Error> {
        self.bytes.check_reaches(position)
    }

    /// Returns the number of streams that [`RandomStream::spawn`] has made.
    #[must_use]
    pub fn spawned(&self) -> u64 {
        self.spawned
    }

    /// Sets the number of the next child stream that [`RandomStream::spawn`] makes. Use this method when you restore a
    /// saved state.
    pub fn set_spawned(&mut self, spawned: u64) {
        self.spawned = spawned;
    }

    /// Returns a child stream that is independent of this stream and of its other children.
    ///
    /// The key of child number i, counted from 0, is SHA-256(K ‖ 03 ‖ i). The child depends neither on the position in
    /// this stream nor on the order in which children are read. If this stream is OS-seeded, the child is a new
    /// OS-seeded stream.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] after child number 2^64 - 2. Also returns the same errors as [`Source::seeded`] or
    /// [`Source::os_seeded`].
    pub fn spawn(&mut self) -> Result<Self, Error> {
        #[cfg(feature = "os-random")]
        if self.process.is_some() {
            return self.source().os_seeded(b"");
        }
        let after = self.spawned.checked_add(1).ok_or_else(|| too_many("number of children", 1, 0))?;
        let root = StreamKey::child(&self.key.effective(), Child::Spawned, self.spawned);
        let child = Self::of_key(self.source(), StreamKey { root, jumps: 0 })?;
        self.spawned = after;
        Ok(child)
    }

    /// Returns a stream from a sequence of independent streams: the stream that is `jumps` positions after this stream.
    /// The new stream is positioned at its start.
    ///
    /// The sequence starts with the stream of the key K. The stream at position j has the key SHA-256(K ‖ 04 ‖ j). If
    /// this stream is OS-seeded, the result is a new OS-seeded stream.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] after stream number 2^64 - 1. Also returns the same errors as [`Source::seeded`]
    /// or [`Source::os_seeded`].
    pub fn jumped(&self, jumps: u64) -> Result<Self, Error> {
        #[cfg(feature = "os-random")]
        if self.process.is_some() {
            return self.source().os_seeded(b"");
        }
        let left = u64::MAX - self.key.jumps;
        if jumps > left {
            return Err(too_many("number of jumps", jumps, left));
        }
        let root = self.key.root;
        Self::of_key(self.source(), StreamKey { root, jumps: self.key.jumps + jumps })
    }

    /// Fills `out` with bytes for seeding other generators.
    ///
    /// The bytes are the output of the source `counter` with the key SHA-256(K ‖ 05 ‖ 0). They are the same at every
    /// call and independent of this stream. If this stream is OS-seeded, they are fresh at every call.
    ///
    /// # Errors
    /// Returns [`Error::EntropyFailed`] if the stream is OS-seeded and the operating system provides no entropy. After
    /// an error, `out` is overwritten with zeros.
    pub fn seed_others(&self, out: &mut [u8]) -> Result<(), Error> {
        #[cfg(feature = "os-random")]
        if self.process.is_some() {
            return OsEntropy.fill(out).inspect_err(|_| out.zeroize());
        }
        let key = Zeroizing::new(StreamKey::child(&self.key.effective(), Child::Words, 0));
        CounterRng::new(&key).try_read(out)
    }

    /// Returns true if the cost of [`RandomStream::seek`] does not depend on the position.
    #[must_use]
    pub fn is_seekable(&self) -> bool {
        self.bytes.generator.is_seekable()
    }

    /// Moves to a byte position.
    ///
    /// If the blocks of the stream are not independent, all bytes before the new position are generated. To move
    /// forwards, this starts at the current position. To move backwards, it starts at the beginning of the stream.
    ///
    /// # Errors
    /// - [`Error::Unsupported`] for an OS-seeded stream.
    /// - [`Error::Exhausted`] if `position` is after [`RandomStream::end`].
    /// - [`Error::SelfTestFailed`] if the known-answer test has failed.
    pub fn seek(&mut self, position: u128) -> Result<(), Error> {
        if self.process.is_some() {
            return Err(Error::Unsupported { algorithm: "an OS-seeded stream", what: "seeking" });
        }
        self.check_reaches(position)?;
        let sought = match self.bytes.generator.seek(position)? {
            None if position < self.position() => {
                self.bytes.generator = self.source().generator(&self.key.effective())?;
                Some(0)
            }
            sought => sought,
        };
        if let Some(sought) = sought {
            self.bytes.made = sought;
            self.buffer.clear();
        }
        self.buffer.skip(position - self.position(), &mut self.bytes)
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// - [`Error::EntropyFailed`] if the stream is OS-seeded and the operating system provides no
    ///   entropy.
    /// - [`Error::Exhausted`] if the stream has fewer than `out.len()` bytes left. In this case, nothing is read.
    /// - [`Error::SelfTestFailed`] if the known-answer test has failed.
    ///
    /// After an error, `out` is overwritten with zeros.
    #[inline]
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.notice_fork()
            .and_then(|()| self.buffer.read(out, &mut self.bytes))
            .inspect_err(|_| out.zeroize())
    }

    /// Seeds an OS-seeded stream again in a child process, so that it returns no bytes that the
    /// parent also has.
    #[inline]
    fn notice_fork(&mut self) -> Result<(), Error> {
        #[cfg(feature = "os-random")]
        if let Some(seeded_in) = self.process
            && seeded_in != process()
        {
            return self.reseed();
        }
        Ok(())
    }

    #[inline(never)]
    fn take_of_os(&mut self, len: usize) -> Result<[u8; 8], Error> {
        self.notice_fork()?;
        self.buffer.take(len, &mut self.bytes)
    }

    #[cfg(feature = "os-random")]
    #[cold]
    fn reseed(&mut self) -> Result<(), Error> {
        let process = process();
        self.buffer.clear();
        // `OsDrbg` detects a fork itself.
        if !matches!(self.bytes.generator, Generator::Os(_)) {
            let key = StreamKey::fresh(&*self.key.effective())?;
            self.bytes.generator = self.source().generator(&key.effective())?;
            self.key = key;
        }
        self.bytes.made = 0;
        self.process = Some(process);
        Ok(())
    }
}

impl ByteSource for RandomStream {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.read(out)
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        // The check for a fork is in a separate function, outside the loops of reproducible
        // streams.
        if self.process.is_some() { self.take_of_os(len) } else { self.buffer.take(len, &mut self.bytes) }
    }

    #[inline]
    fn ahead(&self) -> &[u8] {
        self.buffer.bytes_ahead()
    }

    #[inline]
    fn pass(&mut self, len: usize) {
        self.buffer.pass(len);
    }

    fn stream_position(&self) -> Option<u128> {
        Some(self.position())
    }

    fn stream_end(&self) -> Option<u128> {
        Some(self.end())
    }
}

impl core::fmt::Debug for RandomStream {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "RandomStream({})", self.source().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::typed::Sha256;
    use crate::drbg::DrbgParams;
    use crate::random::{DrbgStream, RandomSource};
    use crate::registry::find;

    fn key() -> StreamKey {
        StreamKey::derive(b"seed", b"")
    }

    /// The bytes depend neither on the length of the buffer nor on how they are read.
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
                        2 => (1, stream.next_bits(8).unwrap()),
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

    /// Computes the diagram in the documentation of `random/mod.rs` by hand.
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

    /// Every buffer returns the last bytes of a stream completely, and nothing after them.
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
        // These streams report their end before they generate all bytes up to it.
        for (name, end) in [("shake128", u128::from(u64::MAX)), ("hmac-drbg-sha256", 1 << 58)] {
            let mut stream = Source::find(name).unwrap().seeded(b"seed", b"").unwrap();
            assert_eq!(stream.end(), end);
            assert!(matches!(stream.seek(end + 1), Err(Error::Exhausted { .. })));
            assert_eq!(stream.position(), 0);
        }
    }

    #[cfg(feature = "os-random")]
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
            assert_eq!((a.buffer.ahead(), &a.buffer.room()[..8]), (BUFFER - 8, &[0; 8][..]));
            // Simulates a child process.
            let held = a.buffer.room()[8..16].to_vec();
            a.process = Some(u64::MAX);
            assert_ne!(a.next_u64().unwrap().to_be_bytes(), held[..]);
            assert_eq!((a.process, a.position()), (Some(process()), 8));
        }
    }
}
