//! The weighted functions of the Haskell package *sampling*: `psample` and `presample`.
//!
//! They differ from the originals in cases in which the originals are wrong: no result is shorter than k, the result is
//! `None` where an original crashes, and rows of weight 0 are never drawn.

use crate::weighted::{AExpJ, WeightedWithReplacement};
use crate::{Error, RandomSource};

/// A sample of k values drawn one after the other without replacement, each with probability proportional to its weight
/// among those left (successive sampling, by [`AExpJ`]). `None` if fewer than k values have a weight above 0. The
/// values are in the order of their slots, which is not a random order.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if a weight is not valid, [`Error::RandomSource`] or [`Error::Memory`].
pub fn psample<T>(
    words: impl RandomSource,
    k: usize,
    values: impl IntoIterator<Item = (f64, T)>,
) -> Result<Option<Vec<T>>, Error> {
    let mut jumps = AExpJ::new(words, k)?;
    let mut sample = Vec::new();
    for (weight, value) in values {
        if let Some(slot) = jumps.offer(weight)? {
            put(&mut sample, slot, value)?;
        }
    }
    Ok(Some(sample).filter(|sample| sample.len() == k))
}

/// A sample of k values drawn with replacement, each with probability proportional to its weight
/// ([`WeightedWithReplacement`]). `None` if no value has a weight above 0 and k is not 0. The draws are independent, so
/// their order is random.
///
/// # Errors
/// Returns the same errors as [`psample`].
pub fn presample<T: Clone>(
    words: impl RandomSource,
    k: usize,
    values: impl IntoIterator<Item = (f64, T)>,
) -> Result<Option<Vec<T>>, Error> {
    let mut slots = WeightedWithReplacement::new(words, k)?;
    let mut sample = Vec::new();
    for (weight, value) in values {
        for &slot in slots.offer(weight)? {
            put(&mut sample, slot, value.clone())?;
        }
    }
    Ok(Some(sample).filter(|sample| sample.len() == k))
}

/// Slots are filled in order, then filled again.
fn put<T>(sample: &mut Vec<T>, slot: usize, value: T) -> Result<(), Error> {
    if slot < sample.len() {
        sample[slot] = value;
    } else {
        sample.try_reserve(1).map_err(|_| Error::Memory { what: "a sample" })?;
        sample.push(value);
    }
    Ok(())
}
