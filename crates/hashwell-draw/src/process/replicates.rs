//! The random numbers of many replicates, one after another, at a lower cost than creating a stream for each.

use crate::key::Digests;
use crate::{Error, Key};
use hashwell::{ByteSource, RandomStream, Source};
use std::ops::Range;

/// The number of keys computed at a time.
const KEYS: usize = 256;
/// The number of bytes generated at a time: BLAKE3's widest kernels compute 16 blocks of 64 bytes at once, and a
/// replicate of 100 draws needs no more.
const ROOM: usize = 1024;

/// The random numbers of many replicates; created by [`Run::replicates`](super::Run::replicates). They are the same as
/// those of [`Run::replicate`](super::Run::replicate). The memory is not overwritten on drop, because the keys of
/// processes are not secret.
pub struct Replicates {
    left: Range<u64>,
    keys: Keys,
    words: ReplicateRng,
}

impl Replicates {
    pub(super) fn new(source: Source, key: Key, replicates: Range<u64>) -> Result<Self, Error> {
        let words = ReplicateRng::new(source, key)?;
        Ok(Self { left: replicates, keys: Keys::new(key), words })
    }

    /// The range of the numbers of the remaining replicates.
    #[must_use]
    pub fn left(&self) -> Range<u64> {
        self.left.clone()
    }

    /// Returns the number of the next replicate and its random numbers, or `None` after the last one.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails. The replicate then remains the next one.
    pub fn next_words(&mut self) -> Result<Option<(u64, &mut ReplicateRng)>, Error> {
        let mut left = self.left.clone();
        let Some(j) = left.next() else { return Ok(None) };
        self.words.restart(self.keys.of(j, &left)?)?;
        self.left = left;
        Ok(Some((j, &mut self.words)))
    }

    /// Calls `work` with the random numbers of the next replicate. Returns `None` after the last one, and also once
    /// `work` was stopped; that replicate then stays among those that are left.
    pub(crate) fn next_of<T>(
        &mut self,
        work: impl FnOnce(&mut ReplicateRng) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let Some((j, words)) = self.next_words()? else { return Ok(None) };
        match work(words) {
            Ok(done) => Ok(Some(done)),
            Err(Error::Stopped) => {
                self.left = j..j;
                Ok(None)
            }
            Err(error) => Err(error.in_replicate(j)),
        }
    }
}

/// The keys of children, SHA-256(K ‖ 03 ‖ j) as specified in `docs/guides/random.md`, computed in parallel.
struct Keys {
    key: Key,
    hash: &'static Digests,
    first: u64,
    digests: Vec<[u8; 32]>,
}

impl Keys {
    const TAG: u8 = 3;

    fn new(key: Key) -> Self {
        Self { key, hash: Digests::shared_or_abort(), first: 0, digests: Vec::new() }
    }

    /// The key of child j. If the key isn't known yet, also computes the keys of the following replicates in `left`, at
    /// most `KEYS` in total.
    fn of(&mut self, j: u64, left: &Range<u64>) -> Result<Key, Error> {
        let known = |keys: &Self| {
            let at = usize::try_from(j.checked_sub(keys.first)?).ok()?;
            keys.digests.get(at).copied()
        };
        if let Some(digest) = known(self) {
            return Ok(Key(digest));
        }
        let count = left.end.saturating_sub(j).min(KEYS as u64) as usize;
        let mut messages = [[0; 32 + 1 + 8]; KEYS];
        for (after, message) in messages[..count].iter_mut().enumerate() {
            message[..32].copy_from_slice(&self.key.0);
            message[32] = Self::TAG;
            message[33..].copy_from_slice(&(j + after as u64).to_be_bytes());
        }
        self.first = j;
        self.digests.resize(count, [0; 32]);
        let made = self.hash.of(&messages[..count], &mut self.digests);
        // If there was no memory to compute them, no keys are known.
        made.inspect_err(|_| self.digests.clear())?;
        known(self).map(Key).ok_or(Error::Memory { what: "keys" })
    }
}

/// The random numbers of a replicate, from the first one on.
pub struct ReplicateRng {
    source: Source,
    made: Made,
    /// Bytes generated in advance, valid from `at` on.
    room: Box<[u8; ROOM]>,
    at: usize,
    /// The number of bytes generated.
    position: u128,
}

/// The generator of the bytes.
enum Made {
    /// The default source, read through the crate `blake3`. It restarts immediately, whereas creating a stream takes
    /// microseconds, more than a short replicate needs. The hasher is kept because a new one would copy two kilobytes.
    Blake3(Box<(blake3::Hasher, blake3::OutputReader)>),
    Stream(RandomStream),
}

impl Made {
    fn of(source: Source, key: Key) -> Result<Self, Error> {
        if source == Source::find("blake3")? {
            let mut hasher = blake3::Hasher::new();
            let reader = hasher.update(&key.0).finalize_xof();
            return Ok(Made::Blake3(Box::new((hasher, reader))));
        }
        Ok(Made::Stream(key.words_of(source)?))
    }
}

