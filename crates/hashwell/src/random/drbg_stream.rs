//! A byte stream from HMAC-DRBG that does not depend on how it is read.

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

/// The length of each request of [`DrbgStream`] and of the buffer of [`OsDrbg`](crate::OsDrbg) in
/// bytes. With SHA-256, a request takes 64 compressions for the output and 6 more.
pub(super) const FRAME: usize = 1024;

/// The bytes of a request, which are overwritten as they are read.
pub(super) type Frame = Buffer<[u8; FRAME]>;

/// A byte stream from HMAC-DRBG with an explicit seed. The bytes do not depend on how you divide the reads.
///
/// The underlying generator serves requests of 1024 bytes without additional input. This is part of
/// the definition of the stream.
///
/// **The stream never reseeds**, however long it is. A forked child process repeats the bytes of its parent. To get
/// different streams from one seed, use [`DrbgStream::fork_stream`]. For unpredictable bytes, use
/// [`OsDrbg`](crate::OsDrbg).
///
/// ```
/// use hashwell::{DrbgParams, DrbgStream, find};
///
/// let mut stream = DrbgStream::from_seed_unchecked(find("sha256")?, b"a public seed", b"", &DrbgParams::default())?;
/// let mut bytes = [0; 100];
/// stream.read(&mut bytes)?;
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone)]
pub struct DrbgStream {
    requests: Requests,
    /// The generator as it was instantiated, from which forked streams are derived.
    root: HmacDrbg,
    frame: Frame,
}

#[derive(Clone)]
struct Requests(HmacDrbg);

impl Requests {
    /// Returns the number of bytes in `requests` requests.
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
    /// The length in bytes of a stream with the default reseed interval: 2^48 requests of 1024
    /// bytes.
    pub const END: u64 = MAX_RESEED_INTERVAL * FRAME as u64;

    /// Returns the stream of a secret seed. The arguments are the same as those of [`HmacDrbg::new`].
    ///
    /// # Errors
    /// Returns the same errors as [`HmacDrbg::new`].
    pub fn new(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        HmacDrbg::new(algorithm, entropy, nonce, params).map(Self::over)
    }

    /// Returns the stream of a public seed of any length. See [`HmacDrbg::from_seed_unchecked`].
    ///
    /// # Errors
    /// Returns the same errors as [`HmacDrbg::from_seed_unchecked`].
    pub fn from_seed_unchecked(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        HmacDrbg::from_seed_unchecked(algorithm, entropy, nonce, params).map(Self::over)
    }

    /// Checks that `len` bytes are left, so that a source can report the end before it reads
    /// anything.
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
    /// Returns [`Error::ReseedRequired`] after 2^48 requests of 1024 bytes, or after the reseed
    /// interval that you chose, and [`Error::SelfTestFailed`] if the known-answer test has failed.
    /// Bytes written to `out` before the failure are overwritten with zeros.
    #[inline]
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.frame.read(out, &mut self.requests)
    }

    /// Derives a new stream from the seed of this stream and from `label`.
    ///
    /// The new stream depends only on the seed and the label, not on the position in this stream. Streams with
    /// different labels are independent of each other and of this stream.
    ///
    /// The new stream uses the same hash. Its seed consists of 32 bytes of entropy and 16 bytes of nonce. To get
    /// these 48 bytes, a copy of this stream's generator in its state after instantiation serves one request. The
    /// additional input of this request is "hashwell fork_stream" ‖ label.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for a label of more than 2^35 bits, and [`Error::SelfTestFailed`] if the
    /// known-answer test has failed.
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

    /// Returns the underlying hash algorithm.
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

/// The seed of a [`DrbgStream`] over SHA-256: 32 bytes of entropy and 16 bytes of nonce.
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
