//! HMAC-DRBG over the algorithms of the registry. Each of them must pass a known-answer test before
//! its first use.

use super::hmac_drbg::Drbg;
use super::{DrbgParams, EntropySource, self_test};
use crate::internal::error::Error;
use crate::internal::keyed::KeyedHmac;
use crate::mac::RowHmac;
use crate::registry::Algorithm;
use zeroize::Zeroizing;

/// HMAC-DRBG over an algorithm of the registry.
pub type HmacDrbg = Drbg<RowHmac>;

impl HmacDrbg {
    /// Makes a generator.
    ///
    /// `entropy` must have at least as many bits as the security strength, and `nonce` at least half as many. Both can
    /// come from the same source of entropy, but you must not use these bytes for anything else. When a process makes
    /// its first generator over a hash, the known-answer test of the hash is run.
    ///
    /// ```
    /// use hashwell::{DrbgParams, HmacDrbg, find};
    ///
    /// let (entropy, nonce) = ([7; 32], [8; 16]); // in real code, from a source of entropy
    /// let mut drbg = HmacDrbg::new(find("sha256")?, &entropy, &nonce, &DrbgParams::default())?;
    /// let mut key = [0; 32];
    /// drbg.generate(&mut key, b"")?;
    /// # Ok::<(), hashwell::Error>(())
    /// ```
    ///
    /// # Errors
    /// - [`Error::OutOfRange`] if an input is too short or too long, if the hash does not provide
    ///   the strength, or if the reseed interval is not 1 to 2^48.
    /// - [`Error::Unsupported`] if HMAC is not defined over the algorithm.
    /// - [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel cannot be used.
    /// - [`Error::SelfTestFailed`] if the known-answer test fails.
    pub fn new(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        Self::with_hmac(self_test::tested_hmac(algorithm, params.kernel)?, entropy, nonce, params)
    }

    /// Makes a generator like [`HmacDrbg::new`], but reads the entropy and the nonce from `source`. Together they have
    /// one and a half times as many bits as the security strength.
    ///
    /// # Errors
    /// Returns the same errors as [`HmacDrbg::new`], and the errors of the source.
    pub fn from_source(
        algorithm: &'static Algorithm,
        params: &DrbgParams<'_>,
        source: &mut dyn EntropySource,
    ) -> Result<Self, Error> {
        let hmac = self_test::tested_hmac(algorithm, params.kernel)?;
        let mut drbg = Self::empty(hmac, params)?;
        // 9.1 steps 6 to 8: the entropy input and the nonce come from the source. `instantiate` does steps 9 to 11.
        let mut seed = Zeroizing::new([0; 48]);
        let (entropy, nonce) = (drbg.min_entropy(), drbg.min_nonce());
        let seed = &mut seed[..entropy + nonce];
        source.fill(seed)?;
        drbg.instantiate(&seed[..entropy], &seed[entropy..], params.personalization);
        Ok(drbg)
    }

    /// Makes a generator from a seed (entropy and nonce) of any length, which may be empty.
    /// Reseeding also accepts any length.
    ///
    /// Use this function for test vectors and public seeds. **Anyone who knows the seed can predict the output.**
    ///
    /// # Errors
    /// Returns the same errors as [`HmacDrbg::new`], except that short inputs are accepted.
    pub fn from_seed_unchecked(
        algorithm: &'static Algorithm,
        entropy: &[u8],
        nonce: &[u8],
        params: &DrbgParams<'_>,
    ) -> Result<Self, Error> {
        Self::with_hmac_unchecked(self_test::tested_hmac(algorithm, params.kernel)?, entropy, nonce, params)
    }

    /// Returns the generator with the state that `import_state` has read and checked.
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

    /// Runs the known-answer test of the generator over this hash.
    ///
    /// If the test fails, no generator over the hash produces output, and no new generator can be made, until the test
    /// passes. If you use a generator in the meantime, it is wiped.
    ///
    /// The test instantiates a generator, generates output with and without prediction resistance and additional input,
    /// reseeds, triggers the errors that section 11.3 of SP 800-90A requires, and checks that wiping works. It takes
    /// about 60 HMAC computations.
    ///
    /// # Errors
    /// Returns [`Error::SelfTestFailed`] if the test fails, and [`Error::Unsupported`] if HMAC is
    /// not defined over the algorithm.
    pub fn self_test(algorithm: &'static Algorithm) -> Result<(), Error> {
        self_test::run(algorithm)
    }

    /// Returns the underlying hash algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.hmac.algorithm
    }

    /// Returns the name of the kernel that the hash uses.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.hmac.kernel()
    }
}
