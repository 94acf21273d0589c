//! Systematic sampling with inclusion proportional to size: Madow, *On the theory of systematic sampling II*, 1949.

use super::weight::{SIZE_TIMES_SUM, too_heavy};
use crate::draw::below_u128;
use crate::order::sort_unstable_by;
use crate::{Error, RandomSource};

/// Draws a *PPS* sample (not successive sampling). Row i is in the sample with probability exactly k·w/W, where w is
/// its weight and W is the sum of all weights. The rows are laid end to end on a line, each with length k·w. Points at
/// intervals of W select the rows on which they fall. The first point is uniform on the first W units. Returns the
/// indices of the selected rows in order. Weights are integers ([`Decimal`](crate::number::Decimal)), so nothing is
/// rounded.
///
/// A row with k·w > W would get a probability above 1. It is always taken, and the other rows share the remaining
/// places by the same rule. If at most k rows have a positive weight, all of these are the sample.
///
/// The order of the rows determines which rows are selected *together*. Neighbours are rarely selected together. Sort
/// the rows to spread the sample, or shuffle them first. The function consumes the random numbers of one call of
/// [`below_u128`], or none if no choice is left. It takes O(n) time, or O(n log n) if a row is always taken.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if k·W is 2^128 or more, [`Error::RandomSource`] if the random source fails, or
/// [`Error::Memory`] if an allocation fails.
pub fn systematic_pps(
    words: &mut (impl RandomSource + ?Sized),
    weights: &[u128],
    k: usize,
) -> Result<Vec<usize>, Error> {
    let total = total(weights, k)?;
    let positive = weights.iter().filter(|&&weight| weight > 0).count();
    let size = k.min(positive);
    let mut chosen = Vec::new();
    chosen.try_reserve_exact(size).map_err(|_| Error::Memory { what: "a sample" })?;
    if size == positive {
        chosen.extend((0..weights.len()).filter(|&row| weights[row] > 0));
        return Ok(chosen);
    }
    let Certain { least, number, rest } = certain(weights, size, total)?;
    let left = (size - number) as u128;
    if left == 0 {
        return Ok(chosen);
    }
    // The next point and the beginning of the row, in units in which each row has length left·w.
    let (mut point, mut begin) = (below_u128(words, rest)?, 0);
    for (row, &weight) in weights.iter().enumerate() {
        if weight >= least {
            chosen.push(row);
            continue;
        }
        begin += left * weight;
        if point < begin {
            chosen.push(row);
            // The point after the last one may overflow, but no row is there.
            point = point.saturating_add(rest);
        }
    }
    Ok(chosen)
}

/// The sum W of the weights, if k·W < 2^128.
fn total(weights: &[u128], k: usize) -> Result<u128, Error> {
    let mut sum = 0_u128;
    for (row, &weight) in weights.iter().enumerate() {
        let next = sum.checked_add(weight).filter(|next| next.checked_mul(k.max(1) as u128).is_some());
        sum = next.ok_or_else(|| too_heavy(SIZE_TIMES_SUM, row as u64))?;
    }
    Ok(sum)
}

/// The rows that are always taken: those with a weight of at least `least`.
struct Certain {
    least: u128,
    number: usize,
    /// The total weight of the other rows.
    rest: u128,
}

fn certain(weights: &[u128], k: usize, total: u128) -> Result<Certain, Error> {
    let none = Certain { least: u128::MAX, number: 0, rest: total };
    let heaviest = weights.iter().copied().max().unwrap_or(0);
    if k as u128 * heaviest <= total {
        return Ok(Certain { least: heaviest.saturating_add(1), ..none });
    }
    let mut sorted = Vec::new();
    sorted.try_reserve_exact(weights.len()).map_err(|_| Error::Memory { what: "the sorted weights" })?;
    sorted.extend_from_slice(weights);
    sort_unstable_by(&mut sorted, |a, b| b.cmp(a));
    // Once a row is certain, another row may be certain in a sample of k - 1 of the remaining rows. Rows of equal
    // weight are all certain, or none is.
    let mut certain = none;
    for weight in sorted {
        if (k - certain.number) as u128 * weight <= certain.rest {
            break;
        }
        certain = Certain { least: weight, number: certain.number + 1, rest: certain.rest - weight };
    }
    Ok(certain)
}
