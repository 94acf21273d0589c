//! What a weight may be.

use crate::Error;

/// Whether it is 0 or more and finite.
#[inline]
pub(crate) fn is_weight(weight: f64) -> bool {
    (0.0..=f64::MAX).contains(&weight)
}

/// The error that names a weight and its row.
#[cold]
pub(crate) fn refused(weight: f64, index: u64) -> Error {
    Error::weight(format!("{weight} (row {index}, counted from 0)"))
}

/// # Errors
/// [`Error::OutOfRange`].
#[inline]
pub(crate) fn check(weight: f64, index: u64) -> Result<(), Error> {
    if is_weight(weight) { Ok(()) } else { Err(refused(weight, index)) }
}

/// The error for weights whose sum, or k times it, has no room.
#[cold]
pub(crate) fn too_heavy(index: u64) -> Error {
    let got = format!("more (row {index}, counted from 0)");
    Error::range(
        "the sum of the weights",
        "less than 2^128, divided by the sample's size or number of rows",
        got,
    )
}
