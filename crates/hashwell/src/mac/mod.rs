//! Message authentication: HMAC over every digest that has a block size, and KMAC.

mod hmac;
mod inline;
mod kmac;
mod many;
mod plain;
#[cfg(all(test, feature = "std"))]
mod reach;

pub use hmac::{Hmac, hmac};
pub use inline::RowHmac;
pub use kmac::{Kmac, KmacVariant};
pub use many::{hmac_many, hmac_many_with_kernel};
pub use plain::PlainHmac;

use crate::ground::error::Error;
pub use crate::ground::keyed::KeyedHmac;
use subtle::ConstantTimeEq;

/// Compares two tags in time that depends on their lengths only.
fn verify(computed: &[u8], tag: &[u8]) -> Result<(), Error> {
    if bool::from(computed.ct_eq(tag)) { Ok(()) } else { Err(Error::TagMismatch) }
}
