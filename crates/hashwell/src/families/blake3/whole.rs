//! BLAKE3 in progress without the feature `states`. It uses the official crate's hasher, which is
//! less code than `state.rs`.

use super::Reader;
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::saved::{Fields, Saved};
use ::blake3::Hasher;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// A hash in progress.
#[derive(Clone)]
pub(crate) struct State(Hasher);

impl State {
    pub(super) fn plain() -> Self {
        Self(Hasher::new())
    }

    pub(super) fn keyed(key: &[u8; 32]) -> Self {
        Self(Hasher::new_keyed(key))
    }

    pub(super) fn derive_key(context: &str) -> Self {
        Self(Hasher::new_derive_key(context))
    }

    /// Returns the output of the message so far.
    pub(super) fn output(&self) -> Reader {
        self.0.finalize_xof()
    }
}

impl Core for State {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.0.update_rayon(data);
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        let mut reader = self.output();
        reader.fill(out);
        reader.zeroize();
    }

    /// Copies the state only if `last` is not empty.
    fn digest_with(&self, last: &[u8], out: &mut [u8]) {
        super::digest_with(self, last, out);
    }

    fn kernel(&self) -> &'static str {
        super::KERNELS.best().name()
    }
}

/// These functions are never called: `to_bytes` and `from_bytes` need the feature.
impl Saved for State {
    fn message_len(&self) -> u64 {
        self.0.count()
    }

    fn save(&self, _: &mut Vec<u8>) {
        unreachable!("states are not saved");
    }

    fn restore(&mut self, _: u64, _: &mut Fields<'_>) -> Result<(), Error> {
        unreachable!("states are not saved");
    }
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
