//! The race behind successive sampling: row i arrives after E/w, E exponential, and the k that arrive first are the
//! sample. That the first of them is row i with probability w/W, and that what is left after it is again such a race,
//! makes it successive sampling (Efraimidis and Spirakis 2006, A-ARes; their key u^(1/w) is e^(-E/w)).
//!
//! Arrivals are compared as logarithms, ln E - ln w. u^(1/w) underflows to 0 once w is below a thousandth or so of E, after
//! which rows are kept in the order of the file; the logarithm has room for every float that is a weight.

use super::smallest::Smallest;
use crate::Error;
use crate::number::{ln, minus_ln_unit};
use std::cmp::Ordering;

/// ln E - ln w: when a row of weight `weight` > 0 arrives, if `word` is uniform. Smaller is earlier. Made of `+ - * /`
/// alone, and so equal on every machine.
#[must_use]
#[inline]
pub fn race_key(word: u64, weight: f64) -> f64 {
    ln(minus_ln_unit(word)) - ln(weight)
}

/// The k rows that arrive first, of any keys: those of [`race_key`], of [`ARes::keys`](crate::algorithms::ARes::keys), of
/// [`AExpJ::keys`](super::AExpJ::keys), or of [`design::Decay`](crate::design::Decay). Rows of equal keys are ordered
/// by themselves.
///
/// [`WeightedReservoir::merge`] is a union of parts that have no row in common (a row in two parts counts as two), so that it is
/// associative, commutative, and equal to one race over all rows, wherever they were cut. Memory grows with the rows
/// that are kept, at most 2k.
#[derive(Clone, Debug)]
pub struct WeightedReservoir<T>(Smallest<Runner<T>>);

/// A row and its key.
#[derive(Clone, Debug)]
struct Runner<T> {
    key: f64,
    row: T,
}

impl<T: Ord> WeightedReservoir<T> {
    /// A race for k places.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self(Smallest::new(k))
    }

    /// A row and its key. Constant time on average.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a key that is not a number, [`Error::Memory`].
    pub fn offer(&mut self, key: f64, row: T) -> Result<(), Error> {
        if key.is_nan() {
            return Err(Error::range("a key", "a number", key));
        }
        self.0.offer(Runner { key, row })
    }

    /// Takes in another race for as many places.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it was for another number of places, [`Error::Memory`]: nothing was taken in then.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        self.0.merge(other.0)
    }

    /// Rows seen.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// Places.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// The sample with its keys in the order of arrival, which is a random order: a prefix of it is the sample of fewer
    /// places.
    #[must_use]
    pub fn into_sorted(self) -> Vec<(f64, T)> {
        self.0.into_sorted().into_iter().map(|Runner { key, row }| (key, row)).collect()
    }
}

impl<T: Ord> Ord for Runner<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.total_cmp(&other.key).then_with(|| self.row.cmp(&other.row))
    }
}

impl<T: Ord> PartialOrd for Runner<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for Runner<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Ord> Eq for Runner<T> {}
