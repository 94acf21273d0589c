//! Tasks, and the contenders that perform them.

use crate::timing::clock::Clock;
use serde::{Deserialize, Serialize};
use std::io;

/// A task to perform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The registry's name of the hash.
    pub algorithm: &'static str,
    /// The work.
    pub kind: Kind,
}

impl Task {
    /// Looks up the hash of the task in a list by registry name. Returns `None` for tasks other than hashing.
    pub(super) fn hash_in<T: Copy>(self, list: &[(&str, T)]) -> Option<T> {
        let found = list.iter().find(|(name, _)| *name == self.algorithm && self.kind.is_hash());
        found.map(|(_, theirs)| *theirs)
    }
}

/// The work of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The digest of one message.
    Digest,
    /// The digests of many messages, which may be worked on together.
    Many,
    /// HMAC over the hash, under [`HMAC_KEY`].
    Hmac,
    /// HMAC of many messages.
    HmacMany,
    /// One request to HMAC-DRBG over the hash. It generates as many bytes as the message has; the contents of the
    /// message are not used.
    Drbg,
}

impl Kind {
    /// Returns true for plain hashing.
    #[must_use]
    pub const fn is_hash(self) -> bool {
        matches!(self, Kind::Digest | Kind::Many)
    }

    /// Returns true for HMAC.
    #[must_use]
    pub const fn is_hmac(self) -> bool {
        matches!(self, Kind::Hmac | Kind::HmacMany)
    }
}

/// The key of HMAC tasks, 32 bytes. Contenders set it before they are timed.
pub const HMAC_KEY: &[u8; 32] = b"hashwell's bench key, 32 bytes..";

/// The seed of HMAC-DRBG tasks. Contenders instantiate the generator before they are timed.
pub const DRBG_ENTROPY: &[u8; 32] = b"hashwell's bench seed, 32 bytes.";
/// The nonce.
pub const DRBG_NONCE: &[u8; 16] = b"sixteen bytes...";

/// A function that writes the digests of all messages, in order and contiguously.
pub type Digests<'a> = Box<dyn FnMut(&[&[u8]], &mut [u8]) + 'a>;

/// The way in which a contender works.
pub enum Work<'a> {
    /// In this process.
    Here(Digests<'a>),
    /// In another process, which measures its own time.
    Elsewhere(Elsewhere),
}

/// The work of another process, on its own copy of one message.
pub struct Elsewhere {
    /// The digest that it computed.
    pub digest: Vec<u8>,
    /// Computes this number of digests, and returns the CPU time in nanoseconds. Returns an error if the process has
    /// ended.
    pub nanoseconds: Box<dyn FnMut(u64) -> io::Result<u64>>,
}

/// An implementation that can perform a task.
pub struct Contender<'a> {
    /// The name of the provider.
    pub provider: String,
    /// The name of the function, if the provider has several.
    pub variant: Option<String>,
    /// The kernel, if the library reports it.
    pub kernel: Option<String>,
    /// The number of threads it uses.
    pub threads: usize,
    /// The work.
    pub work: Work<'a>,
    /// True if it does not run on the CPU, so that CPU time is not a measure of its speed.
    beside: bool,
    /// The maximum number of bytes of a message.
    most: u64,
}

impl<'a> Contender<'a> {
    /// A contender that runs in this process.
    pub fn here(provider: impl Into<String>, digests: impl FnMut(&[&[u8]], &mut [u8]) + 'a) -> Self {
        Self::of(provider, Work::Here(Box::new(digests)))
    }

    /// A contender with any kind of work.
    pub(super) fn of(provider: impl Into<String>, work: Work<'a>) -> Self {
        Self {
            provider: provider.into(),
            variant: None,
            kernel: None,
            threads: 1,
            work,
            beside: false,
            most: u64::MAX,
        }
    }

    /// A contender that hashes messages one by one; `digest` writes one digest.
    pub fn one_by_one(provider: impl Into<String>, mut digest: impl FnMut(&[u8], &mut [u8]) + 'a) -> Self {
        Self::here(provider, move |messages, out| {
            let each = out.len() / messages.len();
            for (message, out) in messages.iter().zip(out.chunks_exact_mut(each)) {
                digest(message, out);
            }
        })
    }

    /// Sets the name of its function.
    #[must_use]
    pub fn variant(self, variant: impl Into<String>) -> Self {
        Self { variant: Some(variant.into()), ..self }
    }

    /// Sets the name of its kernel.
    #[must_use]
    pub fn on_kernel(self, kernel: impl Into<String>) -> Self {
        Self { kernel: Some(kernel.into()), ..self }
    }

    /// Sets the number of its threads.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Marks the contender as one that does not run on the CPU, so that it is timed by wall-clock time.
    #[must_use]
    pub fn by_the_wall(self) -> Self {
        Self { beside: true, ..self }
    }

    /// Sets the maximum number of bytes of a message.
    #[must_use]
    pub fn at_most(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The maximum number of bytes of a message.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The name of the provider, and of its function if it has several.
    #[must_use]
    pub fn name(&self) -> String {
        let variant = self.variant.as_ref().map_or_else(String::new, |variant| format!(" {variant}"));
        format!("{}{variant}", self.provider)
    }

    /// The clock that measures its time while it runs on one core.
    #[must_use]
    pub fn clock(&self) -> Clock {
        match self.threads {
            _ if self.beside => Clock::Wall,
            1 => Clock::Thread,
            _ => Clock::Process,
        }
    }
}

/// An output stream. Absorbing and reading are separate.
pub trait Stream {
    /// Resets the stream and absorbs a message.
    fn absorb(&mut self, message: &[u8]);
    /// Reads more output for the message that was absorbed last.
    fn read(&mut self, out: &mut [u8]);
}

/// A library, or crates, that can hash.
pub trait Provider {
    /// The version, as the library formats it.
    fn version(&self) -> Option<String>;
    /// All contenders that the library has for the task.
    fn contenders(&self, task: Task) -> Vec<Contender<'static>>;
    /// Returns true if the library has the algorithm, but only in a form that can't be called from here. Its digests
    /// are then neither compared nor timed.
    fn has_uncalled(&self, _algorithm: &str) -> bool {
        false
    }
    /// The library's output stream for the algorithm with this name.
    fn stream(&self, _algorithm: &'static str) -> Option<Box<dyn Stream>> {
        None
    }
}
