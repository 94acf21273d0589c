//! The unweighted functions of the Haskell package *sampling*. They accept any collection as an iterator, and return
//! `None` where the package returns `Nothing`.

use crate::Error;
use crate::algorithms::AlgorithmR;
use crate::draw::below;
use crate::sample::collections::from_iter;
use hashwell::RandomSource;

/// Samples k rows without replacement, or returns `None` if there are fewer than k rows. Every set of k rows has the
/// same probability. If there are exactly k rows, all are returned in their original order; k = 0 returns no rows. Uses
/// [`AlgorithmR`] and returns rows in the order of its slots, as the Haskell package does.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails, [`Error::Memory`] if an allocation fails, or
/// [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](crate::sample::MAX_SLOTS).
pub fn sample<I: IntoIterator>(
    words: &mut impl RandomSource,
    k: usize,
    rows: I,
) -> Result<Option<Vec<I::Item>>, Error> {
    let sample = from_iter(&mut AlgorithmR::new(words, k)?, rows)?;
    Ok((sample.len() == k).then_some(sample))
}

/// Samples exactly k rows with replacement, in the order of drawing. In each draw, every row has the same probability.
/// Returns `None` if k > 0 and there are no rows. Keeps all rows in memory. Each draw calls [`below`] and takes O(1)
/// time.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails.
pub fn resample<I>(words: &mut impl RandomSource, k: usize, rows: I) -> Result<Option<Vec<I::Item>>, Error>
where
    I: IntoIterator,
    I::Item: Clone,
{
    let memory = |_| Error::Memory { what: "a sample" };
    let (mut all, mut sample) = (Vec::new(), Vec::new());
    for row in rows {
        all.try_reserve(1).map_err(memory)?;
        all.push(row);
    }
    if all.is_empty() && k > 0 {
        return Ok(None);
    }
    sample.try_reserve_exact(k).map_err(memory)?;
    for _ in 0..k {
        sample.push(all[below(words, all.len() as u64)? as usize].clone());
    }
    Ok(Some(sample))
}
