//! Methods that choose positions, regardless of the rows there.

use super::MAX_UNLISTED;
use crate::Error;
use crate::draw::below;
use crate::hwdraw::plan::Method;
use crate::interrupt;
use crate::sample::{FisherYates, Reservoir, SkipReservoir};
use hashwell::RandomSource;

/// k of the positions 0 to n - 1, in the order of the picks.
pub(super) fn positions(
    method: Method,
    words: &mut impl RandomSource,
    n: u64,
    k: u64,
) -> Result<Vec<u64>, Error> {
    match method {
        Method::Index => FisherYates::new(words, n)?.picks(k),
        Method::Gap => gap(words, n, k),
        _ => {
            let mut positions = room(k)?;
            for pick in 0..k {
                interrupt::check(pick)?;
                positions.push(below(words, n)?);
            }
            Ok(positions)
        }
    }
}

/// The rows that are in the slots after n rows.
fn gap(words: &mut impl RandomSource, n: u64, k: u64) -> Result<Vec<u64>, Error> {
    if n > MAX_UNLISTED {
        return Err(Error::range("n for the method gap", format!("at most {MAX_UNLISTED}"), n));
    }
    let mut slots = room(k)?;
    slots.resize(k as usize, 0);
    each_that_enters(words, n, k as usize, |slot, row, _| slots[slot] = row)?;
    Ok(slots)
}

/// Draws by the method `gap`: calls `take` for each of n rows that enters one of k slots. The arguments are the slot,
/// the row, and the number of rows skipped before the row.
pub(in crate::hwdraw) fn each_that_enters(
    words: impl RandomSource,
    n: u64,
    k: usize,
    mut take: impl FnMut(usize, u64, u64),
) -> Result<(), Error> {
    let mut sampler = SkipReservoir::new(words, k)?;
    let mut entered = 0;
    while sampler.seen() < n {
        interrupt::check(entered)?;
        entered += 1;
        let skip = sampler.skip();
        if skip >= n - sampler.seen() {
            break;
        }
        sampler.passed(skip);
        let row = sampler.seen();
        take(sampler.enter()?, row, skip);
    }
    Ok(())
}

fn room(k: u64) -> Result<Vec<u64>, Error> {
    let mut positions = Vec::new();
    let k = usize::try_from(k).unwrap_or(usize::MAX);
    positions.try_reserve_exact(k).map_err(|_| Error::Memory { what: "the picks" })?;
    Ok(positions)
}
