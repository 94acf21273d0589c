//! HMAC-DRBG over the rows of the registry, each behind its known-answer test.

use super::hmac_drbg::Drbg;
use super::{DrbgParams, EntropySource, self_test};
use crate::internal::error::Error;
use crate::internal::keyed::KeyedHmac;
use crate::mac::RowHmac;
use crate::registry::Algorithm;
use zeroize::Zeroizing;

/// HMAC-DRBG over a registry row.
pub type HmacDrbg = Drbg<RowHmac>;

impl HmacDrbg {
    /// Instantiates the generator. `entropy` has at least as many bits as the security strength, `nonce` at
    /// least half as many; both may come from one source of entropy, which nothing else uses. The hash's
    /// known-answer test runs first if it has not run in this process.
    ///
    /// ```
    /// use hashwell::{DrbgParams, HmacDrbg, find};
    ///
    /// let (entropy, nonce) = ([7; 32], [8; 16]); // from a source of entropy
    /// let mut drbg = HmacDrbg::new(find("sha256")?, &entropy, &nonce, &DrbgParams::default())?;
    /// let mut key = [0; 32];
    /// drbg.generate(&mut key, b"")?;
    /// # Ok::<(), hashwell::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for an input too short or long, a strength that the hash does not give, or a
    /// reseed interval outside 1 to 2^48; [`Error::Unsupported`] for a row that HMAC refuses;
    /// [`Error::UnknownKernel`] or [`Error::UnavailableKernel`]; [`Error::SelfTestFailed`].
    pub fn new(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        Self::with_hmac(self_test::tested_hmac(algorithm, params.kernel)?, entropy, nonce, params)
    }

    /// As [`HmacDrbg::new`], with entropy and nonce drawn from the source: one and a half times the strength.
    ///
    /// # Errors
    /// As [`HmacDrbg::new`], and what the source fails with.
    pub fn from_source(
        algorithm: &'static Algorithm,
        params: &DrbgParams<'_>,
        source: &mut dyn EntropySource,
    ) -> Result<Self, Error> {
        let hmac = self_test::tested_hmac(algorithm, params.kernel)?;
        let mut drbg = Self::empty(hmac, params)?;
        // 9.1 steps 6 to 8: entropy input and nonce from the source; steps 9 to 11 below.
        let mut seed = Zeroizing::new([0; 48]);
        let (entropy, nonce) = (drbg.min_entropy(), drbg.min_nonce());
        let seed = &mut seed[..entropy + nonce];
        source.fill(seed)?;
        drbg.instantiate(&seed[..entropy], &seed[entropy..], params.personalization);
        Ok(drbg)
    }

    /// As [`HmacDrbg::new`], with a seed (entropy and nonce) of any length, even empty; its reseeds accept
    /// any length too. For test vectors and public seeds: **nothing here makes the output unpredictable.**
    ///
    /// # Errors
    /// As [`HmacDrbg::new`], but for inputs that are short.
    pub fn from_seed_unchecked(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        Self::with_hmac_unchecked(self_test::tested_hmac(algorithm, params.kernel)?, entropy, nonce, params)
    }

    /// The generator with the state that `import_state` has read and checked.
    pub(super) fn restored(
        algorithm: &'static Algorithm,
        params: &DrbgParams<'_>,
        unchecked: bool,
        counter: u64,
        k: &[u8],
        v: &[u8],
    ) -> Result<Self, Error> {
        let mut drbg = Self::empty(self_test::tested_hmac(algorithm, None)?, params)?;
        drbg.unchecked = unchecked;
        drbg.counter = counter;
        drbg.k[..k.len()].copy_from_slice(k);
        drbg.v[..v.len()].copy_from_slice(v);
        drbg.hmac.set_key(k);
        Ok(drbg)
    }

    /// Runs the known-answer test of the generator over this hash, on demand. After a failure no generator
    /// over the hash gives output, and none can be made, until the test is passed; those that noticed the
    /// failure are wiped.
    ///
    /// The test instantiates, generates with and without prediction resistance and additional input,
    /// reseeds, provokes the errors of section 11.3, and looks whether wiping wipes. It takes about 60 calls
    /// of HMAC.
    ///
    /// # Errors
    /// [`Error::SelfTestFailed`]; [`Error::Unsupported`] for a row that HMAC refuses.
    pub fn self_test(algorithm: &'static Algorithm) -> Result<(), Error> {
        self_test::run(algorithm)
    }

    /// The hash underneath.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.hmac.algorithm
    }

    /// Name of the hash's kernel in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.hmac.kernel()
    }
}
