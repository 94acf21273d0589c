//! Who hashwell is compared with. No peer is required: one that is missing is named in one line.
//!
//! A library that the system has is one row of [`KNOWN`] and one file, which offers [`Contender`]s by the registry's
//! names. Whether they compute the right thing is for the engine to find out.

pub mod built;
mod gcrypt;
mod libb2;
pub mod library;
pub mod masked;
mod nettle;
mod nss;
pub mod openssl;
#[cfg(feature = "peers")]
mod rust;
mod sodium;
pub mod xxhash;

use crate::clock::Clock;
use crate::report;
use library::Library;

/// What there is to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The registry's name of the hash.
    pub algorithm: &'static str,
    /// The work.
    pub kind: Kind,
}

/// The work of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    Child(masked::Masked),
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
}

impl<'a> Contender<'a> {
    /// One that works in this process.
    pub fn here(provider: impl Into<String>, digests: impl FnMut(&[&[u8]], &mut [u8]) + 'a) -> Self {
        let work = Work::Here(Box::new(digests));
        Self { provider: provider.into(), variant: None, kernel: None, threads: 1, work }
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

    /// Whose it is, and which of their calls.
    #[must_use]
    pub fn name(&self) -> String {
        let variant = self.variant.as_ref().map_or_else(String::new, |variant| format!(" {variant}"));
        format!("{}{variant}", self.provider)
    }

    /// What counts its time while it has one core.
    #[must_use]
    pub fn clock(&self) -> Clock {
        if self.threads == 1 { Clock::Thread } else { Clock::Process }
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
    /// Its output stream of an algorithm of this name.
    fn stream(&self, _algorithm: &'static str) -> Option<Box<dyn Stream>> {
        None
    }
}

/// How to find a library.
pub(crate) struct Known {
    /// What people call it.
    name: &'static str,
    /// Environment variable that names another file.
    variable: &'static str,
    /// Name that the system looks up.
    file: &'static str,
    /// A function without which it is of no use.
    symbol: &'static str,
    /// Makes it ready; in words, why it is not.
    open: fn(Library) -> Result<Box<dyn Provider>, String>,
}

impl Known {
    fn load(&self) -> Result<Library, String> {
        let file = std::env::var(self.variable).unwrap_or_else(|_| self.file.into());
        // SAFETY: the initialisers of these libraries are made to be run by any program; of another file the user
        // who named it answers for them.
        let library = unsafe { Library::load(&file) }.ok_or_else(|| format!("{file} cannot be loaded"))?;
        if library.has(self.symbol) { Ok(library) } else { Err(format!("{file} lacks {}", self.symbol)) }
    }

    fn find(&self) -> Found {
        let loaded = self.load();
        let path = loaded.as_ref().ok().and_then(|library| library.path(self.symbol));
        let (provider, missing) = match loaded.and_then(self.open) {
            Ok(provider) => (Some(provider), None),
            Err(why) => (None, Some(why)),
        };
        Found {
            about: report::Provider {
                name: self.name.into(),
                version: provider.as_ref().and_then(|provider| provider.version()),
                path,
                missing,
            },
            provider,
        }
    }
}

/// Every library that is looked for.
const KNOWN: [Known; 7] =
    [openssl::KNOWN, libb2::KNOWN, gcrypt::KNOWN, nettle::KNOWN, sodium::KNOWN, nss::KNOWN, xxhash::KNOWN];

/// The environment variables that name other files of the libraries.
pub fn variables() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|known| known.variable)
}

/// The names of every provider that may be there, hashwell's own first.
pub fn names() -> impl Iterator<Item = &'static str> {
    let libraries = KNOWN.iter().map(|known| known.name);
    [crate::ours::NAME].into_iter().chain(libraries).chain(["Rust"]).chain(built::names())
}

/// Somebody who was looked for.
pub struct Found {
    /// For the report.
    pub about: report::Provider,
    /// If it is there.
    pub provider: Option<Box<dyn Provider>>,
}

/// Every peer this process looked for.
pub struct Peers {
    /// In the order that tables show them.
    pub found: Vec<Found>,
}

impl Peers {
    /// Looks for all of them.
    #[must_use]
    pub fn find() -> Self {
        let mut found: Vec<Found> = KNOWN.iter().map(Known::find).collect();
        found.push(rust_crates());
        found.extend(built::find());
        Self { found }
    }

    /// Everybody who can do the task.
    #[must_use]
    pub fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.providers().flat_map(|(_, provider)| provider.contenders(task)).collect()
    }

    /// Those that are there.
    pub fn providers(&self) -> impl Iterator<Item = (&report::Provider, &dyn Provider)> {
        self.found.iter().filter_map(|found| Some((&found.about, &**found.provider.as_ref()?)))
    }
}

fn rust_crates() -> Found {
    let about = |missing| report::Provider { name: "Rust".into(), version: None, path: None, missing };
    #[cfg(feature = "peers")]
    return Found {
        about: report::Provider { version: rust::Crates.version(), ..about(None) },
        provider: Some(Box::new(rust::Crates)),
    };
    #[cfg(not(feature = "peers"))]
    Found { about: about(Some("built without the feature 'peers'".into())), provider: None }
}
