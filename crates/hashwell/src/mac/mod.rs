//! Message authentication: HMAC over every algorithm with a suitable block length, and KMAC.
//!
//! The steps of HMAC are in `internal/keyed.rs`. Three types store a key for them, since each type
//! has a limit that a common type would break:
//!
//! | Type | Content | Limit |
//! |---|---|---|
//! | [`Hmac`] | the two keyed states and the state of the message, on the heap | a move copies no key; a short tag makes no new state |
//! | [`PlainHmac`] | a [`RowHmac`] and the state of the message | 3,840 bytes in C, no heap, no drop |
//! | [`RowHmac`] | the two keyed states of one family, or the key if the family's states take kilobytes | an [`HmacDrbg`](crate::HmacDrbg) has at most 1,024 bytes |
//!
//! Three states of BLAKE2bp would take more bytes than a C program reserves, so
//! [`PlainHmac`] can't contain the same states as [`Hmac`]. If [`Hmac`] contained a [`PlainHmac`]
//! instead, BLAKE2bp, BLAKE2sp and BLAKE3 would absorb the key again for every tag, and WebAssembly
//! modules would contain the plain states of all families.

#[cfg(all(test, feature = "std"))]
#[path = "../../proofs/entry_points.rs"]
mod entry_points;
mod hmac;
mod kmac;
mod many;
mod plain;
mod row;
#[cfg(feature = "states")]
mod saved;

pub use hmac::{Hmac, hmac};
pub use kmac::{Kmac, KmacVariant};
pub use many::{hmac_many, hmac_many_with_kernel};
pub use plain::PlainHmac;
small_or_fast! {
    // One state type that can contain any family is enough for all algorithms.
    { mod row_of_any; pub use row_of_any::RowHmac; }
    { pub use row::RowHmac; }
}

use crate::internal::error::Error;
pub use crate::internal::keyed::KeyedHmac;
use crate::internal::small::small_or_fast;
use crate::registry::Algorithm;
use subtle::ConstantTimeEq;

/// Compares two tags in a time that depends only on their lengths.
fn verify(computed: &[u8], tag: &[u8]) -> Result<(), Error> {
    if bool::from(computed.ct_eq(tag)) { Ok(()) } else { Err(Error::TagMismatch) }
}

/// Returns an error if HMAC is not defined over the algorithm.
pub(crate) fn check(algorithm: &Algorithm) -> Result<(), Error> {
    if algorithm.hmac { Ok(()) } else { Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC" }) }
}

/// Returns an error if the tag length is zero or longer than the full tag.
fn check_tag_len(algorithm: &Algorithm, len: usize) -> Result<(), Error> {
    let most = algorithm.output;
    if (1..=most).contains(&len) {
        return Ok(());
    }
    Err(algorithm.out_of_range("tag length", "bytes", 1, most as u64, len as u64))
}
