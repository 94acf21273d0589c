//! Streams of random bytes, and numbers in them: from a seed, from the operating system, by name.
//!
//! ```text
//! entropy, nonce -> DrbgStream --------------------------------------\
//! operating system -> OsDrbg (feature `os-random`) -------------------\
//! key -> CounterRng (no DRBG: SHA-256 in counter mode) --------------+-> ByteSource -> Words -> numbers
//! message -> Reader ---------------------------------------------------/
//! seed, personalization -> StreamKey K --+-> Source -> RandomStream --/
//!             K, number of a child ------+
//! operating system -> fresh K, or OsDrbg +
//! list of words, function, rand_core's generators -> Tape, FromWords -> ByteSource
//! ```
//!
//! Read in this order: `words` has the contract of all, [`ByteSource`] and [`RandomSource`]; `buffer` what they hold ahead;
//! `counter`, `drbg_stream` and `os_drbg` (with `fork`) three generators of their own; `key`, `source` and `stream`
//! generators by name; `given` what comes from elsewhere, `rand_core` what goes there. `docs/guides/random.md` says the same for
//! those who recompute a stream with other tools.

mod adapters;
mod buffer;
mod counter;
mod drbg_stream;
#[cfg(feature = "os-random")]
mod fork;
mod key;
#[cfg(feature = "os-random")]
mod os_drbg;
#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
mod rand_core;
mod source;
mod stream;
mod words;

#[cfg(feature = "rand_core")]
pub use adapters::from_rng;
#[cfg(feature = "rand_core-0-6")]
pub use adapters::from_rng_0_6;
pub use adapters::{FromWords, Tape, from_words};
pub use counter::CounterRng;
#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
pub use drbg_stream::DrbgSeed;
pub use drbg_stream::DrbgStream;
pub use key::StreamKey;
#[cfg(feature = "os-random")]
pub use os_drbg::OsDrbg;
pub use source::Source;
pub use stream::RandomStream;
pub use words::{ByteSource, RandomSource};
