//! Weights as integers.

use super::list::{EntryList, is_decimal, quoted};
use crate::Error;
use crate::number::Decimal;

/// Checks every weight of a list that has weights, including those in strata without picks.
pub(super) fn check(scale: Option<u32>, entries: &EntryList) -> Result<(), Error> {
    if entries.columns().weight {
        for position in 0..entries.len() {
            units(scale, entries.weight(position), &entries.id(position))?;
        }
    }
    Ok(())
}

/// A weight in units of 10^-scale, from 0 to 2^64 - 1.
pub(super) fn units(scale: Option<u32>, weight: &str, id: &str) -> Result<u64, Error> {
    let scale = scale.unwrap_or(0);
    let units = if is_decimal(weight) { Decimal::new(scale)?.integer(weight).ok() } else { None };
    units.and_then(|units| u64::try_from(units).ok()).ok_or_else(|| {
        let must = format!(
            "a number in plain digits with at most {scale} decimals, and less than 2^64 / 10^{scale}"
        );
        Error::range("a weight", must, format!("{} (of {})", quoted(weight), quoted(id)))
    })
}
