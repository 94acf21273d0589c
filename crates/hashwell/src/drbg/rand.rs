//! The traits of `rand_core` 0.10 on every generator and stream of this crate.
//!
//! One rule for all: a generator is its stream of bytes, and a number is its next four or eight bytes,
//! big-endian. Every mix of calls reads the same stream. Values are promises: changing one is a breaking
//! change.

use super::{CounterWords, DrbgParams, DrbgStream};
use crate::hash::Reader;
use core::convert::Infallible;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};
use zeroize::Zeroize;

macro_rules! try_rng {
    ($type:ty, $error:ty, |$self:ident, $out:ident| $read:expr) => {
        impl TryRng for $type {
            type Error = $error;

            #[inline]
            fn try_next_u32(&mut self) -> Result<u32, $error> {
                let mut word = [0; 4];
                self.try_fill_bytes(&mut word)?;
                Ok(u32::from_be_bytes(word))
            }

            #[inline]
            fn try_next_u64(&mut self) -> Result<u64, $error> {
                let mut word = [0; 8];
                self.try_fill_bytes(&mut word)?;
                Ok(u64::from_be_bytes(word))
            }

            #[inline]
            fn try_fill_bytes(&mut $self, $out: &mut [u8]) -> Result<(), $error> {
                $read
            }
        }
    };
}

#[cfg(feature = "std")]
try_rng!(super::OsDrbg, crate::Error, |self, out| self.read(out));
#[cfg(feature = "std")]
impl TryCryptoRng for super::OsDrbg {}

// Cannot fail in practice: 2^48 requests of 1024 bytes take twenty years at 400 MB/s.
try_rng!(DrbgStream, Infallible, |self, out| {
    self.read(out).expect("a stream of fewer than 2^58 bytes over a hash that passes its test");
    Ok(())
});
/// Cryptographically secure if its seed is secret.
impl TryCryptoRng for DrbgStream {}

try_rng!(crate::RandomStream, crate::Error, |self, out| self.read(out));
/// Cryptographically secure if its seed is the operating system's, or secret and of enough entropy.
impl TryCryptoRng for crate::RandomStream {}

try_rng!(Reader, Infallible, |self, out| {
    Reader::read(self, out);
    Ok(())
});
/// Cryptographically secure if the message is secret and of enough entropy, or the stream keyed.
impl TryCryptoRng for Reader {}

try_rng!(CounterWords, Infallible, |self, out| {
    CounterWords::read(self, out);
    Ok(())
});
/// Cryptographically secure if its key is secret.
impl TryCryptoRng for CounterWords {}

/// Seed of a [`DrbgStream`] over SHA-256: 32 bytes of entropy and 16 of nonce.
#[derive(Clone)]
pub struct DrbgSeed(pub [u8; 48]);

impl Default for DrbgSeed {
    fn default() -> Self {
        Self([0; 48])
    }
}

impl AsRef<[u8]> for DrbgSeed {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for DrbgSeed {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for DrbgSeed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl core::fmt::Debug for DrbgSeed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("DrbgSeed")
    }
}

impl SeedableRng for DrbgStream {
    type Seed = DrbgSeed;

    /// Over SHA-256. Panics if SHA-256 fails its known-answer test.
    fn from_seed(seed: DrbgSeed) -> Self {
        let (entropy, nonce) = seed.0.split_at(32);
        let sha256 = crate::find("sha256").expect("a row of the registry");
        Self::new(sha256, entropy, nonce, &DrbgParams::default()).expect("a seed of the right length")
    }
}

impl SeedableRng for CounterWords {
    type Seed = [u8; 32];

    fn from_seed(mut key: [u8; 32]) -> Self {
        let words = Self::new(&key);
        key.zeroize();
        words
    }
}
