//! Successive sampling in integers, hwdraw/1's `weighted-ticket`: the race of [`race_key`](super::race_key), with
//! exponential times that are drawn by comparisons only and compared by products of integers. Nothing is rounded, and
//! you can check a row with any implementation of the hash function.

use super::smallest::Smallest;
use crate::draw::{Exponential, exponential};
use crate::{Error, RandomSource};
use std::cmp::Ordering;

/// The time E and the weight w of a row. Tickets are ordered by E/w. To compare two tickets exactly, the products E₁·w₂
/// and E₂·w₁ are computed in 320 bits.
#[derive(Clone, Copy, Debug)]
pub struct WeightedTicket {
    /// E.
    pub time: Exponential,
    /// The weight w, in units of the declared scale ([`Decimal`](crate::number::Decimal)).
    pub weight: u128,
}

impl WeightedTicket {
    /// Draws the time of a row from the row's own random numbers. `words` must be at the beginning of these numbers.
    /// The result does not depend on other rows. The function consumes as many random numbers as [`exponential`], 8.6
    /// on average.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn draw(words: &mut (impl RandomSource + ?Sized), weight: u128) -> Result<Self, Error> {
        Ok(Self { time: exponential(words)?, weight })
    }
}

impl Ord for WeightedTicket {
    // This is not inlined, because it is long and a sort calls it in many places.
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

/// A sample of the k rows with the smallest tickets. Rows with equal tickets are ordered by the rows themselves. The
/// sample depends only on the rows and their random numbers, not on the order of the rows or their division into parts.
/// Parts that are merged with [`WeightedTickets::merge`] must not have any row in common, because a row that is offered
/// twice counts twice.
#[derive(Clone, Debug)]
pub struct WeightedTickets<T>(Smallest<(WeightedTicket, T)>);

impl<T: Ord> WeightedTickets<T> {
    /// Creates a sample of k rows. The memory grows with the number of rows kept, which is at most 2k.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self(Smallest::new(k))
    }

    /// Offers a row and its ticket. Rows of weight 0 count as seen and are never kept.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn offer(&mut self, ticket: WeightedTicket, row: T) -> Result<(), Error> {
        if ticket.weight == 0 {
            self.0.pass();
            return Ok(());
        }
        self.0.offer((ticket, row))
    }

    /// Merges another sample of the same size.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the other sample has a different k, or [`Error::Memory`] if an allocation
    /// fails. After an error, nothing has been merged.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        self.0.merge(other.0)
    }

    /// The number of rows seen, including those of weight 0.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The maximum number of rows kept.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// Sets the number of rows seen to the number in a saved sample.
    pub(super) fn set_rows(&mut self, rows: u64) {
        self.0.set_rows(rows);
    }

    /// The rows in the order in which successive sampling draws them.
    #[must_use]
    pub fn into_sorted(self) -> Vec<(WeightedTicket, T)> {
        self.0.into_sorted()
    }
}
