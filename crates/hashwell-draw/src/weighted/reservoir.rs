//! The race behind successive sampling: row i arrives at time E/w, where E is exponential, and the k rows that arrive
//! first are the sample. Row i arrives first with probability w/W, where w is its weight and W is the sum of all
//! weights. The remaining rows are again such a race, so this is successive sampling (Efraimidis and Spirakis 2006,
//! A-ARes; their key u^(1/w) is e^(-E/w)).
//!
//! Arrivals are compared as logarithms, ln E - ln w. u^(1/w) underflows to 0 once w is below about a thousandth of E,
//! after which rows would be kept in file order. The logarithm works for every float weight.

use super::smallest::Smallest;
use crate::Error;
use crate::number::{ln, minus_ln_unit};
use std::cmp::Ordering;

/// Returns the race key of a row, ln E - ln w. This is the logarithm of the time E/w at which the row arrives. E is an
/// exponential random number that is computed from `word`, a uniform random number. The weight w is `weight`, which
/// must be above 0. A row with a smaller key arrives earlier. The key is computed with `+ - * /` only, so it is the
/// same on every machine.
#[must_use]
#[inline]
pub fn race_key(word: u64, weight: f64) -> f64 {
    ln(minus_ln_unit(word)) - ln(weight)
}

/// A sample of the k rows with the smallest keys. Keys come from [`race_key`],
/// [`ARes::keys`](crate::algorithms::ARes::keys), [`AExpJ::keys`](super::AExpJ::keys) or
/// [`design::Decay`](crate::design::Decay). Rows with equal keys are ordered by the rows themselves.
///
/// [`WeightedReservoir::merge`] is associative and commutative. The result is the same as that of one race over all
/// rows, however the rows were divided into parts. The parts must not have any row in common, because a row in two
/// parts counts twice. The memory grows with the number of rows kept, which is at most 2k.
#[derive(Clone, Debug)]
pub struct WeightedReservoir<T>(Smallest<Runner<T>>);

/// A row and its key.
#[derive(Clone, Debug)]
struct Runner<T> {
    key: f64,
    row: T,
}

impl<T: Ord> WeightedReservoir<T> {
    /// Creates an empty reservoir for k rows.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self(Smallest::new(k))
    }

    /// Offers a row and its key. Takes constant time on average.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the key is NaN, or [`Error::Memory`] if an allocation fails.
    pub fn offer(&mut self, key: f64, row: T) -> Result<(), Error> {
        if key.is_nan() {
            return Err(Error::range("a key", "a number", key));
        }
        self.0.offer(Runner { key, row })
    }

    /// Merges another reservoir with the same k.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the other reservoir has a different k, or [`Error::Memory`] if an allocation
    /// fails. After an error, nothing has been merged.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        self.0.merge(other.0)
    }

    /// The number of rows seen.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The maximum number of rows in the sample.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// Returns the rows of the sample with their keys, in the order of arrival. This is a random order, in which the
    /// first j rows are a sample of j rows.
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
