//! BLAKE3: the official crate underneath, which brings its own kernels and picks among them itself.

use crate::error::Error;
use crate::kernel::{Kernel, Table, always};

pub(crate) use ::blake3::{Hasher as State, OutputReader as Reader};

/// One row, so that the registry can name what runs. The crate's choice cannot be forced from outside.
pub(crate) static KERNELS: Table<()> =
    Table(&[Kernel { name: "blake3-crate", available: always, function: () }]);

/// Plain hashing, keyed hashing (`key`) or key derivation (`context`).
pub(crate) fn new(
    key: Option<&[u8; 32]>,
    context: Option<&str>,
    kernel: Option<&str>,
) -> Result<State, Error> {
    if let Some(name) = kernel {
        KERNELS.named(name)?;
    }
    Ok(match (key, context) {
        (Some(key), _) => State::new_keyed(key),
        (None, Some(context)) => State::new_derive_key(context),
        (None, None) => State::new(),
    })
}
