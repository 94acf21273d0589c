//! Derives the random numbers of a process and of its replicates from a public seed.

use super::replicates::Replicates;
use crate::key::OPEN_LIST;
use crate::{Error, Key};
use hashwell::random::StreamKey;
use hashwell::{RandomSource, RandomStream, Source};
use std::ops::Range;

/// The random source and the key of a simulation. Replicate j, one of several independent samples, uses the random
/// numbers of the key's child j (`docs/guides/random.md`, step 4). You can therefore repeat each replicate separately,
/// and the number of threads has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    source: Source,
    key: Key,
}

impl Run {
    /// The context used to derive the key of a process. The context does not depend on the process, so encodings of the
    /// same process use the same random numbers, and a longer process begins like a shorter one.
    pub const CONTEXT: &'static [u8] = b"hashwell process/1";
    /// The default random source.
    pub const SOURCE: &'static str = "blake3";

    /// Creates the run for a seed, which can have any length.
    ///
    /// # Errors
    /// Returns an error only if the library was built without the default source.
    pub fn seeded(seed: &[u8]) -> Result<Self, Error> {
        Ok(Self::of_seed(Source::find(Self::SOURCE)?, seed))
    }

    /// Creates the run for a seed, with random numbers from this source.
    #[must_use]
    pub fn of_seed(source: Source, seed: &[u8]) -> Self {
        Self::new(source, Key::derive(seed, Self::CONTEXT, &OPEN_LIST))
    }

    /// Creates the run with this source and key.
    #[must_use]
    pub fn new(source: Source, key: Key) -> Self {
        Self { source, key }
    }

    /// The random numbers for sampling the process once.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn words(&self) -> Result<RandomStream, Error> {
        Ok(self.key.words_of(self.source)?)
    }

    /// The random numbers of replicate j, which come from child j of the key.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if j is 2^64 - 1, because the key has no such child.
    pub fn replicate(&self, j: u64) -> Result<RandomStream, Error> {
        let mut parent = RandomStream::of_key(self.source, StreamKey { root: self.key.0, jumps: 0 })?;
        parent.set_spawned(j);
        Ok(parent.spawn()?)
    }

    /// The random numbers of these replicates, one after another. They are the same as those of [`Run::replicate`], but
    /// the keys are computed in parallel.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn replicates(&self, replicates: Range<u64>) -> Result<Replicates, Error> {
        Replicates::new(self.source, self.key, replicates)
    }
}

/// The random numbers of many replicates.
pub enum Streams<'s> {
    /// Independent replicates: replicate j uses the numbers of [`Run::replicate`]. They can be simulated in parallel.
    Separate(&'s Run, Range<u64>),
    /// This number of replicates, numbered from 0, which share one stream. Each replicate starts where the one before
    /// it ended.
    Shared(&'s mut dyn RandomSource, u64),
}
