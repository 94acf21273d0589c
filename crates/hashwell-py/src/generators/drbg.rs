//! HMAC-DRBG (SP 800-90A), seeded by the operating system or by the caller.

use crate::boundary::buffer::{self, Input, new_bytes};
use crate::boundary::errors::{self, Length, ReseedInterval, Strength};
use crate::boundary::secret;
use crate::boundary::sync::Shared;
use crate::rows::algorithm::resolve;
use hashwell::drbg::limits::MAX_REQUEST;
use hashwell::{DrbgParams, Error, OsDrbg, OsEntropy, Request};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::mem;

// A piece of output consists of whole requests.
const _: () = assert!(buffer::PIECE.is_multiple_of(MAX_REQUEST));

/// The generator, which determines the source of fresh entropy. Boxed, because generators are large and differ in size.
enum Mechanism {
    Os(Box<OsDrbg>),
    Given(Box<hashwell::HmacDrbg>),
}

impl Mechanism {
    fn drbg(&self) -> &hashwell::HmacDrbg {
        match self {
            Mechanism::Os(os) => os.drbg(),
            Mechanism::Given(drbg) => drbg,
        }
    }

    fn check_prediction_resistance(&self) -> Result<(), Error> {
        if self.drbg().prediction_resistance() {
            return Ok(());
        }
        Err(Error::NoPredictionResistance { algorithm: self.drbg().algorithm().name })
    }

    /// Returns an error if this number of requests would need a reseed. The OS-seeded generator reseeds itself.
    fn check_requests_left(&self, requests: u64) -> Result<(), Error> {
        match self {
            Mechanism::Given(drbg) if drbg.is_instantiated() && requests > drbg.requests_left() => {
                let (algorithm, interval) = (drbg.algorithm().name, drbg.reseed_interval());
                Err(Error::ReseedRequired { algorithm, interval })
            }
            _ => Ok(()),
        }
    }

    fn generate(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        match self {
            Mechanism::Os(os) => os.generate(out, additional),
            // A request for 0 bytes also counts as a request.
            Mechanism::Given(drbg) if out.is_empty() => drbg.generate(out, additional),
            Mechanism::Given(drbg) => drbg.fill(out, additional),
        }
    }

    /// Generates output, with fresh entropy from the operating system before each request.
    fn generate_freshly(&mut self, out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        self.check_prediction_resistance()?;
        let request = Request { additional, prediction_resistance: true, strength: None };
        match self {
            // `OsDrbg` uses fresh entropy for every request anyway.
            Mechanism::Os(os) => os.generate(out, additional),
            Mechanism::Given(drbg) => out
                .chunks_mut(MAX_REQUEST)
                .try_for_each(|out| drbg.generate_from(&mut OsEntropy, out, &request)),
        }
    }

    /// Generates output with the caller's entropy, which is added before the only request.
    fn generate_after(&mut self, entropy: &[u8], out: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        self.check_prediction_resistance()?;
        let Mechanism::Given(drbg) = self else { return Err(NO_ENTROPY_TAKEN) };
        if out.len() > MAX_REQUEST {
            let algorithm = drbg.algorithm().name;
            let (max, got) = (MAX_REQUEST as u64, out.len() as u64);
            let what = "HMAC-DRBG request with additional entropy";
            return Err(Error::OutOfRange { algorithm, what, unit: "bytes", min: 0, max, got });
        }
        drbg.reseed(entropy, additional)?;
        drbg.generate(out, b"")
    }

    fn reseed(&mut self, entropy: Option<&[u8]>, additional: &[u8]) -> Result<(), Error> {
        match (self, entropy) {
            (Mechanism::Os(os), None) => os.reseed(additional),
            (Mechanism::Os(_), Some(_)) => Err(NO_ENTROPY_TAKEN),
            (Mechanism::Given(drbg), None) => drbg.reseed_from(&mut OsEntropy, additional),
            (Mechanism::Given(drbg), Some(entropy)) => drbg.reseed(entropy, additional),
        }
    }

    fn wipe(&mut self) {
        match self {
            Mechanism::Os(os) => os.uninstantiate(),
            Mechanism::Given(drbg) => drbg.uninstantiate(),
        }
    }
}

const NO_ENTROPY_TAKEN: Error = Error::Unsupported {
    algorithm: "an OS-seeded HMAC-DRBG",
    what: "entropy from the caller: pass it as the argument 'additional'",
};

