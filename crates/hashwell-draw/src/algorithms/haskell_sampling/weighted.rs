//! The weighted functions of the Haskell package *sampling*: `psample` and `presample`.
//!
//! They differ from the originals in cases in which the originals are wrong: no result is shorter than k, the result is
//! `None` where an original crashes, and rows of weight 0 are never drawn.

use crate::weighted::{AExpJ, WeightedWithReplacement};
use crate::{Error, RandomSource};

/// Samples k values without replacement. The values are drawn one after the other, each with probability proportional
/// to its weight among the values left (successive sampling, by [`AExpJ`]). Returns `None` if fewer than k values have
/// a weight above 0. The values are in the order of their slots, which is not a random order.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if a weight is not valid, [`Error::RandomSource`] if the random source fails, or
/// [`Error::Memory`] if an allocation fails.
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

/// Samples k values with replacement. Each draw returns a value with probability proportional to its weight
/// ([`WeightedWithReplacement`]). Returns `None` if no value has a weight above 0 and k is not 0. The draws are
/// independent, so their order is random.
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

/// Writes a value to a slot. Slots are filled in order, and then overwritten.
fn put<T>(sample: &mut Vec<T>, slot: usize, value: T) -> Result<(), Error> {
    if slot < sample.len() {
        sample[slot] = value;
    } else {
        sample.try_reserve(1).map_err(|_| Error::Memory { what: "a sample" })?;
        sample.push(value);
    }
    Ok(())
}
