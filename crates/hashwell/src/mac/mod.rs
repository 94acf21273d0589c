//! Message authentication: HMAC over every digest that has a block size, and KMAC.
//!
//! The steps of HMAC are in `internal/keyed.rs`, once. Three types hold a key for them, since each has a limit that one common type
//! would break:
//!
//! | Type | Content | Limit |
//! |---|---|---|
//! | [`Hmac`] | the two keyed states and that of the message, on the heap | a move copies no key; a short tag makes no state again |
//! | [`PlainHmac`] | a [`RowHmac`] and the state of the message | 3,200 bytes in C, no heap and nothing to drop |
//! | [`RowHmac`] | the two keyed states of one family, or the key for families whose states take kilobytes | an [`HmacDrbg`](crate::HmacDrbg) has at most 1,024 bytes |
//!
//! Three states of BLAKE2bp in place would take twice as much as a C program reserves, so [`PlainHmac`] can't hold what [`Hmac`] does.
//! If [`Hmac`] held a [`PlainHmac`] instead, BLAKE2bp, BLAKE2sp and BLAKE3 would absorb the key again for every tag, and
//! WebAssembly would load the plain states of all families.

#[cfg(all(test, feature = "std"))]
#[path = "../../proofs/entry_points.rs"]
mod entry_points;
mod hmac;
mod kmac;
mod many;
mod plain;
mod row;

pub use hmac::{Hmac, hmac};
pub use kmac::{Kmac, KmacVariant};
pub use many::{hmac_many, hmac_many_with_kernel};
pub use plain::PlainHmac;
small_or_fast! {
    // One state of any family is enough for all rows.
    { mod row_of_any; pub use row_of_any::RowHmac; }
    { pub use row::RowHmac; }
}

use crate::internal::error::Error;
pub use crate::internal::keyed::KeyedHmac;
use crate::internal::small::small_or_fast;
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
