//! Implements the traits of `rand_core` 0.10 and 0.6 for every generator and stream of this crate.
//!
//! The generator returns the bytes of the stream, and its integers are those of [`RandomSource`].
//! The values are stable: changing one is a breaking change.

use super::counter::CounterRng;
use super::drbg_stream::{DrbgSeed, DrbgStream};
#[cfg(feature = "os-random")]
use super::os_drbg::OsDrbg;
use super::stream::RandomStream;
use super::words::{ByteSource, RandomSource};
use crate::api::hash::Reader;
use crate::drbg::DrbgParams;
use crate::internal::error::Error;
use crate::registry::find;
use zeroize::Zeroize;

/// Passes on the errors of generators that return errors.
#[cfg(feature = "rand_core")]
fn told<T>(result: Result<T, Error>) -> Result<T, Error> {
    result
}

/// Panics on errors of generators that fail only at the end of their stream or after a failed self-test.
#[cfg(feature = "rand_core")]
fn never<T>(result: Result<T, Error>) -> Result<T, core::convert::Infallible> {
    Ok(or_panic(result))
}

fn or_panic<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

macro_rules! generator {
    ($(#[$secure:meta])* $type:ty, $error:ty, $failure:ident) => {
        #[cfg(feature = "rand_core")]
        impl rand_core::TryRng for $type {
            type Error = $error;

            #[inline]
            fn try_next_u32(&mut self) -> Result<u32, $error> {
                $failure(RandomSource::next_u32(self))
            }

            #[inline]
            fn try_next_u64(&mut self) -> Result<u64, $error> {
                $failure(RandomSource::next_u64(self))
            }

            #[inline]
            fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), $error> {
                $failure(ByteSource::fill(self, out))
            }
        }

        $(#[$secure])*
        #[cfg(feature = "rand_core")]
        impl rand_core::TryCryptoRng for $type {}

        /// The methods other than `try_fill_bytes` panic if the generator fails, since this version
        /// of the trait cannot return errors.
        #[cfg(feature = "rand_core-0-6")]
        impl rand_core_0_6::RngCore for $type {
            #[inline]
            fn next_u32(&mut self) -> u32 {
                or_panic(RandomSource::next_u32(self))
            }

            #[inline]
            fn next_u64(&mut self) -> u64 {
                or_panic(RandomSource::next_u64(self))
            }

            #[inline]
            fn fill_bytes(&mut self, out: &mut [u8]) {
                or_panic(ByteSource::fill(self, out));
            }

            #[inline]
            fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_0_6::Error> {
                ByteSource::fill(self, out).map_err(failure)
            }
        }

        $(#[$secure])*
        #[cfg(feature = "rand_core-0-6")]
        impl rand_core_0_6::CryptoRng for $type {}
    };
}

/// Returns the first error code that `rand_core` 0.6 reserves for other crates. Without `std`, its
/// error is a number.
#[cfg(feature = "rand_core-0-6")]
fn failure(_: Error) -> rand_core_0_6::Error {
    core::num::NonZeroU32::new(rand_core_0_6::Error::CUSTOM_START).expect("not zero").into()
}

#[cfg(feature = "os-random")]
generator!(OsDrbg, Error, told);

generator!(
    /// Cryptographically secure if the operating system seeded it, or if its seed is secret and has
    /// enough entropy.
    RandomStream,
    Error,
    told
);

generator!(
    /// Cryptographically secure if its seed is secret.
    DrbgStream,
    core::convert::Infallible,
    never
);

generator!(
    /// Cryptographically secure if the stream is keyed, or if the message is secret and has enough
    /// entropy.
    Reader,
    core::convert::Infallible,
    never
);

generator!(
    /// Cryptographically secure if its key is secret.
    CounterRng,
    core::convert::Infallible,
    never
);

macro_rules! seedable {
    ($feature:literal, $trait:path) => {
        #[cfg(feature = $feature)]
        impl $trait for DrbgStream {
            type Seed = DrbgSeed;

            /// Makes a stream over SHA-256. Panics if SHA-256 fails its known-answer test.
            fn from_seed(seed: DrbgSeed) -> Self {
                let (entropy, nonce) = seed.0.split_at(32);
                let sha256 = find("sha256").expect("a row of the registry");
                Self::new(sha256, entropy, nonce, &DrbgParams::default()).expect("a seed of the right length")
            }
        }

        #[cfg(feature = $feature)]
        impl $trait for CounterRng {
            type Seed = [u8; 32];

            fn from_seed(mut key: [u8; 32]) -> Self {
                let words = Self::new(&key);
                key.zeroize();
                words
            }
        }
    };
}

seedable!("rand_core", rand_core::SeedableRng);
seedable!("rand_core-0-6", rand_core_0_6::SeedableRng);
