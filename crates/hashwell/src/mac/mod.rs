//! Message authentication: HMAC over every digest that has a block size, and KMAC.

mod hmac;
mod kmac;
mod many;
mod plain;
#[cfg(all(test, feature = "std"))]
mod reach;
mod row;
#[cfg(target_family = "wasm")]
mod row_of_any;

pub use hmac::{Hmac, hmac};
pub use kmac::{Kmac, KmacVariant};
pub use many::{hmac_many, hmac_many_with_kernel};
pub use plain::PlainHmac;
#[cfg(not(target_family = "wasm"))]
pub use row::RowHmac;
// Programs are loaded before they run there: one state of any family has to do for all rows.
#[cfg(target_family = "wasm")]
pub use row_of_any::RowHmac;

use crate::ground::error::Error;
pub use crate::ground::keyed::KeyedHmac;
use crate::registry::Algorithm;
use subtle::ConstantTimeEq;

/// Compares two tags in time that depends on their lengths only.
fn verify(computed: &[u8], tag: &[u8]) -> Result<(), Error> {
    if bool::from(computed.ct_eq(tag)) { Ok(()) } else { Err(Error::TagMismatch) }
}

/// Refuses a row that HMAC is not defined over.
pub(crate) fn check(algorithm: &Algorithm) -> Result<(), Error> {
    if algorithm.hmac { Ok(()) } else { Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC" }) }
}

/// Refuses a tag that is empty or longer than HMAC's over the row.
fn check_tag_len(algorithm: &Algorithm, len: usize) -> Result<(), Error> {
    let most = algorithm.output;
    if (1..=most).contains(&len) {
        return Ok(());
    }
    Err(algorithm.out_of_range("tag length", "bytes", 1, most as u64, len as u64))
}
