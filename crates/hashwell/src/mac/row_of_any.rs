//! HMAC over an algorithm of the registry with a key that can be changed, as in `row.rs`, but with
//! a single state type for all families, like [`Hmac`](super::Hmac). It needs a tenth of the code,
//! which matters for WebAssembly modules. No family computes the steps of HMAC-DRBG in registers
//! here.

use crate::families::State;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::keyed::{KeyedHmac, Rekeyable, Tag};
use crate::internal::verdict::Verdict;
use crate::internal::wipe;
use crate::registry::{Algorithm, Params};

/// HMAC over an algorithm of the registry.
#[derive(Clone)]
pub struct RowHmac {
    pub(crate) algorithm: &'static Algorithm,
    hmac: Rekeyable<State>,
    /// The verdict of the known-answer test, or `None` while the test itself runs.
    test: Option<&'static Verdict>,
}

impl RowHmac {
    /// Returns an HMAC over the algorithm, without a key.
    ///
    /// `test` is the verdict of the self-test that it depends on, or `None` if the self-test itself
    /// calls this function.
    ///
    /// # Errors
    /// Returns [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel cannot be
    /// used.
    pub(crate) fn new(
        algorithm: &'static Algorithm,
        kernel: Option<&str>,
        test: Option<&'static Verdict>,
    ) -> Result<Self, Error> {
        let params = Params { kernel, ..Params::default() };
        let fresh = algorithm.family.build(&params, algorithm.output)?;
        let hmac = Rekeyable::new(algorithm.name, algorithm.block, algorithm.output, fresh);
        Ok(Self { algorithm, hmac, test })
    }

    pub(crate) fn kernel(&self) -> &'static str {
        self.hmac.fresh.kernel()
    }
}

/// Keys can have any length, and tags can be truncated.
impl KeyedHmac for RowHmac {
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    fn output_len(&self) -> usize {
        self.algorithm.output
    }

    fn check(&self) -> Result<(), Error> {
        self.test.map_or(Ok(()), Verdict::check)
    }

    fn set_key(&mut self, key: &[u8]) {
        self.hmac.set_key(key);
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        self.hmac.tag(message, out);
    }

    fn chain(&self, v: &mut Tag, out: &mut [u8]) {
        self.hmac.chain(v, out);
    }

    fn rekey(&mut self, k: &mut Tag, v: &mut Tag) {
        self.hmac.rekey(k, v);
    }

    fn wipe(&mut self) {
        self.hmac.wipe();
        wipe::below(self.algorithm.family.depth_in_place());
    }
}