fn params(
    personalization: &[u8],
    strength: Option<Strength>,
    prediction_resistance: bool,
    reseed_interval: Option<ReseedInterval>,
) -> DrbgParams<'_> {
    DrbgParams {
        personalization,
        strength: strength.map(|Strength(bits)| bits),
        prediction_resistance,
        reseed_interval: reseed_interval.map(|ReseedInterval(requests)| requests),
        kernel: None,
    }
}

/// HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2), a random generator for keys and nonces.
///
/// Without entropy, the operating system seeds the generator and adds fresh entropy to every request. It also reseeds
/// the generator every reseed_interval requests (by default, 4096) and before the first request in a forked child. If
/// you pass prediction_resistance=True to generate, it reseeds the generator before that request. The output is not
/// reproducible.
///
/// With entropy and nonce, the output is reproducible, even in forked children. The generator never reseeds itself:
/// after reseed_interval requests (by default, 2**48), generate raises ReseedRequiredError. For public seeds and test
/// vectors, use from_seed_unchecked.
///
/// The object doesn't reveal secrets and can't be pickled. Several threads can use the same object; each call is
/// atomic.
///
/// Args:
///     algorithm: The hash function, given as a name, a constructor or an Algorithm object. HMAC must be defined
///         for it.
///     entropy: The entropy. It must have at least as many bits as the attribute `strength`. By default, the operating
///         system provides it.
///     nonce: The nonce. It must have at least half as many bits as the attribute `strength`. It requires entropy.
///     personalization: The purpose of the output.
///     strength: The security strength in bits. By default, it is the maximum for the hash function.
///     prediction_resistance: True allows requests to ask for prediction resistance.
///     reseed_interval: The maximum number of requests between two reseeds.
///
/// Raises:
///     ValueError: HMAC is not defined for the algorithm, or entropy or nonce is too short.
///     TypeError: A nonce is given without entropy, or an argument is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> len(hashwell.HmacDrbg("sha256").generate(32))
///     32
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct HmacDrbg {
    row: &'static hashwell::Algorithm,
    os_seeded: bool,
    mechanism: Shared<Mechanism>,
}

impl HmacDrbg {
    fn wrap(row: &'static hashwell::Algorithm, mechanism: Result<Mechanism, Error>) -> PyResult<Self> {
        let mechanism = mechanism.map_err(errors::from_library)?;
        let os_seeded = matches!(mechanism, Mechanism::Os(_));
        Ok(Self { row, os_seeded, mechanism: Shared::new(mechanism) })
    }

    /// Calls `question` with the underlying generator.
    fn ask<R: Send>(&self, py: Python<'_>, question: impl FnOnce(&hashwell::HmacDrbg) -> R + Send) -> R {
        self.mechanism.with(py, 0, |mechanism| question(mechanism.drbg()))
    }
}

/// The bytes of an optional argument.
fn bytes_of<'a>(input: &'a Option<Input<'_, '_>>) -> &'a [u8] {
    input.as_ref().map_or(&[], Input::as_slice)
}

