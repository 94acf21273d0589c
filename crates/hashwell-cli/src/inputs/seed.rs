//! Public seeds: given ones, or new ones, which are printed so that results can be reproduced.

use crate::inputs::secret::decode;
use crate::system::report::{Failure, complain};
use data_encoding::HEXLOWER;
use hashwell::EntropySource;

/// The number of bytes of a new seed. It is printed, and used, as twice that number of hexadecimal digits.
const NEW: usize = 16;

/// A seed that need not be secret.
pub(crate) struct PublicSeed {
    pub(crate) bytes: Vec<u8>,
    is_new: bool,
}

impl PublicSeed {
    /// The seed that `--seed` or `--seed-hex` gives, or a new one.
    pub(crate) fn of(text: Option<&str>, hex: Option<&str>) -> Result<Self, Failure> {
        let bytes = match (text, hex) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (_, Some(hex)) => decode("--seed-hex", hex)?.to_vec(),
            _ => new()?.into_bytes(),
        };
        warn_if_empty(&bytes);
        Ok(Self { bytes, is_new: text.is_none() && hex.is_none() })
    }

    /// Prints a new seed as an option that can be pasted.
    pub(crate) fn say(&self) {
        if self.is_new {
            complain(&format_args!("drawn with --seed {}", String::from_utf8_lossy(&self.bytes)));
        }
    }
}

/// Prints a warning if a seed is empty, for example because it is a shell variable that is not set.
pub(crate) fn warn_if_empty(seed: &[u8]) {
    if seed.is_empty() {
        complain(&"the seed is empty, so anyone can predict the result");
    }
}

/// A seed from the operating system's random source, as text.
fn new() -> Result<String, Failure> {
    let mut bytes = [0; NEW];
    hashwell::OsEntropy.fill(&mut bytes).map_err(|error| Failure::Work(error.to_string()))?;
    Ok(HEXLOWER.encode(&bytes))
}
