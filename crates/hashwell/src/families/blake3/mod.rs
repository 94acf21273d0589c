//! BLAKE3: the official crate underneath, which brings its own kernels and picks among them itself.

use crate::ground::cores::Core;
use crate::ground::error::Error;
use crate::ground::kernel::{Kernel, Table, always};
use crate::ground::keyed::HmacCore;
use zeroize::Zeroize;

pub(crate) use ::blake3::{Hasher as State, OutputReader as Reader};

/// One row, so that the registry can name what runs. The crate's choice cannot be forced from outside.
pub(crate) static KERNELS: Table<()> =
    Table::written(&[Kernel { name: "blake3-crate", available: always, function: () }]);

/// Plain hashing, keyed hashing (`key`, 32 bytes, which the registry row has checked) or key derivation
/// (`context`).
pub(crate) fn new(key: Option<&[u8]>, context: Option<&str>, kernel: Option<&str>) -> Result<State, Error> {
    // Nothing follows from the choice, but a name that is not there is refused as elsewhere.
    KERNELS.choose(kernel)?;
    match (key, context) {
        (None, None) => Ok(State::new()),
        (Some(key), None) => Ok(State::new_keyed(key.try_into().expect("a key of 32 bytes"))),
        (None, Some(context)) => Ok(State::new_derive_key(context)),
        (Some(_), Some(_)) => {
            Err(Error::Unsupported { algorithm: "blake3", what: "key together with a context" })
        }
    }
}

impl Core for State {
    fn update(&mut self, data: &[u8]) {
        State::update(self, data);
    }

    #[cfg(feature = "rayon")]
    fn update_parallel(&mut self, data: &[u8]) {
        self.update_rayon(data);
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        let mut reader = self.finalize_xof();
        reader.fill(out);
        reader.zeroize();
    }

    /// The state itself is only copied if it has to go on.
    fn digest_with(&self, last: &[u8], out: &mut [u8]) {
        let mut reader = if last.is_empty() {
            self.finalize_xof()
        } else {
            let mut state = self.clone();
            state.update(last);
            let reader = state.finalize_xof();
            state.zeroize();
            reader
        };
        reader.fill(out);
        reader.zeroize();
    }

    fn kernel(&self) -> &'static str {
        KERNELS.best().name()
    }
}

impl HmacCore for State {}
