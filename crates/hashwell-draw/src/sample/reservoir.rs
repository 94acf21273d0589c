//! The interface of all rules that keep rows of a stream.

use crate::Error;

/// A rule that keeps rows of a stream in a fixed number of slots. It does not see the rows, but only counts them. The
/// caller stores the rows.
///
/// ```text
/// loop {
///     while skip() > 0 { skip as many rows, report them with passed() }
///     the next row goes into slot enter()
/// }
/// ```
///
/// [`AlgorithmR`](crate::algorithms::AlgorithmR) looks only a limited number of rows ahead, so its `skip` can be above
/// 0 again after these rows. For the other rules, `skip` covers all rows up to the next one that enters, and calling it
/// again costs one comparison.
pub trait Reservoir {
    /// The number of rows to skip before the next row that can enter. Returns `u64::MAX` if no further row enters.
    fn skip(&self) -> u64;

    /// Reports that `rows` rows were skipped without entering.
    ///
    /// # Panics
    /// Panics if `rows` is more than [`Reservoir::skip`].
    fn passed(&mut self, rows: u64);

    /// Lets the next row enter. Call this only if [`Reservoir::skip`] is 0. Returns the slot that the row takes. Slots
    /// are first filled in order, and then the row displaces the previous row of its slot. This function also draws
    /// which row enters next.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails. After an error, the row has not entered, and nothing
    /// has changed except the random source.
    ///
    /// # Panics
    /// Panics if [`Reservoir::skip`] is not 0.
    fn enter(&mut self) -> Result<usize, Error>;

    /// The number of rows seen so far, including those that entered.
    fn seen(&self) -> u64;

    /// The number of slots.
    fn capacity(&self) -> usize;
}

impl<R: Reservoir + ?Sized> Reservoir for &mut R {
    fn skip(&self) -> u64 {
        (**self).skip()
    }

    fn passed(&mut self, rows: u64) {
        (**self).passed(rows);
    }

    fn enter(&mut self) -> Result<usize, Error> {
        (**self).enter()
    }

    fn seen(&self) -> u64 {
        (**self).seen()
    }

    fn capacity(&self) -> usize {
        (**self).capacity()
    }
}
