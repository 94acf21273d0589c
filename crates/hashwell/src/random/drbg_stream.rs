//! A stream of bytes that does not depend on how it is read.

use super::buffer::{Blocks, Buffer};
use super::words::ByteSource;
use crate::drbg::limits::MAX_RESEED_INTERVAL;
use crate::drbg::{DrbgParams, HmacDrbg};
use crate::internal::error::Error;
use crate::internal::try_alloc::words;
use crate::registry::Algorithm;
#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
use zeroize::Zeroize;
use zeroize::Zeroizing;

/// Bytes of a request of [`DrbgStream`] and of [`OsDrbg`](crate::OsDrbg)'s buffer: with SHA-256, 64
/// compressions of output and 6 beside.
pub(super) const FRAME: usize = 1024;

/// A request's bytes, which are overwritten as they are read.
pub(super) type Frame = Buffer<[u8; FRAME]>;

/// A stream of bytes from an explicit seed: every way of cutting the reads gives the same bytes.
///
/// The generator underneath is asked for 1024 bytes at a time, without additional input; that is part of the
/// stream's definition. **It never reseeds**, not on a long stream and not in a forked child, which repeats
/// its parent's bytes: [`DrbgStream::fork_stream`] gives streams that differ. For bytes that nobody can repeat
/// there is [`OsDrbg`](crate::OsDrbg).
#[derive(Clone)]
pub struct DrbgStream {
    requests: Requests,
    /// The generator as it was instantiated, where forked streams come from.
    root: HmacDrbg,
    frame: Frame,
}

#[derive(Clone)]
struct Requests(HmacDrbg);

impl Requests {
    /// Bytes of so many requests.
    fn bytes(requests: u64) -> u128 {
        u128::from(requests) * FRAME as u128
    }
}

impl Blocks for Requests {
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error> {
        out.chunks_mut(FRAME).try_for_each(|frame| self.0.generate(frame, b""))
    }
}

impl DrbgStream {
    /// Bytes of a stream whose reseed interval nobody shortened: 2^48 requests of 1024 bytes.
    pub const END: u64 = MAX_RESEED_INTERVAL * FRAME as u64;

    /// The stream of a secret seed; inputs as for [`HmacDrbg::new`].
    ///
    /// # Errors
    /// As [`HmacDrbg::new`].
    pub fn new(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        HmacDrbg::new(algorithm, entropy, nonce, params).map(Self::over)
    }

    /// The stream of a public seed, of any length: see [`HmacDrbg::from_seed_unchecked`].
    ///
    /// # Errors
    /// As [`HmacDrbg::from_seed_unchecked`].
    pub fn from_seed_unchecked(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        HmacDrbg::from_seed_unchecked(algorithm, entropy, nonce, params).map(Self::over)
    }

    /// Whether so many bytes are left, for sources, which say so before anything is read.
    #[inline]
    fn check_left(&self, len: usize) -> Result<(), Error> {
        if len <= self.frame.ahead() {
            return Ok(());
        }
        let drbg = &self.requests.0;
        let left = Requests::bytes(drbg.requests_left()) + self.frame.ahead() as u128;
        let missing = (len as u128).saturating_sub(left);
        if missing == 0 || !drbg.is_instantiated() {
            return Ok(());
        }
        let end = Requests::bytes(drbg.reseed_interval());
        Err(Error::Exhausted { stream: words(drbg.algorithm().name), end, asked: end + missing })
    }

    fn over(drbg: HmacDrbg) -> Self {
        Self { root: drbg.clone(), requests: Requests(drbg), frame: Frame::new([0; FRAME], true) }
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// [`Error::ReseedRequired`] after 2^48 requests of 1024 bytes, or the reseed interval asked for;
    /// [`Error::SelfTestFailed`]. What was written to `out` is overwritten then.
    #[inline]
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.frame.read(out, &mut self.requests)
    }

    /// The stream of this seed for `label`: it depends on the seed and the label only, not on how far this
    /// stream was read. Other labels, and this stream itself, give independent bytes.
    ///
    /// It is a new instance over the same hash. Its seed is the first request of 48 bytes that this stream's
    /// instance, as instantiated, serves with the additional input "hashwell fork_stream" ‖ label: 32 bytes of
    /// entropy and 16 of nonce.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a label of 2^35 bits; [`Error::SelfTestFailed`].
    pub fn fork_stream(&self, label: &[u8]) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; 48]);
        let mut root = self.root.clone();
        root.generate_pieces(&mut *seed, b"hashwell fork_stream", label)?;
        let (entropy, nonce) = seed.split_at(32);
        let params = DrbgParams {
            strength: Some(root.strength()),
            reseed_interval: Some(root.reseed_interval()),
            kernel: Some(root.kernel()),
            ..DrbgParams::default()
        };
        Self::new(root.algorithm(), entropy, nonce, &params)
    }

    /// The hash underneath.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.requests.0.algorithm()
    }
}

impl ByteSource for DrbgStream {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.check_left(out.len())?;
        self.read(out)
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        self.check_left(len)?;
        self.frame.take(len, &mut self.requests)
    }

    fn stream_position(&self) -> Option<u128> {
        let drbg = &self.requests.0;
        let served = drbg.reseed_interval() - drbg.requests_left();
        Some(Requests::bytes(served).saturating_sub(self.frame.ahead() as u128))
    }

    fn stream_end(&self) -> Option<u128> {
        Some(Requests::bytes(self.requests.0.reseed_interval()))
    }
}

impl core::fmt::Debug for DrbgStream {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "DrbgStream({})", self.algorithm().name)
    }
}

/// Seed of a [`DrbgStream`] over SHA-256: 32 bytes of entropy and 16 of nonce.
#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
#[derive(Clone)]
pub struct DrbgSeed(pub [u8; 48]);

#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
impl Default for DrbgSeed {
    fn default() -> Self {
        Self([0; 48])
    }
}

#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
impl AsRef<[u8]> for DrbgSeed {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
impl AsMut<[u8]> for DrbgSeed {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
impl Drop for DrbgSeed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
impl core::fmt::Debug for DrbgSeed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("DrbgSeed")
    }
}
