//! HMAC over a registry row that can be keyed again and again, as in `row.rs`, with the same state of any family as
//! [`Hmac`](super::Hmac) has: a tenth of that code, which WebAssembly loads before it runs. No family does the
//! generator's steps in registers.

use crate::families::State;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::keyed::{KeyedHmac, Rekeyable, Tag};
use crate::internal::verdict::Verdict;
use crate::internal::wipe;
use crate::registry::{Algorithm, Params};

/// HMAC over a registry row.
#[derive(Clone)]
pub struct RowHmac {
    pub(crate) algorithm: &'static Algorithm,
    hmac: Rekeyable<State>,
    /// Where the verdict is; nothing while the test itself runs.
    test: Option<&'static Verdict>,
}

impl RowHmac {
    /// HMAC over the row, under no key yet.
    ///
    /// * `test`: where the verdict of the self-test is that it depends on, if it is not the test that asks.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] or [`Error::UnavailableKernel`].
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

/// Keys may have any length, and tags may be cut.
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
