//! Samples of what is in memory, and of iterators.

use super::fisher_yates::FisherYates;
use super::reservoir::Reservoir;
use crate::Error;
use hashwell::RandomSource;

/// Of k items of a slice, in the order of drawing; of all, if there are fewer. The choice of k is the beginning of
/// the choice of k + 1. As [`FisherYates`]: a word and O(1) time for each.
///
/// # Errors
/// [`Error::RandomSource`], [`Error::Memory`].
pub fn choose<'a, T>(
    words: &mut (impl RandomSource + ?Sized),
    items: &'a [T],
    k: usize,
) -> Result<Vec<&'a T>, Error> {
    let picks = FisherYates::new(words, items.len() as u64)?.picks(k as u64)?;
    Ok(picks.into_iter().map(|pick| &items[pick as usize]).collect())
}

/// The sample of an iterator's rows by a reservoir that is new, in the order of its slots. Rows that do not enter are
/// passed over with `nth` where the iterator knows its length, which over slices and ranges costs nothing; others are
/// walked.
///
/// Afterwards [`Reservoir::seen`] is the number of rows.
///
/// # Errors
/// [`Error::RandomSource`], [`Error::Memory`]; [`Error::OutOfRange`] if the reservoir has seen rows, whose slots are
/// elsewhere.
pub fn from_iter<I: IntoIterator>(reservoir: &mut impl Reservoir, rows: I) -> Result<Vec<I::Item>, Error> {
    if reservoir.seen() > 0 {
        return Err(Error::range("the rows that a reservoir has seen before", "0", reservoir.seen()));
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

/// Passes over the rows that do not enter. Whether there may be more.
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
        // The hint says how far to go at once; that the rows end, only their end does.
        let passed = skip.min(left.max(1) as u64);
        if rows.nth((passed - 1) as usize).is_none() {
            return false;
        }
        reservoir.passed(passed);
    }
}
