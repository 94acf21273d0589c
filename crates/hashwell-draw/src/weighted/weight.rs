//! Checks of weights.

use crate::Error;

/// Returns true if the weight is finite and at least 0.
#[inline]
pub(crate) fn is_weight(weight: f64) -> bool {
    (0.0..=f64::MAX).contains(&weight)
}

/// The error that contains a weight and the index of its row.
#[cold]
pub(crate) fn refused(weight: f64, index: u64) -> Error {
    Error::weight(format!("{weight} (row {index}, counted from 0)"))
}

/// Checks that a weight is valid.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if it is not.
#[inline]
pub(crate) fn check(weight: f64, index: u64) -> Result<(), Error> {
    if is_weight(weight) { Ok(()) } else { Err(refused(weight, index)) }
}

/// The error for weights whose sum, or k times it, is too large.
#[cold]
pub(crate) fn too_heavy(index: u64) -> Error {
    let got = format!("more (row {index}, counted from 0)");
    Error::range(
        "the sum of the weights",
        "less than 2^128, divided by the sample's size or number of rows",
        got,
    )
}
