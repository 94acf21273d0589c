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

/// The error for weights whose sum is too large. `what` names the quantity that is limited, such as [`SIZE_TIMES_SUM`].
#[cold]
pub(crate) fn too_heavy(what: &'static str, index: u64) -> Error {
    Error::range(what, "less than 2^128", format!("2^128 or more (at row {index}, counted from 0)"))
}

/// The quantity that is limited for a sample.
pub(crate) const SIZE_TIMES_SUM: &str = "the sum of the weights, times the sample size,";
