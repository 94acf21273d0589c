//! Successive sampling in whole numbers, hwdraw/1's `weighted-ticket`: the race of [`race`](super::race_key) with
//! exponential times made by comparisons alone and compared by products of integers, so that nothing is ever rounded
//! and anybody with a hash function can recheck a row.

use super::smallest::Smallest;
use crate::draw::{Exponential, exponential};
use crate::{Error, RandomSource};
use std::cmp::Ordering;

/// A row's time and its weight. Its order is that of E/w, compared as E₁·w₂ and E₂·w₁ in 320 bits.
#[derive(Clone, Copy, Debug)]
pub struct WeightedTicket {
    /// E.
    pub time: Exponential,
    /// w, in units of the declared scale ([`Decimal`](crate::number::Decimal)).
    pub weight: u128,
}

impl WeightedTicket {
    /// Draws a row's time from the row's own stream of words, at whose beginning `words` stands; the same whatever other
    /// rows there are. Words as [`exponential`]: 8.6 in the mean.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    pub fn draw(words: &mut (impl RandomSource + ?Sized), weight: u128) -> Result<Self, Error> {
        Ok(Self { time: exponential(words)?, weight })
    }
}

impl Ord for WeightedTicket {
    // Not inlined, because a sort calls it in many places and it is long.
    #[inline(never)]
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.cmp_over(self.weight, &other.time, other.weight)
    }
}

impl PartialOrd for WeightedTicket {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for WeightedTicket {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for WeightedTicket {}

/// The k rows with the smallest tickets; rows of equal tickets are ordered by themselves. The sample depends on the rows
/// and their streams alone, not on their order or on how they were cut, and [`WeightedTickets::merge`] is a union of
/// parts that have no row in common: a row that is offered twice counts as two.
#[derive(Clone, Debug)]
pub struct WeightedTickets<T>(Smallest<(WeightedTicket, T)>);

impl<T: Ord> WeightedTickets<T> {
    /// A sample of k rows; memory grows with the rows that are kept, at most 2k.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self(Smallest::new(k))
    }

    /// A row and its ticket. Rows of weight 0 are seen and never kept.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn offer(&mut self, ticket: WeightedTicket, row: T) -> Result<(), Error> {
        if ticket.weight == 0 {
            self.0.pass();
            return Ok(());
        }
        self.0.offer((ticket, row))
    }

    /// Takes in another sample of as many rows.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it was for another k, [`Error::Memory`]: nothing was taken in then.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        self.0.merge(other.0)
    }

    /// Rows seen, those of weight 0 among them.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// Rows that are kept at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// As many rows as a saved sample had seen.
    pub(super) fn set_rows(&mut self, rows: u64) {
        self.0.set_rows(rows);
    }

    /// The rows in the order in which successive sampling draws them.
    #[must_use]
    pub fn into_sorted(self) -> Vec<(WeightedTicket, T)> {
        self.0.into_sorted()
    }
}
