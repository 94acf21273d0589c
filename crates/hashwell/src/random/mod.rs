//! Streams of random bytes, and numbers in them: from a seed, from the operating system, or from a
//! generator that you choose by name.
//!
//! - For secrets such as keys and nonces, use [`OsDrbg`].
//! - For reproducible numbers from a seed, use [`Source::seeded`].
//! - [`ByteSource`] and [`RandomSource`] are the traits of all generators.
//!
//! ```text
//! entropy, nonce -> DrbgStream ---------------------------------------\
//! operating system -> OsDrbg (feature `os-random`) --------------------\
//! key -> CounterRng (no DRBG: SHA-256 in counter mode) ----------------+-> ByteSource -> RandomSource -> numbers
//! message -> Reader ---------------------------------------------------/
//! seed, personalization -> StreamKey K --+-> Source -> RandomStream --/
//!             K, number of a child ------+
//! operating system -> fresh K, or OsDrbg +
//! list of integers, function, generator of rand_core -> Tape, FromWords -> ByteSource
//! ```
//!
//! Read the files in this order: `words` defines the traits, and `buffer` the buffer of all
//! generators. `counter`, `drbg_stream` and `os_drbg` (with `fork`) are three generators. `key`,
//! `source` and `stream` implement named generators. `adapters` makes sources from lists, functions
//! and other generators, and `rand_core` implements the traits of that crate.
//! `docs/guides/random.md` describes how to compute the streams with other tools.

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
