//! Message authentication: HMAC over every digest that has a block size, and KMAC.

mod hmac;
mod inline;
mod kmac;
mod plain;

pub use hmac::{Hmac, hmac};
pub(crate) use hmac::{MAX_DIGEST, states as hmac_states};
pub use inline::{KeyedHmac, RowHmac};
pub(crate) use inline::{Midstates, chain_by_definition, rekey_by_definition};
pub use kmac::{Kmac, KmacVariant};
pub use plain::PlainHmac;

use crate::error::Error;
use subtle::ConstantTimeEq;

/// Compares two tags in time that depends on their lengths only.
fn verify(computed: &[u8], tag: &[u8]) -> Result<(), Error> {
    if bool::from(computed.ct_eq(tag)) { Ok(()) } else { Err(Error::TagMismatch) }
}
