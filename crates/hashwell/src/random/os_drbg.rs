//! The generator for secrets: seeded and refreshed by the operating system.

use super::buffer::{Blocks, Buffer};
use super::drbg_stream::{FRAME, Frame};
use super::fork;
use super::words::ByteSource;
use crate::drbg::limits::MAX_REQUEST;
use crate::drbg::{DrbgParams, EntropySource, HmacDrbg, OsEntropy, Request};
use crate::internal::error::Error;
use crate::registry::Algorithm;
use zeroize::{Zeroize, Zeroizing};

/// Requests between two reseeds, unless the caller says otherwise: 4 MiB of small reads.
const RESEED_INTERVAL: u64 = 1 << 12;

/// Bytes of the operating system's that go into every request: 128 bits.
const FRESH: usize = 16;

/// HMAC-DRBG seeded by the operating system, for bytes that nobody can repeat.
///
/// Every request takes 16 fresh bytes of the operating system's as additional input, so that a state that was
/// stolen, or copied with a virtual machine, tells little of what comes after and nothing of what came
/// before. It costs one call of the operating system and 18 compressions of SHA-256 a request, about a
/// microsecond: reads below 1024 bytes share a request of that size, whose bytes are overwritten as they
/// are read; longer reads are requests of at most 65,536 bytes.
///
/// It reseeds every 4096 requests, or as the parameters say, before every request if they ask for prediction
/// resistance, and in a child process before its first byte (on Linux any way of making a process is noticed,
/// elsewhere a change of the process id). Not cloneable.
pub struct OsDrbg {
    requests: Requests,
    frame: Frame,
    /// The process that it was last seeded in.
    process: u64,
}

struct Requests(HmacDrbg);

impl Blocks for Requests {
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error> {
        request(&mut self.0, out, b"")
    }
}

impl OsDrbg {
    /// A generator over the hash. `params.reseed_interval` is 4096 unless given.
    ///
    /// # Errors
    /// As [`HmacDrbg::new`], and [`Error::EntropyFailed`].
    pub fn new(algorithm: &'static Algorithm, params: &DrbgParams<'_>) -> Result<Self, Error> {
        let reseed_interval = params.reseed_interval.or(Some(RESEED_INTERVAL));
        let params = DrbgParams { reseed_interval, ..*params };
        let process = fork::process();
        let drbg = HmacDrbg::from_source(algorithm, &params, &mut OsEntropy)?;
        Ok(Self { requests: Requests(drbg), frame: Buffer::new([0; FRAME], true), process })
    }

    /// Fills `out`, of any length.
    ///
    /// # Errors
    /// [`Error::EntropyFailed`]; [`Error::NotInstantiated`] after [`OsDrbg::uninstantiate`];
    /// [`Error::SelfTestFailed`]. What was written to `out` is overwritten then.
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        if out.len() >= FRAME {
            return self.generate(out, b"");
        }
        self.notice_fork()?;
        self.requests.0.check_ready()?;
        self.frame.read(out, &mut self.requests)
    }

    /// Fills `out`, of any length, by requests of at most 65,536 bytes, each with the additional input beside
    /// the operating system's.
    ///
    /// # Errors
    /// As [`OsDrbg::read`], and [`Error::OutOfRange`] for an additional input of more than 2^35 bits.
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

    /// Reseeds from the operating system and forgets bytes that were generated before.
    ///
    /// # Errors
    /// As [`OsDrbg::generate`].
    pub fn reseed(&mut self, additional: &[u8]) -> Result<(), Error> {
        self.requests.0.reseed_from(&mut OsEntropy, additional)?;
        self.frame.clear();
        self.process = fork::process();
        Ok(())
    }

    /// Wipes the generator. Whatever is asked of it afterwards fails.
    pub fn uninstantiate(&mut self) {
        self.requests.0.uninstantiate();
        self.frame.clear();
    }

    /// The mechanism underneath: strength, interval, hash.
    #[must_use]
    pub fn drbg(&self) -> &HmacDrbg {
        &self.requests.0
    }

    /// In a child, nothing of what the parent's generator held may come out.
    #[inline]
    fn notice_fork(&mut self) -> Result<(), Error> {
        if self.process == fork::process() {
            return Ok(());
        }
        self.frame.clear();
        self.reseed(b"")
    }
}

/// One request with fresh additional input, after a reseed where one is due.
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
