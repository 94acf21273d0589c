//! The traits of `rand_core` 0.10 and 0.6 on every generator and stream of this crate.
//!
//! One rule for all: a generator is its stream of bytes, and a number is its next four or eight bytes,
//! big-endian. Every mix of calls reads the same stream. Values are promises: changing one is a breaking
//! change.

use super::RandomStream;
use crate::drbg::{CounterWords, DrbgParams, DrbgSeed, DrbgStream};
use crate::surface::hash::Reader;
use core::convert::Infallible;
use zeroize::Zeroize;

/// What both versions are made of.
trait Generator {
    type Error: core::error::Error;

    fn next(&mut self, out: &mut [u8]) -> Result<(), Self::Error>;

    #[inline]
    fn next_array<const N: usize>(&mut self) -> Result<[u8; N], Self::Error> {
        let mut bytes = [0; N];
        self.next(&mut bytes)?;
        Ok(bytes)
    }
}

macro_rules! generator {
    ($type:ty, $error:ty, |$self:ident, $out:ident| $read:expr) => {
        impl Generator for $type {
            type Error = $error;

            #[inline]
            fn next(&mut $self, $out: &mut [u8]) -> Result<(), $error> {
                $read
            }
        }

        #[cfg(feature = "rand_core")]
        impl rand_core::TryRng for $type {
            type Error = $error;

            #[inline]
            fn try_next_u32(&mut self) -> Result<u32, $error> {
                self.next_array().map(u32::from_be_bytes)
            }

            #[inline]
            fn try_next_u64(&mut self) -> Result<u64, $error> {
                self.next_array().map(u64::from_be_bytes)
            }

            #[inline]
            fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), $error> {
                self.next(out)
            }
        }

        /// Panics where the generator fails, but for `try_fill_bytes`: the other methods of this version cannot
        /// tell.
        #[cfg(feature = "rand_core-0-6")]
        impl rand_core_0_6::RngCore for $type {
            #[inline]
            fn next_u32(&mut self) -> u32 {
                u32::from_be_bytes(self.next_array().unwrap_or_else(|error| panic!("{error}")))
            }

            #[inline]
            fn next_u64(&mut self) -> u64 {
                u64::from_be_bytes(self.next_array().unwrap_or_else(|error| panic!("{error}")))
            }

            #[inline]
            fn fill_bytes(&mut self, out: &mut [u8]) {
                self.next(out).unwrap_or_else(|error| panic!("{error}"));
            }

            #[inline]
            fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_0_6::Error> {
                self.next(out).map_err(failure)
            }
        }
    };
}

/// The first code that `rand_core` 0.6 leaves to others: without `std` its error is a number.
#[cfg(feature = "rand_core-0-6")]
fn failure(_: impl core::error::Error) -> rand_core_0_6::Error {
    core::num::NonZeroU32::new(rand_core_0_6::Error::CUSTOM_START).expect("not zero").into()
}

macro_rules! secure {
    ($(#[$if:meta])* $type:ty) => {
        $(#[$if])*
        #[cfg(feature = "rand_core")]
        impl rand_core::TryCryptoRng for $type {}
        $(#[$if])*
        #[cfg(feature = "rand_core-0-6")]
        impl rand_core_0_6::CryptoRng for $type {}
    };
}

#[cfg(feature = "std")]
generator!(crate::drbg::OsDrbg, crate::Error, |self, out| self.read(out));
#[cfg(feature = "std")]
secure!(crate::drbg::OsDrbg);

// Cannot fail in practice: 2^48 requests of 1024 bytes take twenty years at 400 MB/s.
generator!(DrbgStream, Infallible, |self, out| {
    self.read(out).expect("a stream of fewer than 2^58 bytes over a hash that passes its test");
    Ok(())
});
secure!(
    /// Cryptographically secure if its seed is secret.
    DrbgStream
);

generator!(RandomStream, crate::Error, |self, out| self.read(out));
secure!(
    /// Cryptographically secure if its seed is the operating system's, or secret and of enough entropy.
    RandomStream
);

generator!(Reader, Infallible, |self, out| {
    Reader::read(self, out);
    Ok(())
});
secure!(
    /// Cryptographically secure if the message is secret and of enough entropy, or the stream keyed.
    Reader
);

generator!(CounterWords, Infallible, |self, out| {
    CounterWords::read(self, out);
    Ok(())
});
secure!(
    /// Cryptographically secure if its key is secret.
    CounterWords
);

macro_rules! seedable {
    ($feature:literal, $trait:path) => {
        #[cfg(feature = $feature)]
        impl $trait for DrbgStream {
            type Seed = DrbgSeed;

            /// Over SHA-256. Panics if SHA-256 fails its known-answer test.
            fn from_seed(seed: DrbgSeed) -> Self {
                let (entropy, nonce) = seed.0.split_at(32);
                let sha256 = crate::find("sha256").expect("a row of the registry");
                Self::new(sha256, entropy, nonce, &DrbgParams::default()).expect("a seed of the right length")
            }
        }

        #[cfg(feature = $feature)]
        impl $trait for CounterWords {
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