#[pymethods]
impl HmacDrbg {
    #[new]
    #[pyo3(
        signature = (algorithm, entropy=None, nonce=None, personalization=None, *, strength=None, prediction_resistance=false, reseed_interval=None),
        text_signature = "(algorithm, entropy=None, nonce=None, personalization=b'', *, strength=None, prediction_resistance=False, reseed_interval=None)"
    )]
    fn new(
        algorithm: &Bound<'_, PyAny>,
        entropy: Option<&Bound<'_, PyAny>>,
        nonce: Option<&Bound<'_, PyAny>>,
        personalization: Option<&Bound<'_, PyAny>>,
        strength: Option<Strength>,
        prediction_resistance: bool,
        reseed_interval: Option<ReseedInterval>,
    ) -> PyResult<Self> {
        let row = resolve(algorithm)?;
        let (entropy, nonce) = (entropy.map(Input::of).transpose()?, nonce.map(Input::of).transpose()?);
        let personalization = personalization.map(Input::of).transpose()?;
        let personalization = bytes_of(&personalization);
        let params = params(personalization, strength, prediction_resistance, reseed_interval);
        let mechanism = match &entropy {
            None if nonce.is_some() => return Err(errors::nonce_without_entropy()),
            None => secret::boxed(|| OsDrbg::new(row, &params)).map(Mechanism::Os),
            Some(entropy) => {
                secret::boxed(|| hashwell::HmacDrbg::new(row, entropy.as_slice(), bytes_of(&nonce), &params))
                    .map(Mechanism::Given)
            }
        };
        Self::wrap(row, mechanism)
    }

    /// Return a generator with a seed of any length, which may be empty.
    ///
    /// Its method reseed also accepts entropy of any length. Use this function only for public seeds and test vectors:
    /// the output is as predictable as the seed.
    ///
    /// Args:
    ///     algorithm: The hash function, given as a name, a constructor or an Algorithm object. HMAC must be
    ///         defined for it.
    ///     entropy: The entropy, of any length.
    ///     nonce: The nonce, of any length.
    ///     personalization: The purpose of the output.
    ///     strength: The security strength in bits. By default, it is the maximum for the hash function.
    ///     prediction_resistance: True allows requests to ask for prediction resistance.
    ///     reseed_interval: The maximum number of requests between two reseeds.
    ///
    /// Returns:
    ///     A generator with reproducible output.
    ///
    /// Raises:
    ///     ValueError: HMAC is not defined for the algorithm.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> one, two = (hashwell.HmacDrbg.from_seed_unchecked("sha256", b"public seed") for _ in range(2))
    ///     >>> one.generate(16) == two.generate(16)
    ///     True
    #[staticmethod]
    #[pyo3(
        signature = (algorithm, entropy, nonce=None, personalization=None, *, strength=None, prediction_resistance=false, reseed_interval=None),
        text_signature = "(algorithm, entropy, nonce=b'', personalization=b'', *, strength=None, prediction_resistance=False, reseed_interval=None)"
    )]
    fn from_seed_unchecked(
        algorithm: &Bound<'_, PyAny>,
        entropy: &Bound<'_, PyAny>,
        nonce: Option<&Bound<'_, PyAny>>,
        personalization: Option<&Bound<'_, PyAny>>,
        strength: Option<Strength>,
        prediction_resistance: bool,
        reseed_interval: Option<ReseedInterval>,
    ) -> PyResult<Self> {
        let row = resolve(algorithm)?;
        let (entropy, nonce) = (Input::of(entropy)?, nonce.map(Input::of).transpose()?);
        let personalization = personalization.map(Input::of).transpose()?;
        let personalization = bytes_of(&personalization);
        let params = params(personalization, strength, prediction_resistance, reseed_interval);
        let (entropy, nonce) = (entropy.as_slice(), bytes_of(&nonce));
        let drbg = secret::boxed(|| hashwell::HmacDrbg::from_seed_unchecked(row, entropy, nonce, &params));
        Self::wrap(row, drbg.map(Mechanism::Given))
    }

    /// Run the known-answer test of the generator with this hash function.
    ///
    /// If it fails, no generator with this hash function produces output afterwards.
    ///
    /// Args:
    ///     algorithm: The hash function, given as a name, a constructor or an Algorithm object.
    ///
    /// Raises:
    ///     RuntimeError: The test failed.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.HmacDrbg.self_test("sha256")
    #[staticmethod]
    fn self_test(py: Python<'_>, algorithm: &Bound<'_, PyAny>) -> PyResult<()> {
        let row = resolve(algorithm)?;
        py.detach(|| hashwell::HmacDrbg::self_test(row)).map_err(errors::from_library)
    }

    /// The name of the generator: 'hmac-drbg-' followed by the name of the hash function.
    #[getter]
    fn name(&self) -> String {
        format!("hmac-drbg-{}", self.row.name)
    }

    /// True if the operating system seeded the generator, so that its output is not reproducible.
    #[getter]
    fn os_seeded(&self) -> bool {
        self.os_seeded
    }

    /// The security strength in bits.
    #[getter]
    fn strength(&self, py: Python<'_>) -> u32 {
        self.ask(py, |drbg| drbg.strength())
    }

    /// True if requests may ask for prediction resistance.
    #[getter]
    fn prediction_resistance(&self, py: Python<'_>) -> bool {
        self.ask(py, |drbg| drbg.prediction_resistance())
    }

    /// The maximum number of requests between two reseeds.
    #[getter]
    fn reseed_interval(&self, py: Python<'_>) -> u64 {
        self.ask(py, |drbg| drbg.reseed_interval())
    }

    /// The number of requests left before a reseed.
    #[getter]
    fn requests_left(&self, py: Python<'_>) -> u64 {
        self.ask(py, |drbg| drbg.requests_left())
    }

    /// Return n random bytes.
    ///
    /// A call is one request. If n is greater than 65,536, it is several requests of at most 65,536 bytes, each with
    /// the additional input. Two calls for n bytes don't return the same bytes as one call for 2 * n bytes. If the
    /// bytes must not depend on how you divide the output into calls, use hashwell.Random.
    ///
    /// Args:
    ///     n: The number of bytes.
    ///     additional: Additional input to the requests.
    ///     prediction_resistance: True mixes in fresh entropy first, so the output can't be predicted from a state
    ///         that leaked before. The operating system provides the entropy, unless you pass it.
    ///     entropy: Fresh entropy. It requires prediction_resistance=True, and n must be at most 65,536.
    ///
    /// Returns:
    ///     The bytes.
    ///
    /// Raises:
    ///     ReseedRequiredError: The generator must be reseeded first.
    ///     ValueError: entropy is too short, n is too large, or the generator was wiped.
    ///     TypeError: entropy is given without prediction_resistance=True.
    ///     RuntimeError: The generator failed its known-answer test.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> len(hashwell.HmacDrbg("sha256").generate(100_000))
    ///     100000
    #[pyo3(signature = (n, additional=None, *, prediction_resistance=false, entropy=None), text_signature = "($self, n, additional=b'', *, prediction_resistance=False, entropy=None)")]
    fn generate<'py>(
        &self,
        py: Python<'py>,
        n: Length,
        additional: Option<&Bound<'py, PyAny>>,
        prediction_resistance: bool,
        entropy: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (additional, entropy) =
            (additional.map(Input::of).transpose()?, entropy.map(Input::of).transpose()?);
        if entropy.is_some() && !prediction_resistance {
            return Err(errors::entropy_without_prediction_resistance());
        }
        let (additional, entropy) = (bytes_of(&additional), entropy.as_ref().map(Input::as_slice));
        let serve = |mechanism: &mut Mechanism, out: &mut [u8]| match entropy {
            Some(entropy) => mechanism.generate_after(entropy, out, additional),
            None if prediction_resistance => mechanism.generate_freshly(out, additional),
            None => mechanism.generate(out, additional),
        };
        new_bytes(py, n.0, |pieces| {
            let work = n.0.saturating_add(additional.len());
            if n.0 <= MAX_REQUEST || entropy.is_some() {
                let out = pieces.take(n.0).expect("there are n bytes");
                let served = self.mechanism.with(py, work, |mechanism| serve(mechanism, out));
                return served.map_err(errors::from_library);
            }
            let mut requests = if prediction_resistance { 0 } else { n.0.div_ceil(MAX_REQUEST) as u64 };
            self.mechanism.with_pieces(py, work, pieces, |mechanism, out| {
                // This is checked before the first piece, so that the call succeeds or fails as a whole, unless a
                // signal interrupts it.
                mechanism.check_requests_left(mem::take(&mut requests)).map_err(errors::from_library)?;
                serve(mechanism, out).map_err(errors::from_library)
            })
        })
    }

    /// Mix in fresh entropy.
    ///
    /// Args:
    ///     entropy: The entropy. It must have at least as many bits as the attribute `strength`. By default, the
    ///         operating system provides it.
    ///     additional: Additional input.
    ///
    /// Raises:
    ///     ValueError: entropy is too short, or the generator was wiped.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> generator = hashwell.HmacDrbg("sha256")
    ///     >>> generator.reseed()
    #[pyo3(signature = (entropy=None, additional=None), text_signature = "($self, entropy=None, additional=b'')")]
    fn reseed(
        &self,
        py: Python<'_>,
        entropy: Option<&Bound<'_, PyAny>>,
        additional: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (entropy, additional) =
            (entropy.map(Input::of).transpose()?, additional.map(Input::of).transpose()?);
        let (entropy, additional) = (entropy.as_ref().map(Input::as_slice), bytes_of(&additional));
        let work = entropy.map_or(0, <[u8]>::len).saturating_add(additional.len());
        let reseeded = self.mechanism.with(py, work, |mechanism| mechanism.reseed(entropy, additional));
        reseeded.map_err(errors::from_library)
    }

    /// Overwrite the state. All later calls for output raise ValueError.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> generator = hashwell.HmacDrbg("sha256")
    ///     >>> generator.wipe()
    ///     >>> "wiped" in repr(generator)
    ///     True
    fn wipe(&self, py: Python<'_>) {
        self.mechanism.with(py, 0, |mechanism| mechanism.wipe());
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = self.row.name;
        let seeded = if self.os_seeded { "OS-seeded" } else { "seeded" };
        let state = if self.ask(py, |drbg| drbg.is_instantiated()) { seeded } else { "wiped" };
        format!("<hashwell.HmacDrbg '{name}', {state}>")
    }
}
