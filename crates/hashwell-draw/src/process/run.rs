//! From a public seed to the words of a process and of its replicates.

use super::replicates::Replicates;
use crate::key::OPEN_LIST;
use crate::{Error, Key};
use hashwell::random::StreamKey;
use hashwell::{RandomSource, RandomStream, Source};
use std::ops::Range;

/// The source of words and the key of a simulation. Replicate j has the words of the key's child j (`docs/guides/random.md`, step
/// 4), so that it can be replayed alone and threads change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    source: Source,
    key: Key,
}

impl Run {
    /// What the key of a process is derived with: nothing of the process, so that encodings of one law agree, and a
    /// longer process begins as a shorter one.
    pub const CONTEXT: &'static [u8] = b"hashwell process/1";
    /// The source of words where nobody names one.
    pub const SOURCE: &'static str = "blake3";

    /// The run of a seed, bytes of any length.
    ///
    /// # Errors
    /// None but those of a library that was built without the source.
    pub fn seeded(seed: &[u8]) -> Result<Self, Error> {
        Ok(Self::of_seed(Source::find(Self::SOURCE)?, seed))
    }

    /// The run of a seed with words of this source.
    #[must_use]
    pub fn of_seed(source: Source, seed: &[u8]) -> Self {
        Self::new(source, Key::derive(seed, Self::CONTEXT, &OPEN_LIST))
    }

    /// The run of another source or key.
    #[must_use]
    pub fn new(source: Source, key: Key) -> Self {
        Self { source, key }
    }

    /// The words of the process that is sampled once.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    pub fn words(&self) -> Result<RandomStream, Error> {
        Ok(self.key.words_of(self.source)?)
    }

    /// The words of replicate j: those of the child j of the key.
    ///
    /// # Errors
    /// [`Error::RandomSource`] for j = 2^64 - 1, which no child has.
    pub fn replicate(&self, j: u64) -> Result<RandomStream, Error> {
        let mut parent = RandomStream::of_key(self.source, StreamKey { root: self.key.0, jumps: 0 })?;
        parent.set_spawned(j);
        Ok(parent.spawn()?)
    }

    /// The words of these replicates one after another, as [`Run::replicate`] gives them, with their keys made side by
    /// side.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    pub fn replicates(&self, replicates: Range<u64>) -> Result<Replicates, Error> {
        Replicates::new(self.source, self.key, replicates)
    }
}

/// The random numbers of many replicates.
pub enum Streams<'s> {
    /// Independent replicates: replicate j has the numbers of [`Run::replicate`]. They can be simulated in parallel.
    Separate(&'s Run, Range<u64>),
    /// This many replicates, numbered from 0, on one stream: each starts where the one before it ended.
    Shared(&'s mut dyn RandomSource, u64),
}
