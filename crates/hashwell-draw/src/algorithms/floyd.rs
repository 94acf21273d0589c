//! Floyd's algorithm: a sample of a known number of items, as a set.

use crate::Error;
use crate::draw::below;
use crate::order::sort_unstable;
use hashwell::RandomSource;
use std::collections::HashSet;

/// Samples min(k, n) of the numbers 0 to n - 1 without replacement, and returns them in ascending order. The method is
/// Floyd's (Bentley and Floyd, "A sample of brilliance", 1987, algorithm F2): for j = n - k to n - 1, the number
/// below(j + 1) enters the sample, or j if that number is in the sample already. Every set has exactly the same
/// probability.
///
/// Consumes k random numbers, plus those that [`below`] rejects. Takes O(k) memory and O(k log k) time. The sample for
/// a smaller k is not part of the sample for a larger k. If you need this property, use
/// [`FisherYates`](crate::sample::FisherYates).
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails.
pub fn floyd(words: &mut (impl RandomSource + ?Sized), n: u64, k: u64) -> Result<Vec<u64>, Error> {
    let memory = |_| Error::Memory { what: "a sample" };
    let k = k.min(n);
    let len = usize::try_from(k).unwrap_or(usize::MAX);
    let (mut set, mut sample) = (HashSet::new(), Vec::new());
    set.try_reserve(len).map_err(memory)?;
    sample.try_reserve_exact(len).map_err(memory)?;
    for j in n - k..n {
        let drawn = below(words, j + 1)?;
        let enters = if set.insert(drawn) { drawn } else { j };
        set.insert(enters);
        sample.push(enters);
    }
    sort_unstable(&mut sample);
    Ok(sample)
}
