//! What there is to compute, and whoever computes it.

use crate::timing::clock::Clock;
use serde::{Deserialize, Serialize};
use std::io;

/// What there is to compute.
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
    /// The same of many messages.
    HmacMany,
    /// One request of HMAC-DRBG over the hash, as long as the message, whose bytes nobody reads.
    Drbg,
}

impl Kind {
    /// Whether it is plain hashing.
    #[must_use]
    pub const fn is_hash(self) -> bool {
        matches!(self, Kind::Digest | Kind::Many)
    }

    /// Whether it is HMAC.
    #[must_use]
    pub const fn is_hmac(self) -> bool {
        matches!(self, Kind::Hmac | Kind::HmacMany)
    }
}

/// Of HMAC tasks: 32 bytes. Contenders prepare it before they are timed.
pub const HMAC_KEY: &[u8; 32] = b"hashwell's bench key, 32 bytes..";

/// Of HMAC-DRBG's tasks: the seed. Contenders instantiate before they are timed.
pub const DRBG_ENTROPY: &[u8; 32] = b"hashwell's bench seed, 32 bytes.";
/// The nonce.
pub const DRBG_NONCE: &[u8; 16] = b"sixteen bytes...";

/// Writes the digests of all messages, in order and contiguously.
pub type Digests<'a> = Box<dyn FnMut(&[&[u8]], &mut [u8]) + 'a>;

/// How a contender works.
pub enum Work<'a> {
    /// In this process.
    Here(Digests<'a>),
    /// In another process, which times itself.
    Elsewhere(Elsewhere),
}

/// Work of another process, on one message that it has of its own.
pub struct Elsewhere {
    /// The digest that it computed.
    pub digest: Vec<u8>,
    /// CPU nanoseconds of that many digests; an error once the process has ended.
    pub nanoseconds: Box<dyn FnMut(u64) -> io::Result<u64>>,
}

/// One way to do a task.
pub struct Contender<'a> {
    /// Whose it is.
    pub provider: String,
    /// Which of their calls, where they have several.
    pub variant: Option<String>,
    /// Kernel, where the library says.
    pub kernel: Option<String>,
    /// Threads it uses.
    pub threads: usize,
    /// The work.
    pub work: Work<'a>,
    /// Whether it works beside this processor, whose CPU time says nothing of it.
    beside: bool,
    /// The most bytes of a message that it can be asked to hash.
    most: u64,
}

impl<'a> Contender<'a> {
    /// One that works in this process.
    pub fn here(provider: impl Into<String>, digests: impl FnMut(&[&[u8]], &mut [u8]) + 'a) -> Self {
        Self::of(provider, Work::Here(Box::new(digests)))
    }

    /// One that does the work, wherever.
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

    /// One that takes the messages one by one; `digest` writes one digest.
    pub fn one_by_one(provider: impl Into<String>, mut digest: impl FnMut(&[u8], &mut [u8]) + 'a) -> Self {
        Self::here(provider, move |messages, out| {
            let each = out.len() / messages.len();
            for (message, out) in messages.iter().zip(out.chunks_exact_mut(each)) {
                digest(message, out);
            }
        })
    }

    /// The same, with the name of its call.
    #[must_use]
    pub fn variant(self, variant: impl Into<String>) -> Self {
        Self { variant: Some(variant.into()), ..self }
    }

    /// The same, with its kernel's name.
    #[must_use]
    pub fn on_kernel(self, kernel: impl Into<String>) -> Self {
        Self { kernel: Some(kernel.into()), ..self }
    }

    /// The same, on that many threads.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The same, which works beside this processor.
    #[must_use]
    pub fn by_the_wall(self) -> Self {
        Self { beside: true, ..self }
    }

    /// The same, for messages of at most so many bytes.
    #[must_use]
    pub fn at_most(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The most bytes of a message.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Whose it is, and which of their calls.
    #[must_use]
    pub fn name(&self) -> String {
        let variant = self.variant.as_ref().map_or_else(String::new, |variant| format!(" {variant}"));
        format!("{}{variant}", self.provider)
    }

    /// What counts its time while it has one core.
    #[must_use]
    pub fn clock(&self) -> Clock {
        match self.threads {
            _ if self.beside => Clock::Wall,
            1 => Clock::Thread,
            _ => Clock::Process,
        }
    }
}

/// A stream of output, absorbing and reading apart.
pub trait Stream {
    /// Forgets what was before and absorbs a message.
    fn absorb(&mut self, message: &[u8]);
    /// Goes on reading the output of the message absorbed last.
    fn read(&mut self, out: &mut [u8]);
}

/// A library, or crates, that can hash.
pub trait Provider {
    /// Version in its own words.
    fn version(&self) -> Option<String>;
    /// Every way it has to do the task.
    fn contenders(&self, task: Task) -> Vec<Contender<'static>>;
    /// Returns true if the library has the algorithm in a form that can't be called from here, so that its digests are
    /// neither compared nor timed.
    fn has_uncalled(&self, _algorithm: &str) -> bool {
        false
    }
    /// Its output stream of an algorithm of this name.
    fn stream(&self, _algorithm: &'static str) -> Option<Box<dyn Stream>> {
        None
    }
}
