//! Samples of slices and iterators.

use super::fisher_yates::FisherYates;
use super::reservoir::Reservoir;
use crate::Error;
use hashwell::RandomSource;

/// Draws k items of a slice without replacement, or all items if there are fewer. The items are in the order of
/// drawing. If you request k + 1 items instead, the first k are the same. As with [`FisherYates`], each item takes one
/// random number and O(1) time.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails.
pub fn choose<'a, T>(
    words: &mut (impl RandomSource + ?Sized),
    items: &'a [T],
    k: usize,
) -> Result<Vec<&'a T>, Error> {
    let picks = FisherYates::new(words, items.len() as u64)?.picks(k as u64)?;
    Ok(picks.into_iter().map(|pick| &items[pick as usize]).collect())
}

/// Samples the rows of an iterator with a reservoir that has not seen any rows. Returns the rows in the order of the
/// reservoir's slots. If the iterator knows its length, rows that do not enter the sample are skipped with `nth`, which
/// costs nothing for slices and ranges. Otherwise, these rows are read one by one.
///
/// Afterwards [`Reservoir::seen`] is the number of rows.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if the reservoir has already seen rows, because this function has no access to the
/// rows in its slots. Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation
/// fails.
pub fn from_iter<I: IntoIterator>(reservoir: &mut impl Reservoir, rows: I) -> Result<Vec<I::Item>, Error> {
    if reservoir.seen() > 0 {
        return Err(Error::range(
            "the number of rows that a reservoir has seen before",
            "0",
            reservoir.seen(),
        ));
    }
    let mut rows = rows.into_iter();
    let mut slots = Vec::new();
    while pass_over(reservoir, &mut rows) {
        let Some(row) = rows.next() else { break };
        let slot = reservoir.enter()?;
        if let Some(place) = slots.get_mut(slot) {
            *place = row;
        } else {
            slots.try_reserve(1).map_err(|_| Error::Memory { what: "a sample" })?;
            slots.push(row);
        }
    }
    Ok(slots)
}

/// Skips the rows that do not enter the sample. Returns true if there may be more rows.
fn pass_over(reservoir: &mut impl Reservoir, rows: &mut impl Iterator) -> bool {
    loop {
        let skip = reservoir.skip();
        if skip == 0 {
            return true;
        }
        let hint = match rows.size_hint() {
            (least, Some(most)) if least == most => Some(least),
            _ => None,
        };
        let Some(left) = hint else {
            let most = usize::try_from(skip).unwrap_or(usize::MAX);
            let passed = rows.by_ref().take(most).count() as u64;
            reservoir.passed(passed);
            if passed < skip {
                return false;
            }
            continue;
        };
        // The hint only limits the distance of a jump. The end of the rows is recognized when `nth` returns `None`.
        let passed = skip.min(left.max(1) as u64);
        if rows.nth((passed - 1) as usize).is_none() {
            return false;
        }
        reservoir.passed(passed);
    }
}
