//! Weights as whole numbers.

use super::frame::{is_decimal, quoted};
use super::plan::Plan;
use crate::Error;
use crate::number::Decimal;

/// A weight in units of 10^-scale: 0 to 2^64 - 1.
pub(super) fn units(plan: &Plan, weight: &str, id: &str) -> Result<u64, Error> {
    let scale = plan.scale.unwrap_or(0);
    let units = if is_decimal(weight) { Decimal::new(scale)?.integer(weight).ok() } else { None };
    units.and_then(|units| u64::try_from(units).ok()).ok_or_else(|| {
        let must = format!("digits, with at most {scale} decimals and below 2^64 without the point");
        Error::range("a weight", must, format!("{} (of {})", quoted(weight), quoted(id)))
    })
}
