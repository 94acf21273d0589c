//! The generator for secrets, which the operating system seeds and reseeds.

use super::buffer::{Blocks, Buffer};
use super::drbg_stream::{FRAME, Frame};
use super::fork;
use super::words::ByteSource;
use crate::drbg::limits::MAX_REQUEST;
use crate::drbg::{DrbgParams, EntropySource, HmacDrbg, OsEntropy, Request};
use crate::internal::error::Error;
use crate::registry::Algorithm;
use zeroize::{Zeroize, Zeroizing};

/// The default number of requests between two reseeds: 4 MiB of small reads.
const RESEED_INTERVAL: u64 = 1 << 12;

/// The number of bytes from the operating system in every request: 128 bits.
const FRESH: usize = 16;

/// HMAC-DRBG seeded by the operating system, for unpredictable bytes such as keys.
///
/// Every request uses 16 fresh bytes from the operating system as additional input. If an attacker obtains the state,
/// or if a virtual machine is copied with the state, the state reveals little about later output and nothing about
/// earlier output.
///
/// Each request costs one system call and 18 compressions of SHA-256 (about a microsecond), in addition to the work for
/// the output. Reads of less than 1024 bytes share a request of that size, whose bytes are overwritten as they are
/// read. Longer reads make requests of at most 65,536 bytes.
///
/// The generator reseeds:
///
/// - after every 4096 requests, or the interval in the parameters,
/// - before every request if the parameters ask for prediction resistance,
/// - in a child process, before its first byte. If the Linux kernel supports `MADV_WIPEONFORK`, the generator detects
///   child processes that were created in any way. Otherwise it detects that the process ID has changed.
///
/// You cannot clone the generator.
///
/// ```
/// use hashwell::{DrbgParams, OsDrbg, find};
///
/// let mut drbg = OsDrbg::new(find("sha256")?, &DrbgParams::default())?;
/// let mut key = [0; 32];
/// drbg.read(&mut key)?;
/// # Ok::<(), hashwell::Error>(())
/// ```
pub struct OsDrbg {
    requests: Requests,
    frame: Frame,
    /// The process in which the generator was last seeded.
    process: u64,
}

struct Requests(HmacDrbg);

impl Blocks for Requests {
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error> {
        request(&mut self.0, out, b"")
    }
}

impl OsDrbg {
    /// Makes a generator over this hash algorithm. The default of `params.reseed_interval` is 4096.
    ///
    /// # Errors
    /// Returns the same errors as [`HmacDrbg::new`], and [`Error::EntropyFailed`] if the operating system provides no
    /// entropy.
    pub fn new(algorithm: &'static Algorithm, params: &DrbgParams<'_>) -> Result<Self, Error> {
        let reseed_interval = params.reseed_interval.or(Some(RESEED_INTERVAL));
        let params = DrbgParams { reseed_interval, ..*params };
        let process = fork::process();
        let drbg = HmacDrbg::from_source(algorithm, &params, &mut OsEntropy)?;
        Ok(Self { requests: Requests(drbg), frame: Buffer::new([0; FRAME], true), process })
    }

    /// Fills `out`, which can have any length.
    ///
    /// # Errors
    /// - [`Error::EntropyFailed`] if the operating system provides no entropy.
    /// - [`Error::NotInstantiated`] after [`OsDrbg::uninstantiate`].
    /// - [`Error::SelfTestFailed`] if the known-answer test has failed.
    ///
    /// Bytes written to `out` before the failure are overwritten.
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        if out.len() >= FRAME {
            return self.generate(out, b"");
        }
        self.notice_fork()?;
        self.requests.0.check_ready()?;
        self.frame.read(out, &mut self.requests)
    }

    /// Fills `out`, which can have any length, with requests of at most 65,536 bytes. The additional input of each
    /// request consists of 16 fresh bytes from the operating system and `additional`.
    ///
    /// # Errors
    /// Returns the same errors as [`OsDrbg::read`], and [`Error::OutOfRange`] for an additional input of more than
    /// 2^35 bits.
    pub fn generate(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        self.notice_fork()?;
        let mut done = 0;
        for chunk in out.chunks_mut(MAX_REQUEST) {
            let len = chunk.len();
            if let Err(error) = request(&mut self.requests.0, chunk, additional) {
                out[..done].zeroize();
                return Err(error);
            }
            done += len;
        }
        Ok(())
    }

    /// Reseeds from the operating system and discards the buffered bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`OsDrbg::generate`].
    pub fn reseed(&mut self, additional: &[u8]) -> Result<(), Error> {
        self.requests.0.reseed_from(&mut OsEntropy, additional)?;
        self.frame.clear();
        self.process = fork::process();
        Ok(())
    }

    /// Wipes the generator. All later requests fail.
    pub fn uninstantiate(&mut self) {
        self.requests.0.uninstantiate();
        self.frame.clear();
    }

    /// Returns the underlying generator. Its methods return the security strength, the reseed interval and the hash.
    #[must_use]
    pub fn drbg(&self) -> &HmacDrbg {
        &self.requests.0
    }

    /// Reseeds in a child process, where no bytes from the parent's generator may be returned.
    #[inline]
    fn notice_fork(&mut self) -> Result<(), Error> {
        if self.process == fork::process() {
            return Ok(());
        }
        self.frame.clear();
        self.reseed(b"")
    }
}

/// Serves one request with fresh additional input, after a reseed if one is due.
fn request(drbg: &mut HmacDrbg, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
    let prediction_resistance = drbg.prediction_resistance();
    drbg.check_request(out.len(), &Request { additional, prediction_resistance, strength: None })?;
    let mut fresh = Zeroizing::new([0; FRESH]);
    OsEntropy.fill(&mut *fresh)?;
    drbg.serve_from(&mut OsEntropy, out, prediction_resistance, [&*fresh, additional])
}

impl ByteSource for OsDrbg {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.read(out)
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        self.notice_fork()?;
        self.requests.0.check_ready()?;
        self.frame.take(len, &mut self.requests)
    }
}

impl core::fmt::Debug for OsDrbg {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "OsDrbg({})", self.drbg().algorithm().name)
    }
}
