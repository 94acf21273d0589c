//! The four operations of Haskell's package `sampling`, for equal chances; those for weights are in
//! [`weighted`](crate::weighted). Any collection, by its iterator; `None` where the package's documentation says Nothing.

use crate::Error;
use crate::algorithms::AlgorithmR;
use crate::draw::below;
use crate::sample::collections::from_iter;
use hashwell::RandomSource;

/// k rows without replacement, each set of k with the same chance; `None` if there are fewer than k. With k rows all are
/// given, in their order; k = 0 gives no rows. By [`AlgorithmR`], in the order of its slots, as the package does it.
///
/// # Errors
/// [`Error::RandomSource`], [`Error::Memory`]; [`Error::OutOfRange`] if k is more than [`MAX_SLOTS`](crate::sample::MAX_SLOTS).
pub fn sample<I: IntoIterator>(
    words: &mut impl RandomSource,
    k: usize,
    rows: I,
) -> Result<Option<Vec<I::Item>>, Error> {
    let sample = from_iter(&mut AlgorithmR::new(words, k)?, rows)?;
    Ok((sample.len() == k).then_some(sample))
}

/// k rows with replacement, each of k draws every row with the same chance, in the order of drawing; `None` if k > 0
/// and there are no rows. Always k of them. Keeps all rows in memory; O(1) a draw, by [`below`].
///
/// # Errors
/// [`Error::RandomSource`], [`Error::Memory`].
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
