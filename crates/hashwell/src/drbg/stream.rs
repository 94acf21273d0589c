//! A stream of bytes that does not depend on how it is read.

use super::limits::MAX_RESEED_INTERVAL;
use super::{DrbgParams, HmacDrbg};
use crate::ground::error::Error;
use crate::registry::Algorithm;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a request of [`DrbgStream`] and of [`OsDrbg`](crate::OsDrbg)'s buffer: with SHA-256, 64
/// compressions of output and 6 beside.
pub(super) const FRAME: usize = 1024;

/// The rest of a request: bytes that were generated and not read yet. Those that were read are overwritten.
#[derive(Clone)]
pub(super) struct Frame {
    bytes: [u8; FRAME],
    /// Bytes read.
    at: usize,
}

impl Frame {
    pub(super) fn empty() -> Self {
        Self { bytes: [0; FRAME], at: FRAME }
    }

    /// Fills `out` from the frame, and from requests of a frame's length when it is used up; those that fit go
    /// to `out` directly. After an error, what was written to `out` is overwritten.
    #[inline]
    pub(super) fn read(
        &mut self,
        out: &mut [u8],
        mut generate: impl FnMut(&mut [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut done = 0;
        while done < out.len() {
            match self.advance(&mut out[done..], &mut generate) {
                Ok(len) => done += len,
                Err(error) => {
                    out[..done].zeroize();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// One step of `read`; returns how many bytes of `out` are filled.
    #[inline]
    fn advance(
        &mut self,
        out: &mut [u8],
        generate: &mut impl FnMut(&mut [u8]) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        if self.at == FRAME {
            if let Some((whole, _)) = out.split_first_chunk_mut::<FRAME>() {
                return generate(whole).map(|()| FRAME);
            }
            generate(&mut self.bytes)?;
            self.at = 0;
        }
        let len = out.len().min(FRAME - self.at);
        let from = &mut self.bytes[self.at..][..len];
        out[..len].copy_from_slice(from);
        from.fill(0);
        self.at += len;
        Ok(len)
    }

    /// Forgets what was not read.
    pub(super) fn wipe(&mut self) {
        self.bytes.zeroize();
        self.at = FRAME;
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// A stream of bytes from an explicit seed: every way of cutting the reads gives the same bytes.
///
/// The generator underneath is asked for 1024 bytes at a time, without additional input; that is part of the
/// stream's definition. **It never reseeds**, not on a long stream and not in a forked child, which repeats
/// its parent's bytes: [`DrbgStream::fork_stream`] gives streams that differ. For bytes that nobody can repeat
/// there is [`OsDrbg`](crate::OsDrbg).
#[derive(Clone)]
pub struct DrbgStream {
    drbg: HmacDrbg,
    /// The generator as it was instantiated, where forked streams come from.
    root: HmacDrbg,
    frame: Frame,
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

    fn over(drbg: HmacDrbg) -> Self {
        Self { root: drbg.clone(), drbg, frame: Frame::empty() }
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// [`Error::ReseedRequired`] after 2^48 requests of 1024 bytes, or the reseed interval asked for;
    /// [`Error::SelfTestFailed`].
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let Self { drbg, frame, .. } = self;
        frame.read(out, |out| drbg.generate(out, b""))
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
        self.drbg.algorithm()
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