impl ReplicateRng {
    fn new(source: Source, key: Key) -> Result<Self, Error> {
        Ok(Self { source, made: Made::of(source, key)?, room: Box::new([0; ROOM]), at: ROOM, position: 0 })
    }

    fn restart(&mut self, key: Key) -> Result<(), Error> {
        match &mut self.made {
            Made::Blake3(made) => {
                let (hasher, reader) = &mut **made;
                *reader = hasher.reset().update(&key.0).finalize_xof();
                // Nearly every replicate draws, so the first bytes are generated in advance.
                reader.fill(&mut self.room[..]);
                (self.at, self.position) = (0, ROOM as u128);
            }
            Made::Stream(stream) => {
                *stream = key.words_of(self.source)?;
                (self.at, self.position) = (ROOM, 0);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn fill_beyond(&mut self, out: &mut [u8]) -> Result<(), hashwell::Error> {
        let (head, rest) = out.split_at_mut(ROOM - self.at);
        head.copy_from_slice(&self.room[self.at..]);
        self.at = ROOM;
        match &mut self.made {
            Made::Stream(stream) => {
                stream.fill(rest)?;
                self.position += rest.len() as u128;
            }
            Made::Blake3(made) => {
                let (_, reader) = &mut **made;
                // The end of the stream is not checked, because reaching it, after 2^64 - 1 bytes, would take
                // centuries.
                let (whole, rest) = rest.split_at_mut(rest.len() - rest.len() % ROOM);
                reader.fill(whole);
                self.position += whole.len() as u128;
                if !rest.is_empty() {
                    reader.fill(&mut self.room[..]);
                    self.position += ROOM as u128;
                    rest.copy_from_slice(&self.room[..rest.len()]);
                    self.at = rest.len();
                }
            }
        }
        Ok(())
    }

    /// This is a separate function, so that the state of the fast path stays in registers.
    #[inline(never)]
    fn take_beyond(&mut self, len: usize) -> Result<[u8; 8], hashwell::Error> {
        let mut bytes = [0; 8];
        self.fill_beyond(&mut bytes[8 - len..])?;
        Ok(bytes)
    }
}

impl ByteSource for ReplicateRng {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), hashwell::Error> {
        let Some(ahead) = self.room[self.at..].get(..out.len()) else { return self.fill_beyond(out) };
        out.copy_from_slice(ahead);
        self.at += out.len();
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], hashwell::Error> {
        if len > ROOM - self.at {
            return self.take_beyond(len);
        }
        let mut bytes = [0; 8];
        bytes[8 - len..].copy_from_slice(&self.room[self.at..][..len]);
        self.at += len;
        Ok(bytes)
    }

    #[inline]
    fn ahead(&self) -> &[u8] {
        &self.room[self.at..]
    }

    #[inline]
    fn pass(&mut self, len: usize) {
        assert!(len <= self.ahead().len(), "so many bytes do not lie ahead");
        self.at += len;
    }

    fn stream_position(&self) -> Option<u128> {
        Some(self.position - (ROOM - self.at) as u128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Run;
    use hashwell::RandomSource;

    #[test]
    fn replicates_have_their_own_words() {
        for name in ["blake3", "counter", "shake128"] {
            let run = Run::new(Source::find(name).unwrap(), Key([3; 32]));
            for range in [0..3, 5..5, 250..258, 1000..1300, u64::MAX - 2..u64::MAX] {
                let mut replicates = run.replicates(range.clone()).unwrap();
                for j in range {
                    let (number, words) = replicates.next_words().unwrap().unwrap();
                    assert_eq!(number, j);
                    if name != "blake3" && j % 64 != 0 {
                        continue;
                    }
                    let mut must = run.replicate(j).unwrap();
                    let (mut one, mut other) = ([0; 2500], [0; 2500]);
                    for len in [8, 3, 1000, 20, 2500, 1024, 1] {
                        words.fill(&mut one[..len]).unwrap();
                        must.fill(&mut other[..len]).unwrap();
                        assert_eq!(one[..len], other[..len], "{name} {j}");
                        assert_eq!(words.next_u64(), must.next_u64());
                        assert_eq!(words.stream_position(), must.stream_position());
                    }
                }
                assert!(replicates.next_words().unwrap().is_none());
            }
        }
    }

    /// Tests reads of more than a mebibyte at once.
    #[test]
    fn long_reads_are_those_of_the_stream() {
        let run = Run::seeded(b"long").unwrap();
        let mut replicates = run.replicates(3..4).unwrap();
        let (_, words) = replicates.next_words().unwrap().unwrap();
        let mut must = run.replicate(3).unwrap();
        let (mut one, mut other) = (vec![0; 1_100_001], vec![0; 1_100_001]);
        for len in [5, 1_100_001, 1024, 2047] {
            words.fill(&mut one[..len]).unwrap();
            must.fill(&mut other[..len]).unwrap();
            assert!(one == other && words.stream_position() == must.stream_position(), "{len}");
        }
    }
}
